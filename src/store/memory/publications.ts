import type { ItemSeq, Publication, PublishedEntry, QueryFeed, QueryFeedId } from '../../model/index.ts'
import type { CatchUpRecord, NewPublication, Published, PublishRecord } from '../query-feeds.ts'
import { keptMore } from '../selectivity.ts'
import type { World } from './world.ts'

export function publish(world: World, record: PublishRecord): Published {
  const published = addAll(world, record.publications, record.at)
  countSelectivities(world, record)
  return published
}

export function catchUp({ queries, ...world }: World, record: CatchUpRecord): Published {
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
  for (const id of ids) queries.feeds.set(id, moved(queries.feeds.get(id)!, isEnd ? null : upTo))
  const { feedIds, added } = addAll({ queries, ...world }, publications, record.at)
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

function countSelectivities({ queries, files }: World, { looked, kept }: PublishRecord): void {
  for (const [sourceId, items] of looked) {
    if (files.has(sourceId)) queries.looked.set(sourceId, (queries.looked.get(sourceId) ?? 0) + items)
  }
  for (const { feedId, sourceId, items } of kept) {
    const total = queries.looked.get(sourceId)
    const more = looked.get(sourceId)
    if (total === undefined || more === undefined || !queries.feeds.has(feedId)) continue
    const bySource = queries.kept.get(feedId) ?? new Map()
    queries.kept.set(feedId, bySource.set(sourceId, keptMore(bySource.get(sourceId), total, more, items)))
  }
}

/** Oldest first. */
export function entriesOf({ queries, items }: World, which: (one: Publication) => boolean): PublishedEntry[] {
  return [...queries.publications.values()].filter(which).map((one) => ({ ...one, item: items.get(one.itemSeq)! }))
}
