import type { QueryFeedId, SourceId } from '../../model/index.ts'

/** Apps know feeds by whole numbers alone. Those of query feeds begin here, far beyond those of sources. */
const QUERY_FEEDS_FROM = 1_000_000_000

export function feedNumber(id: QueryFeedId): number {
  return QUERY_FEEDS_FROM + id
}

/** What a number names. */
export function numberedFeed(number: number): { readonly sourceId: SourceId } | { readonly feedId: QueryFeedId } {
  return number > QUERY_FEEDS_FROM ? { feedId: number - QUERY_FEEDS_FROM } : { sourceId: number }
}
