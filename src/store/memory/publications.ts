import { entryAt, valueAt } from '../../model/entry-at.ts'
import type {
  InstantMs,
  ItemSeq,
  Publication,
  PublishedEntry,
  QueryFeed,
  QueryFeedId,
  SourceId,
} from '../../model/index.ts'
import type { CatchUpRecord, NewPublication, Published, PublishRecord } from '../query-feeds.ts'
import { catchUpAfterStretch, isClearingAfterStretch, isStretchOf, isWithdrawn } from '../rules/catch-up.ts'
import { publicationsToMake, publishedOf } from '../rules/publications.ts'
import { type Asked, type KeptShare, keptMore, MOST_SEARCHED, NOTHING } from '../rules/selectivity.ts'
import { labelsBeyondRoom } from '../text-room.ts'
import type { Queries, World } from './world.ts'

/** `upTo`: what was asked about, with the record. */
export function publish(world: World, record: PublishRecord, upTo: ItemSeq): Published {
  const published = publishedOf([], addAll(world, record.publications, record.at))
  countSelectivities(world, record, upTo)
  return published
}

export function catchUp(world: World, record: CatchUpRecord, asked: ItemSeq): Published {
  const { queries } = world
  const feeds = record.feeds.flatMap(({ feedId, version }) => {
    const feed = queries.feeds.get(feedId)
    return feed !== undefined && isStretchOf(record, version, feed) ? [feed] : []
  })
  const ids = new Set(feeds.map(({ id }) => id))
  const publications = record.publications.filter(({ feedId }) => ids.has(feedId))
  const withdrawnFrom = withdrawOthers(queries, ids, publications, record)
  // Who keeps in memory what may be shown learns that it may be again.
  if (record.isEnd && feeds.some(({ isClearing }) => isClearing === true)) queries.revision += queries.step
  for (const feed of feeds) queries.feeds.set(feed.id, moved(feed, record))
  const published = publishedOf(withdrawnFrom, addAll(world, publications, record.at))
  if (record.isEnd) for (const id of ids) beginCounts(world, id, asked)
  return published
}

function withdrawOthers(
  { publications }: Queries,
  ids: ReadonlySet<QueryFeedId>,
  given: readonly NewPublication[],
  record: CatchUpRecord,
): ReadonlySet<QueryFeedId> {
  const names = new Set(given.map(({ feedId, itemSeq }) => `${feedId} ${itemSeq}`))
  const withdrawnFrom = new Set<QueryFeedId>()
  for (const [seq, { feedId, itemSeq }] of publications) {
    if (!ids.has(feedId) || !isWithdrawn(record, itemSeq, names.has(`${feedId} ${itemSeq}`))) continue
    publications.delete(seq)
    withdrawnFrom.add(feedId)
  }
  return withdrawnFrom
}

function moved({ isClearing, ...feed }: QueryFeed, record: CatchUpRecord): QueryFeed {
  const isStillClearing = isClearingAfterStretch(isClearing === true, record)
  return { ...feed, catchUpAfter: catchUpAfterStretch(record), ...(isStillClearing ? { isClearing: true } : {}) }
}

/** The feed of each that was added. */
function addAll({ queries, items }: World, given: readonly NewPublication[], publishedAt: InstantMs): QueryFeedId[] {
  const there = new Set([...queries.publications.values()].map(({ feedId, itemSeq }) => `${feedId} ${itemSeq}`))
  const due = publicationsToMake(given, {
    feed: (id) => queries.feeds.get(id),
    hasItem: (seq) => items.has(seq),
    isPublished: (feedId, itemSeq) => there.has(`${feedId} ${itemSeq}`),
  })
  for (const { feedId, itemSeq, isHistory, joined } of due) {
    queries.lastPublication += queries.step
    const seq = queries.lastPublication
    queries.publications.set(seq, { seq, feedId, itemSeq, publishedAt, isHistory, joined: [...joined] })
  }
  return due.map(({ feedId }) => feedId)
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
  for (const { item } of entriesOf(world, (one) => one.feedId === feedId).slice(-MOST_SEARCHED)) {
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
