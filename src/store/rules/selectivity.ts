import type { Selectivity } from '../../model/index.ts'

/**
 * Which share of a source's items a query keeps (thesis 2.1: sel), without a row for each pair of query and source: of a
 * source only the number of items that queries were asked about is counted, of a pair that ever fitted the kept items. Both
 * are exact: a pair begins with what the archive holds since its query began, so that a query that keeps everything has 1
 * from the first item on. Beyond MOST_ITEMS half of what was counted is forgotten, so that the share follows the source.
 */
export interface KeptShare {
  /** Kept of the items since `sinceItems`. */
  readonly weight: number
  /** The source's number of items when that was counted. */
  readonly atItems: number
  readonly sinceItems: number
}

/** Exact up to here; beyond it a share of 0.1 is right within 0.01 (one standard deviation), for 1,000 items count at least. */
const MOST_ITEMS = 2_000

/** What was asked about and kept of a source since a query began. */
export interface Asked {
  readonly looked: number
  readonly kept: number
}

/** Sources are looked for in so many of the newest publications: what is left out begins with its first new item. */
export const MOST_SEARCHED = 5_000

export const NOTHING: Asked = { looked: 0, kept: 0 }

/** `items`: the source's number now. `more`: of the items that were asked about together, `since`: of all so far. */
export function keptMore(before: KeptShare | undefined, items: number, more: Asked, since: () => Asked): KeptShare {
  if (before !== undefined) return followed({ ...before, weight: before.weight + more.kept, atItems: items })
  const { looked, kept } = since()
  // What is gone from the archive meanwhile was asked about all the same.
  const asked = Math.max(looked, more.looked)
  return followed({ weight: Math.min(asked, Math.max(kept, more.kept)), atItems: items, sinceItems: items - asked })
}

/** `total`: the source's number of items now. */
export function shareOf({ weight, sinceItems }: KeptShare, total: number): Pick<Selectivity, 'share' | 'items'> {
  const items = Math.max(1, total - sinceItems)
  return { share: Math.min(1, weight / items), items }
}

function followed({ weight, atItems, sinceItems }: KeptShare): KeptShare {
  const looked = atItems - sinceItems
  if (looked <= MOST_ITEMS) return { weight, atItems, sinceItems }
  return { weight: (weight * MOST_ITEMS) / 2 / looked, atItems, sinceItems: atItems - MOST_ITEMS / 2 }
}
