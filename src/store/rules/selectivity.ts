import type { Selectivity } from '../../model/index.ts'

/**
 * Which share of a source's items a query keeps (thesis 2.1: sel), without a row for each pair of query and source: of a
 * source only the number of items that queries were evaluated on is counted, of a pair that ever matched, its matches. Both
 * are exact: a pair begins with what the archive holds since its query began, so that a query that keeps everything has 1
 * from the first item on. Beyond MOST_ITEMS half of what was counted is forgotten, so that the share follows the source.
 */
export interface MatchShare {
  /** Matches among the items since `sinceItems`. */
  readonly weight: number
  /** The source's number of items when that was counted. */
  readonly atItems: number
  readonly sinceItems: number
}

/** Exact up to here; beyond it a share of 0.1 is right within 0.01 (one standard deviation), for 1,000 items count at least. */
const MOST_ITEMS = 2_000

/** How many items of a source a query was evaluated on since it began, and how many matched. */
export interface SelectivityCounts {
  readonly items: number
  readonly matches: number
}

/** Sources are looked for in so many of the newest publications: what is left out begins with its first new item. */
export const MOST_SEARCHED = 5_000

export const NO_SELECTIVITY_COUNTS: SelectivityCounts = { items: 0, matches: 0 }

/** `items`: the source's number now. `more`: of the items that were evaluated together, `since`: of all so far. */
export function addMatches(
  before: MatchShare | undefined,
  items: number,
  more: SelectivityCounts,
  since: () => SelectivityCounts,
): MatchShare {
  if (before !== undefined) return decayShare({ ...before, weight: before.weight + more.matches, atItems: items })
  const { items: itemsSince, matches } = since()
  // What is gone from the archive meanwhile was evaluated all the same.
  const evaluatedItems = Math.max(itemsSince, more.items)
  return decayShare({
    weight: Math.min(evaluatedItems, Math.max(matches, more.matches)),
    atItems: items,
    sinceItems: items - evaluatedItems,
  })
}

/** `total`: the source's number of items now. */
export function shareOf({ weight, sinceItems }: MatchShare, total: number): Pick<Selectivity, 'share' | 'items'> {
  const items = Math.max(1, total - sinceItems)
  return { share: Math.min(1, weight / items), items }
}

function decayShare({ weight, atItems, sinceItems }: MatchShare): MatchShare {
  const items = atItems - sinceItems
  if (items <= MOST_ITEMS) return { weight, atItems, sinceItems }
  return { weight: (weight * MOST_ITEMS) / 2 / items, atItems, sinceItems: atItems - MOST_ITEMS / 2 }
}
