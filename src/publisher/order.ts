import type { PublishedItem } from './published-feed.ts'
import { scoreOf, type WeightedTerm } from './score.ts'

/** ORDER BY of a query feed. */
export type FeedOrder =
  | { readonly by: 'PUBLISHED' | 'FETCHED' | 'SOURCE' | 'WEIGHT'; readonly descending: boolean }
  | {
      readonly by: 'SCORE'
      readonly terms: readonly WeightedTerm[]
      readonly descending: boolean
      /** Names of the query feeds that it reads: an item weighs as the heaviest of those by which it came. */
      readonly reads: readonly string[]
    }

type Compare = (a: PublishedItem, b: PublishedItem) => number

const COMPARE: Readonly<Record<FeedOrder['by'], Compare>> = {
  PUBLISHED: (a, b) => a.item.sortAt - b.item.sortAt,
  FETCHED: (a, b) => a.item.firstSeenAt - b.item.firstSeenAt,
  SOURCE: (a, b) => compareTexts(a.source.title, b.source.title),
  WEIGHT: (a, b) => a.source.weight - b.source.weight,
  SCORE: (a, b) => (a.score ?? 0) - (b.score ?? 0),
}

/**
 * The window of a feed in the order that its query asks for; what is equal there stays with the newest first. Order moves items
 * within the window and never in or out of it: who reads the feed loses nothing by it. O(n log n) for n items of the window.
 */
export function orderItems(items: readonly PublishedItem[], order: FeedOrder | null): readonly PublishedItem[] {
  if (order === null) return items
  const compare = COMPARE[order.by]
  return [...items].sort((a, b) => (order.descending ? compare(b, a) : compare(a, b)))
}

/** The items with their scores, where they are ordered by one. */
export function withScores(
  items: readonly PublishedItem[],
  order: FeedOrder | null,
  queryWeight: (item: PublishedItem) => number,
): readonly PublishedItem[] {
  if (order?.by !== 'SCORE') return items
  const newestAt = items.reduce((newest, { item }) => Math.max(newest, item.sortAt), Number.NEGATIVE_INFINITY)
  return items.map((item) => ({ ...item, score: scoreOf(item, order.terms, { newestAt, queryWeight }) }))
}

/** The same on every machine. */
function compareTexts(a: string, b: string): number {
  const [first, second] = [a.toLowerCase(), b.toLowerCase()]
  return first < second ? -1 : first > second ? 1 : 0
}
