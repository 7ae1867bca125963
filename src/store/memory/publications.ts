import { entryAt, valueAt } from '../../model/entry-at.ts'
import type { ItemSeq, Publication, PublishedEntry, QueryFeed, QueryFeedId, SourceId } from '../../model/index.ts'
import type { CatchUpRecord, NewPublication, Published, PublishRecord } from '../query-feeds.ts'
import { type Asked, type KeptShare, keptMore, NOTHING } from '../selectivity.ts'
import { labelsBeyondRoom } from '../text-room.ts'
import type { World } from './world.ts'

/** `upTo`: what was asked about, with the record. */
export function publish(world: World, record: PublishRecord, upTo: ItemSeq): Published {
  const published = addAll(world, record.publications, record.at)
  countSelectivities(world, record, upTo)
  return published
}

export function catchUp({ queries, ...world }: World, record: CatchUpRecord, asked: ItemSeq): Published {
  const { after, upTo, isEnd } = record
  const changed = new Set<QueryFeedId>()
  const present = record.feeds.filter(({ feedId, version }) => {
    const feed = queries.feeds.get(feedId)
    return feed?.version === version && feed.catchUpAfter === after
  })
  const ids = new Set(present.map(({ feedId }) => feedId))
  const publications = record.publications.filter(({ feedId }) => ids.has(feedId))
  const kept = new Set(publications.map(({ feedId, itemSeq }) => `${feedId} ${itemSeq}`))
  for (const [seq, { feedId, itemSeq }] of queries.publications) {
    const isInStretch = ids.has(feedId) && itemSeq > after && itemSeq <= upTo
    if (!isInStretch || kept.has(`${feedId} ${itemSeq}`)) continue
    queries.publications.delete(seq)
    changed.add(feedId)
  }
  // Who keeps in memory what may be shown learns that it may be again.
  if (isEnd && [...ids].some((id) => valueAt(queries.feeds, id).isClearing === true)) queries.revision += 1
  for (const id of ids) queries.feeds.set(id, moved(valueAt(queries.feeds, id), isEnd ? null : upTo))
  const { feedIds, added } = addAll({ queries, ...world }, publications, record.at)
  if (isEnd) for (const id of ids) beginCounts({ queries, ...world }, id, asked)
  return { feedIds: [...new Set([...changed, ...feedIds])], added }
}

/** Who has caught up holds nothing that it must not. */
function moved({ isClearing, ...feed }: QueryFeed, catchUpAfter: ItemSeq | null): QueryFeed {
  return { ...feed, catchUpAfter, ...(isClearing && catchUpAfter !== null ? { isClearing } : {}) }
}

function addAll({ queries, items }: World, publications: readonly NewPublication[], at: number): Published {
  const there = new Set([...queries.publications.values()].map(({ feedId, itemSeq }) => `${feedId} ${itemSeq}`))
  const feedIds = new Set<QueryFeedId>()
  let added = 0
  for (const { feedId, version, itemSeq, joined } of publications) {
    const feed = queries.feeds.get(feedId)
    if (feed?.version !== version || !items.has(itemSeq) || there.has(`${feedId} ${itemSeq}`)) continue
    there.add(`${feedId} ${itemSeq}`)
    const seq = ++queries.lastPublication
    const isHistory = itemSeq <= feed.historyUpTo
    queries.publications.set(seq, { seq, feedId, itemSeq, publishedAt: at, isHistory, joined: [...joined] })
    feedIds.add(feedId)
    added += 1
  }
  return { feedIds: [...feedIds], added }
}

function countSelectivities(world: World, { looked, kept }: PublishRecord, upTo: ItemSeq): void {
  const { queries, files } = world
  for (const [sourceId, items] of looked) {
    if (files.has(sourceId)) queries.looked.set(sourceId, (queries.looked.get(sourceId) ?? 0) + items)
  }
  for (const { feedId, version, sourceId, items } of kept) {
    const total = queries.looked.get(sourceId)
    const more = looked.get(sourceId)
    if (total === undefined || more === undefined || queries.feeds.get(feedId)?.version !== version) continue
    const bySource = queries.kept.get(feedId) ?? new Map()
    const since = () => askedSoFar(world, feedId, sourceId, upTo)
    const share = keptMore(bySource.get(sourceId), total, { looked: more, kept: items }, since)
    queries.kept.set(feedId, bySource.set(sourceId, share))
  }
}

/** What a query found in the archive starts its counts. */
function beginCounts(world: World, feedId: QueryFeedId, upTo: ItemSeq): void {
  const { queries } = world
  const bySource: Map<SourceId, KeptShare> = queries.kept.get(feedId) ?? new Map()
  for (const { item } of entriesOf(world, (one) => one.feedId === feedId)) {
    const { sourceId } = item
    if (bySource.has(sourceId)) continue
    const since = askedSoFar(world, feedId, sourceId, upTo)
    if (since.kept === 0) continue
    const total = queries.looked.get(sourceId) ?? 0
    queries.looked.set(sourceId, total)
    bySource.set(
      sourceId,
      keptMore(undefined, total, NOTHING, () => since),
    )
  }
  queries.kept.set(feedId, bySource)
}

/** Of a feed that is still catching up nobody can say. */
function askedSoFar({ queries, items }: World, feedId: QueryFeedId, sourceId: SourceId, upTo: ItemSeq): Asked {
  if (valueAt(queries.feeds, feedId).catchUpAfter !== null) return NOTHING
  const after = queries.asksAfter.get(feedId) ?? 0
  const ofSource = [...items.values()].filter(
    (item) => item.sourceId === sourceId && item.seq > after && item.seq <= upTo,
  )
  const published = new Set<ItemSeq>()
  for (const one of queries.publications.values()) if (one.feedId === feedId) published.add(one.itemSeq)
  return { looked: ofSource.length, kept: ofSource.filter(({ seq }) => published.has(seq)).length }
}

/** Oldest first. */
export function entriesOf({ queries, items }: World, which: (one: Publication) => boolean): PublishedEntry[] {
  return [...queries.publications.values()].filter(which).map((one) => ({ ...one, item: valueAt(items, one.itemSeq) }))
}

export function entriesInRoom(entries: readonly PublishedEntry[]): PublishedEntry[] {
  const items = labelsBeyondRoom(entries.map(({ item }) => item))
  return entries.map((entry, index) => ({ ...entry, item: entryAt(items, index) }))
}
