/**
 * How far a source's few counts may be believed. Sixty sources whose items fall at random into the hours of the day have
 * sixty different busiest hours; following those costs more than knowing no hours at all (8 % of delay on a made-up
 * world of one item a day, at 24 refreshes a day).
 */

/**
 * Logarithm of how much likelier counts are from a shape of the source's own, scattered around `shares` as a Dirichlet of
 * `hold` items, than from `shares` itself. By Pearson's X², whose mean is wider by (n + hold)/(1 + hold) with an own shape.
 */
export function ownEvidence(counts: ArrayLike<number>, shares: Float64Array, hold: number): number {
  let items = 0
  let squares = 0
  for (let part = 0; part < counts.length; part++) {
    items += counts[part]!
    squares += (counts[part]! * counts[part]!) / shares[part]!
  }
  if (items === 0) return 0
  const scatter = squares / items - items
  const wider = (items + hold) / (1 + hold)
  return (scatter * (1 - 1 / wider) - (counts.length - 1) * Math.log(wider)) / 2
}

/** The same as a probability, `logOdds` being how common own shapes are among sources. */
export function ownShape(counts: ArrayLike<number>, shares: Float64Array, hold: number, logOdds: number): number {
  return 1 / (1 + Math.exp(-ownEvidence(counts, shares, hold) - logOdds))
}

const ROUNDS = 30
/** As if two sources had one and two had none. */
const PRIOR_SOURCES = 2

/** How common own shapes are, from the evidence of many sources: the share under which all of it is likeliest. */
export function logOddsOf(evidence: readonly number[]): number {
  let logOdds = 0
  for (let round = 0; round < ROUNDS; round++) {
    let own = PRIOR_SOURCES
    for (const each of evidence) own += 1 / (1 + Math.exp(-each - logOdds))
    logOdds = Math.log(own / (evidence.length + 2 * PRIOR_SOURCES - own))
  }
  return logOdds
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
