import type { ItemSeq, QueryFeed, QueryFeedId } from '../../model/index.ts'
import type { NewPublication, PublishResult } from '../query-feeds.ts'

/** What a store knows when something is to be published. */
export interface PublishedBefore {
  feed(id: QueryFeedId): Pick<QueryFeed, 'version' | 'historyUpTo'> | undefined
  hasItem(seq: ItemSeq): boolean
  isPublished(feedId: QueryFeedId, itemSeq: ItemSeq): boolean
}

export interface DuePublication extends NewPublication {
  readonly isHistory: boolean
}

/**
 * Which of them are published, in order: once for each feed and item, of items that are there, in feeds that still ask what
 * they asked when it was decided. What was there before what they ask for is history.
 */
export function publicationsToMake(given: readonly NewPublication[], before: PublishedBefore): DuePublication[] {
  const made = new Set<string>()
  return given.flatMap((one) => {
    const feed = before.feed(one.feedId)
    const name = `${one.feedId} ${one.itemSeq}`
    if (feed?.version !== one.version || !before.hasItem(one.itemSeq)) return []
    if (made.has(name) || before.isPublished(one.feedId, one.itemSeq)) return []
    made.add(name)
    return [{ ...one, isHistory: isHistory(one.itemSeq, feed) }]
  })
}

function isHistory(itemSeq: ItemSeq, { historyUpTo }: Pick<QueryFeed, 'historyUpTo'>): boolean {
  return itemSeq <= historyUpTo
}

/** `withdrawnFrom`: feeds that lost something, which is a change as well. */
export function publishedOf(withdrawnFrom: Iterable<QueryFeedId>, addedTo: readonly QueryFeedId[]): PublishResult {
  return { feedIds: [...new Set([...withdrawnFrom, ...addedTo])], added: addedTo.length }
}
