import type { InstantMs } from '../../src/model/index.ts'
import { publishedBy, type TimedItem } from './feed.ts'

/** A source as an aggregator sees it: what it publishes, how much of it a window shows, and when it was refreshed. */
export interface RefreshedSource<Item extends TimedItem> {
  readonly items: readonly Item[]
  readonly windowSize: number
  /** Ascending. */
  readonly refreshes: readonly InstantMs[]
}

export interface FetchedItems<Item> {
  readonly item: Item
  readonly fetchedAt: InstantMs
}

/** What the refreshes until t brought, in the order of publication: each item at the first refresh that showed it. */
export function fetchedBy<Item extends TimedItem>(source: RefreshedSource<Item>, t: InstantMs): FetchedItems<Item>[] {
  const fetched: FetchedItems<Item>[] = []
  let known = 0
  for (const fetchedAt of source.refreshes) {
    if (fetchedAt > t) break
    const end = publishedBy(source.items, fetchedAt)
    const items = source.items.slice(Math.max(known, end - source.windowSize), end)
    for (const item of items) fetched.push({ item, fetchedAt })
    known = Math.max(known, end)
  }
  return fetched
}
