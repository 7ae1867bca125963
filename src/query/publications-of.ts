import type { QueryFeed } from '../model/index.ts'
import { itemOrigin } from '../store/provenance.ts'
import type { NewPublication } from '../store/query-feeds.ts'
import type { FeedArrival, FeedMatch } from './engine.ts'

/** What is to be published of an item that was found to be in some feeds. */
export function publicationsOf(
  { item, source }: FeedArrival,
  matches: readonly FeedMatch[],
  feeds: ReadonlyMap<string, QueryFeed>,
): NewPublication[] {
  if (matches.length === 0) return []
  const { seq: itemSeq, key } = item
  const origin = key === undefined ? {} : { origin: itemOrigin({ ...item, key }, source.url) }
  return matches.flatMap(({ feed: name, joined }) => {
    const feed = feeds.get(name)
    return feed === undefined ? [] : [{ feedId: feed.id, version: feed.version, itemSeq, joined, ...origin }]
  })
}
