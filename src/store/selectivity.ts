/**
 * Which share of a source's items a query keeps, without a row for each pair of query and source: of a source only the
 * number of items that queries were asked about is counted, of a pair that ever fitted the kept items, each worth half
 * after HALF_LIFE_ITEMS more items of the source. A pair is counted from its first kept item on, which alone would say
 * 100 %: PRIOR_ITEMS that were not kept are added.
 */
export interface KeptShare {
  readonly weight: number
  /** The source's number of items when `weight` was worth that. */
  readonly atItems: number
  readonly sinceItems: number
}

const HALF_LIFE_ITEMS = 200
const PRIOR_ITEMS = 20
const LN_FACTOR = -Math.LN2 / HALF_LIFE_ITEMS

/** `items`: the source's number now, of which the last `looked` were asked about together and `kept` of them kept. */
export function keptMore(before: KeptShare | undefined, items: number, looked: number, kept: number): KeptShare {
  if (before === undefined) return { weight: kept, atItems: items, sinceItems: items - looked }
  return { ...before, weight: before.weight * decay(items - before.atItems) + kept, atItems: items }
}

export function shareOf(kept: KeptShare, items: number): number {
  const worth = (1 - decay(items - kept.sinceItems)) / (1 - decay(1))
  return (kept.weight * decay(items - kept.atItems)) / (worth + PRIOR_ITEMS)
}

function decay(items: number): number {
  return Math.exp(LN_FACTOR * items)
}
