/**
 * How far a source's few counts may be believed. Sixty sources whose items fall at random into the hours of the day have
 * sixty different busiest hours; following those costs more than knowing no hours at all (8 % of delay on a made-up
 * world of one item a day, at 24 refreshes a day).
 */

/** Before its counts are looked at: seven sources in eight have habits of their own. */
const LOG_OWN_ODDS = 2

/**
 * Probability that counts come from a shape of the source's own, scattered around `shares` as a Dirichlet of `hold`
 * items, and not from `shares` itself. By Pearson's X², whose mean is wider by (n + hold)/(1 + hold) with an own shape.
 */
export function ownShape(counts: readonly number[], shares: Float64Array, hold: number): number {
  let items = 0
  let squares = 0
  for (let part = 0; part < counts.length; part++) {
    items += counts[part]!
    squares += (counts[part]! * counts[part]!) / shares[part]!
  }
  if (items === 0) return 0
  const scatter = squares / items - items
  const wider = (items + hold) / (1 + hold)
  const logEvidence = (scatter * (1 - 1 / wider) - (counts.length - 1) * Math.log(wider)) / 2
  return 1 / (1 + Math.exp(-logEvidence - LOG_OWN_ODDS))
}

/** Probability that counts come from the shape that fits best of `shapes`, and not from the mean of all sources. */
export function fitsBetter(
  counts: readonly number[],
  bestLog: Float64Array,
  meanLog: Float64Array,
  shapes: number,
): number {
  let logEvidence = 0
  for (let part = 0; part < counts.length; part++) logEvidence += counts[part]! * (bestLog[part]! - meanLog[part]!)
  // The best of many always fits well.
  return 1 / (1 + shapes * Math.exp(-logEvidence))
}
