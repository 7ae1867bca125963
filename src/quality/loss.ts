import type { DurationMs, InstantMs, LossEstimate } from '../model/index.ts'

/** What is known when a window shows nothing that was known before. */
export interface WindowFacts {
  /** The refresh before, after which items went missing. */
  readonly previousAt: InstantMs
  readonly at: InstantMs
  /** New items that were seen, older pages included. */
  readonly newItems: number
  /** Their times of publication, ascending; fewer than all of them: no dates to go by. */
  readonly times: readonly InstantMs[]
  /** Items an hour that the source usually publishes; null: unknown. */
  readonly usualPerHour: number | null
}

/** Nine times out of ten the truth lies between. */
const Z_90 = 1.645
/** Spacings that look perfectly even are ten or twenty numbers: the next ones need not be. */
const LEAST_IRREGULARITY = 0.1
const HOUR_MS = 3_600_000

/**
 * How many items fell out of the window unseen (thesis 2.1.2), from the pace of those that are left.
 *
 * Between the refresh before and the oldest item seen lies a gap G; the n items seen span D. If spacings have mean m and
 * squared coefficient of variation c (0: a clock, 1: Poisson), then
 * - D ≈ (n − 1)·m, and 1/m is estimated without bias by ((n − 1) − c)/D, as E[1/X] of a gamma variable says;
 * - G holds the lost items and the wait for the first of them, (1 + c)/2 spacings on average (renewal theory: the wait
 *   from a moment that nobody chose), whence lost = G/m − (1 + c)/2.
 * For Poisson that is (n − 2)·G/D − 1, whose mean over all samples is the truth; for a clock it is right within one.
 */
export function estimateLoss(facts: WindowFacts): LossEstimate | null {
  const { times, newItems: seen, previousAt } = facts
  const oldest = times[0]
  const newest = times.at(-1)
  if (times.length < 3 || times.length !== seen || oldest === undefined || newest === undefined) {
    return byUsualRate(facts)
  }
  const spanMs = newest - oldest
  if (oldest < previousAt || spanMs <= 0) return byUsualRate(facts)
  const spacings = times.length - 1
  const irregularity = squaredVariation(times, spanMs / spacings)
  const perMs = Math.max(1, spacings - irregularity) / spanMs
  const items = Math.max(0, perMs * (oldest - previousAt) - (1 + irregularity) / 2)
  // Irregularity is measured on the same few spacings; a quarter wider at ten holds the truth as often as promised.
  const spread = Math.max(irregularity, LEAST_IRREGULARITY) * (1 + 2.5 / spacings)
  // Chance in the gap itself, and in the pace, which was measured on so many spacings only.
  return withRange(items, spread * (items + 1 + (items + 1) ** 2 / spacings), 'dates')
}

/**
 * No dates: what the source would usually have published since, less what was seen. A source that loses items is busier
 * than usual, so the upper end is wide.
 */
function byUsualRate({ previousAt, at, newItems: seen, usualPerHour }: WindowFacts): LossEstimate | null {
  if (usualPerHour === null) return null
  const expected = (usualPerHour * Math.max(0, at - previousAt)) / HOUR_MS
  const items = Math.max(0, expected - seen)
  return withRange(items, Math.max(expected, seen) + (Math.max(expected, seen) / 2) ** 2, 'rate')
}

/** Sample variance over squared mean of the spacings; what no estimate could bear is cut off. */
function squaredVariation(times: readonly InstantMs[], mean: DurationMs): number {
  const spacings = times.length - 1
  let squares = 0
  let before: InstantMs | null = null
  for (const time of times) {
    if (before !== null) squares += (time - before - mean) ** 2
    before = time
  }
  return Math.min(squares / (spacings - 1) / mean ** 2, spacings / 2)
}

/** The range of a gamma distribution with this mean and variance (Wilson and Hilferty's cube root). */
function withRange(items: number, variance: number, basis: LossEstimate['basis']): LossEstimate {
  const mean = items + 1
  const ninth = variance / (9 * mean ** 2)
  const quantile = (z: number) => mean * Math.max(0, 1 - ninth + z * Math.sqrt(ninth)) ** 3 - 1
  return {
    items: Math.round(items),
    atLeast: Math.max(0, Math.floor(quantile(-Z_90))),
    // The wide end of nearly nothing out of very much comes out below nothing.
    atMost: Math.max(Math.round(items), Math.ceil(quantile(Z_90))),
    basis,
  }
}
