import type { InstantMs } from '../../src/model/index.ts'
import { type Dated, publishedBy } from './feed.ts'

/** A source as an aggregator sees it: what it publishes, how much of it a window shows, and when it was refreshed. */
export interface RefreshedSource<Item extends Dated> {
  readonly items: readonly Item[]
  readonly windowSize: number
  /** Ascending. */
  readonly refreshes: readonly InstantMs[]
}

export interface Fetched<Item> {
  readonly item: Item
  readonly fetchedAt: InstantMs
}

/** What the refreshes until t brought, in the order of publication: each item at the first refresh that showed it. */
export function fetchedBy<Item extends Dated>(source: RefreshedSource<Item>, t: InstantMs): Fetched<Item>[] {
  const fetched: Fetched<Item>[] = []
  let known = 0
  for (const fetchedAt of source.refreshes) {
    if (fetchedAt > t) break
    const end = publishedBy(source.items, fetchedAt)
    const shown = source.items.slice(Math.max(known, end - source.windowSize), end)
    for (const item of shown) fetched.push({ item, fetchedAt })
    known = Math.max(known, end)
  }
  return fetched
}
