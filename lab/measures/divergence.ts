import type { InstantMs } from '../../src/model/index.ts'
import { type Accepts, everything, newInStream, newInWindow, type TimedItem } from './feed.ts'

/** The time since the last refresh, and the window that limits what it can still bring. */
export interface Since {
  /** T_r: the last refresh before `now`. */
  readonly refreshedAt: InstantMs
  readonly now: InstantMs
}

/** Div_F(s, q, t, T_r), Definitions 2.1.1, 2.1.2 and 2.1.5: items published in (T_r, t] that the query wants. */
export function streamDivergence<Item extends TimedItem>(
  items: readonly Item[],
  since: Since,
  accepts: Accepts<Item> = everything,
): number {
  return count(newInStream(items, since.refreshedAt, since.now), accepts)
}

/**
 * Div_A(s, q, t, T_r), Definition 2.1.6: of these, what a refresh would still find. Not monotone once the source is
 * saturated: an unwanted item may push a wanted one out.
 */
export function windowDivergence<Item extends TimedItem>(
  items: readonly Item[],
  since: Since,
  windowSize: number,
  accepts: Accepts<Item> = everything,
): number {
  return count(newInWindow(items, since.refreshedAt, since.now, windowSize), accepts)
}

/** Div(s, q, t, T_r) = sel(q)·Div(s, t, T_r) (2.1), where only the selectivity is known. */
export function divergenceBySelectivity(divergence: number, selectivity: number): number {
  return selectivity * divergence
}

export interface QuerySetDivergence {
  /** Definition 2.1.3 as printed: the sum over the queries. It is meant for disjoint ones; others count an item twice. */
  readonly sum: number
  /** Items that at least one query wants, each once. Equal to the sum where the queries are disjoint. */
  readonly wantedByAny: number
}

/** Div(s, Q, t, T_r), Definition 2.1.3, in both readings. */
export function divergenceForQueries<Item extends TimedItem>(
  items: readonly Item[],
  since: Since,
  queries: readonly Accepts<Item>[],
  windowSize = Number.POSITIVE_INFINITY,
): QuerySetDivergence {
  const fresh = newInWindow(items, since.refreshedAt, since.now, windowSize)
  let sum = 0
  for (const accepts of queries) sum += count(fresh, accepts)
  return { sum, wantedByAny: count(fresh, (item) => queries.some((accepts) => accepts(item))) }
}

/** The same from selectivities alone; `wantedByAny` then takes the queries to be independent of each other. */
export function divergenceBySelectivities(divergence: number, selectivities: readonly number[]): QuerySetDivergence {
  let sum = 0
  let unwanted = 1
  for (const selectivity of selectivities) {
    sum += selectivity
    unwanted *= 1 - selectivity
  }
  return { sum: divergence * sum, wantedByAny: divergence * (1 - unwanted) }
}

function count<Item>(items: readonly Item[], accepts: Accepts<Item>): number {
  let matching = 0
  for (const item of items) if (accepts(item)) matching++
  return matching
}
