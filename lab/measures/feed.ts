import { entryAt } from '../../src/model/entry-at.ts'
import type { InstantMs } from '../../src/model/index.ts'

/** Anything with a publication date counts as an item here (thesis 1.4.1). Lists are ascending by date. */
export interface TimedItem {
  readonly at: InstantMs
}

/** A filter over items, such as an aggregation query restricted to one source. */
export type Accepts<Item> = (item: Item) => boolean

/** A query that keeps everything: selectivity 1. */
export const everything = (): boolean => true

/** Publication stream F(f, t), Definition 1.4.2: all items published until t. */
export function streamAt<Item extends TimedItem>(items: readonly Item[], t: InstantMs): readonly Item[] {
  return items.slice(0, publishedBy(items, t))
}

/** Publication window A(f, t), Definition 1.4.3: the newest W items of the stream. */
export function windowAt<Item extends TimedItem>(
  items: readonly Item[],
  t: InstantMs,
  windowSize: number,
): readonly Item[] {
  const end = publishedBy(items, t)
  return items.slice(Math.max(0, end - windowSize), end)
}

/** new(F(s, t)): what the stream gained in (since, t] (Definition 2.1.5). */
export function newInStream<Item extends TimedItem>(
  items: readonly Item[],
  since: InstantMs,
  t: InstantMs,
): readonly Item[] {
  return items.slice(publishedBy(items, since), publishedBy(items, t))
}

/** new(A(s, t)): of these, what the window still shows at t (Definition 2.1.6). */
export function newInWindow<Item extends TimedItem>(
  items: readonly Item[],
  since: InstantMs,
  t: InstantMs,
  windowSize: number,
): readonly Item[] {
  const fresh = newInStream(items, since, t)
  return fresh.slice(Math.max(0, fresh.length - windowSize))
}

/** One filter of an aggregation query, over some of its sources. */
export interface Filter<Item> {
  readonly sources: readonly (readonly Item[])[]
  readonly accepts: Accepts<Item>
}

/**
 * Query feed, Definition 1.4.5: a union of filters over sources, by date; an item that several filters want is in it
 * once. Items are distinguished by identity.
 */
export function queryFeedOf<Item extends TimedItem>(filters: readonly Filter<Item>[]): readonly Item[] {
  const items = new Set<Item>()
  for (const { sources, accepts } of filters) {
    for (const source of sources) for (const item of source) if (accepts(item)) items.add(item)
  }
  return [...items].sort((a, b) => a.at - b.at)
}

/** sel(q) of 1.4.2: the share of items that a query keeps; 1 where there are none, as nothing was filtered out. */
export function selectivity<Item>(items: readonly Item[], accepts: Accepts<Item>): number {
  return items.length > 0 ? items.filter(accepts).length / items.length : 1
}

/** How many items were published at or before t. */
export function publishedBy(items: readonly TimedItem[], t: InstantMs): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (entryAt(items, middle).at <= t) low = middle + 1
    else high = middle
  }
  return low
}
