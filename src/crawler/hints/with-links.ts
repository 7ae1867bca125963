import type { FeedHints } from '../../model/index.ts'
import type { HttpHints } from '../fetch/fetcher.ts'

const MOST_HUBS = 10

/** Hubs and address of the header come before those of the document (WebSub §4). */
export function withLinks(feed: FeedHints, { hubs = [], selfUrl }: HttpHints): FeedHints {
  if (hubs.length === 0 && selfUrl === undefined) return feed
  return {
    ...feed,
    hubs: [...new Set([...hubs, ...feed.hubs])].slice(0, MOST_HUBS),
    selfUrl: selfUrl ?? feed.selfUrl,
  }
}
