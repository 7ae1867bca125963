import type { PublishedItem } from './published-feed.ts'

/** ORDER BY of a query feed. */
export interface FeedOrder {
  readonly by: 'PUBLISHED' | 'FETCHED' | 'SOURCE' | 'WEIGHT'
  readonly descending: boolean
}

type Compare = (a: PublishedItem, b: PublishedItem) => number

const COMPARE: Readonly<Record<FeedOrder['by'], Compare>> = {
  PUBLISHED: (a, b) => a.item.sortAt - b.item.sortAt,
  FETCHED: (a, b) => a.item.firstSeenAt - b.item.firstSeenAt,
  SOURCE: (a, b) => compareTexts(a.source.title, b.source.title),
  WEIGHT: (a, b) => a.source.weight - b.source.weight,
}

/** The window of a feed in the order that its query asks for; what is equal there stays with the newest first. */
export function inOrder(items: readonly PublishedItem[], order: FeedOrder | null): readonly PublishedItem[] {
  if (order === null) return items
  const compare = COMPARE[order.by]
  return [...items].sort((a, b) => (order.descending ? compare(b, a) : compare(a, b)))
}

/** The same on every machine. */
function compareTexts(a: string, b: string): number {
  const [first, second] = [a.toLowerCase(), b.toLowerCase()]
  return first < second ? -1 : first > second ? 1 : 0
}
