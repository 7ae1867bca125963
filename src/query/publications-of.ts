import type { ItemSeq, QueryFeed } from '../model/index.ts'
import type { NewPublication } from '../store/query-feeds.ts'
import type { FeedMatch } from './engine.ts'

/** What is to be published of an item that was found to be in some feeds. */
export function publicationsOf(
  itemSeq: ItemSeq,
  matches: readonly FeedMatch[],
  feeds: ReadonlyMap<string, QueryFeed>,
): NewPublication[] {
  return matches.flatMap(({ feed: name, joined }) => {
    const feed = feeds.get(name)
    return feed === undefined ? [] : [{ feedId: feed.id, version: feed.version, itemSeq, joined }]
  })
}
