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
import type { CatchUpRecord, NewPublication, PublishRecord, PublishResult } from '../query-feeds.ts'
import { catchUpAfterStretch, isClearingAfterStretch, isStretchOf, isWithdrawn } from '../rules/catch-up.ts'
import { type DuePublication, publicationsToMake, publishedOf } from '../rules/publications.ts'
import {
  addMatches,
  type MatchShare,
  MOST_SEARCHED,
  NO_SELECTIVITY_COUNTS,
  type SelectivityCounts,
} from '../rules/selectivity.ts'
import { labelsBeyondLimit } from '../text-limit.ts'
import type { MemoryTables, Queries } from './tables.ts'

/** `upTo`: the last item that queries were evaluated on, with the record. */
export function publish(world: MemoryTables, record: PublishRecord, upTo: ItemSeq): PublishResult {
  const published = publishedOf([], addAll(world, record.publications, record.at))
  countSelectivities(world, record, upTo)
  return published
}

export function catchUp(world: MemoryTables, record: CatchUpRecord, upTo: ItemSeq): PublishResult {
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
  for (const feed of feeds) queries.feeds.set(feed.id, withCatchUp(feed, record))
  const published = publishedOf(withdrawnFrom, addAll(world, publications, record.at))
  if (record.isEnd) for (const id of ids) beginCounts(world, id, upTo)
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

function withCatchUp({ isClearing, ...feed }: QueryFeed, record: CatchUpRecord): QueryFeed {
  const isStillClearing = isClearingAfterStretch(isClearing === true, record)
  return { ...feed, catchUpAfter: catchUpAfterStretch(record), ...(isStillClearing ? { isClearing: true } : {}) }
}

/** The feed of each that was added. */
function addAll(
  { queries, items }: MemoryTables,
  given: readonly NewPublication[],
  publishedAt: InstantMs,
): QueryFeedId[] {
  const there = new Set([...queries.publications.values()].map(({ feedId, itemSeq }) => `${feedId} ${itemSeq}`))
  const due = publicationsToMake(given, {
    feed: (id) => queries.feeds.get(id),
    hasItem: (seq) => items.has(seq),
    isPublished: (feedId, itemSeq) => there.has(`${feedId} ${itemSeq}`),
  })
  const addedTo: QueryFeedId[] = []
  for (const one of due) {
    if (holdsOrigin(queries, items, one)) continue
    const { feedId, itemSeq, isHistory, joined, origin } = one
    queries.lastPublication += queries.step
    const seq = queries.lastPublication
    queries.publications.set(seq, { seq, feedId, itemSeq, publishedAt, isHistory, joined: [...joined] })
    if (origin !== undefined) queries.origins.set(seq, origin.id)
    addedTo.push(feedId)
  }
  return addedTo
}

/** Whether the feed has the item by another way. */
function holdsOrigin({ publications, origins }: Queries, items: MemoryTables['items'], one: DuePublication): boolean {
  const { origin, feedId, itemSeq } = one
  if (origin === undefined) return false
  return [...publications.values()].some((other) => {
    if (other.feedId !== feedId || origins.get(other.seq) !== origin.id) return false
    return origin.isClaimed || items.get(other.itemSeq)?.title === items.get(itemSeq)?.title
  })
}

function countSelectivities(world: MemoryTables, { itemCounts, matches }: PublishRecord, upTo: ItemSeq): void {
  const { queries, files } = world
  for (const [sourceId, items] of itemCounts) {
    if (files.has(sourceId)) queries.itemCounts.set(sourceId, (queries.itemCounts.get(sourceId) ?? 0) + items)
  }
  for (const { feedId, version, sourceId, items } of matches) {
    const total = queries.itemCounts.get(sourceId)
    const more = itemCounts.get(sourceId)
    if (total === undefined || more === undefined || queries.feeds.get(feedId)?.version !== version) continue
    const bySource = queries.matchShares.get(feedId) ?? new Map()
    const since = () => countsSoFar(world, feedId, sourceId, upTo)
    const share = addMatches(bySource.get(sourceId), total, { items: more, matches: items }, since)
    queries.matchShares.set(feedId, bySource.set(sourceId, share))
  }
}

/** What a query found in the archive starts its counts. */
function beginCounts(world: MemoryTables, feedId: QueryFeedId, upTo: ItemSeq): void {
  const { queries } = world
  const bySource: Map<SourceId, MatchShare> = queries.matchShares.get(feedId) ?? new Map()
  for (const { item } of entriesOf(world, (one) => one.feedId === feedId).slice(-MOST_SEARCHED)) {
    const { sourceId } = item
    if (bySource.has(sourceId)) continue
    const since = countsSoFar(world, feedId, sourceId, upTo)
    if (since.matches === 0) continue
    const total = queries.itemCounts.get(sourceId) ?? 0
    queries.itemCounts.set(sourceId, total)
    bySource.set(
      sourceId,
      addMatches(undefined, total, NO_SELECTIVITY_COUNTS, () => since),
    )
  }
  queries.matchShares.set(feedId, bySource)
}

/** Of a feed that is still catching up nobody can say. */
function countsSoFar(
  { queries, items }: MemoryTables,
  feedId: QueryFeedId,
  sourceId: SourceId,
  upTo: ItemSeq,
): SelectivityCounts {
  if (valueAt(queries.feeds, feedId).catchUpAfter !== null) return NO_SELECTIVITY_COUNTS
  const after = queries.asksAfter.get(feedId) ?? 0
  const ofSource = [...items.values()].filter(
    (item) => item.sourceId === sourceId && item.seq > after && item.seq <= upTo,
  )
  const published = new Set<ItemSeq>()
  for (const one of queries.publications.values()) if (one.feedId === feedId) published.add(one.itemSeq)
  return { items: ofSource.length, matches: ofSource.filter(({ seq }) => published.has(seq)).length }
}

/** Oldest first. */
export function entriesOf({ queries, items }: MemoryTables, which: (one: Publication) => boolean): PublishedEntry[] {
  return [...queries.publications.values()].filter(which).map((one) => ({ ...one, item: valueAt(items, one.itemSeq) }))
}

export function entriesWithinLimit(entries: readonly PublishedEntry[]): PublishedEntry[] {
  const items = labelsBeyondLimit(entries.map(({ item }) => item))
  return entries.map((entry, index) => ({ ...entry, item: entryAt(items, index) }))
}
