import type { DurationMs, InstantMs } from '../../src/model/index.ts'

/**
 * D(t_i) = τ_j − t_i with the least τ_j ≥ t_i (SCC07, Definition 1), for every item; up to `end` where no retrieval
 * follows. Both lists ascending.
 */
export function retrievalDelays(
  published: ArrayLike<InstantMs>,
  retrievals: ArrayLike<InstantMs>,
  end: InstantMs,
): Float64Array {
  const delays = new Float64Array(published.length)
  let next = 0
  for (let index = 0; index < published.length; index++) {
    while (next < retrievals.length && (retrievals[next] ?? 0) < (published[index] ?? 0)) next++
    delays[index] = (next < retrievals.length ? (retrievals[next] ?? 0) : end) - (published[index] ?? 0)
  }
  return delays
}

/** D(O), Definition 1: the sum of a source's delays. */
export function totalDelay(delays: ArrayLike<DurationMs>): DurationMs {
  let sum = 0
  for (let index = 0; index < delays.length; index++) sum += delays[index] ?? 0
  return sum
}

/** D(A) = Σ w_i·D(O_i), Definition 2. */
export function totalWeightedDelay(
  sources: readonly { readonly weight: number; readonly delays: ArrayLike<DurationMs> }[],
): DurationMs {
  let sum = 0
  for (const { weight, delays } of sources) sum += weight * totalDelay(delays)
  return sum
}

export interface DelayStatistics {
  readonly items: number
  readonly total: DurationMs
  readonly mean: DurationMs
  readonly max: DurationMs
  /** Standard deviation, as in SCC07's Table 1. */
  readonly deviation: DurationMs
  readonly median: DurationMs
  readonly p95: DurationMs
  readonly p99: DurationMs
}

export function delayStatistics(delays: ArrayLike<DurationMs>): DelayStatistics {
  const sorted = Float64Array.from(delays).sort()
  const items = sorted.length
  const total = totalDelay(sorted)
  const mean = items > 0 ? total / items : 0
  let squares = 0
  for (const delay of sorted) squares += (delay - mean) ** 2
  return {
    items,
    total,
    mean,
    max: sorted.at(-1) ?? 0,
    deviation: items > 0 ? Math.sqrt(squares / items) : 0,
    median: percentileOfSorted(sorted, 0.5),
    p95: percentileOfSorted(sorted, 0.95),
    p99: percentileOfSorted(sorted, 0.99),
  }
}

/** The least value that at least this share of the values do not exceed (nearest rank); 0 where there are none. */
export function percentileOfSorted(sorted: ArrayLike<number>, share: number): number {
  const rank = Math.ceil(Math.min(1, Math.max(0, share)) * sorted.length)
  return sorted[Math.max(0, rank - 1)] ?? 0
}

/**
 * How much delay has gathered at a source by t and is still growing (Figure 2a of SCC07): the sum of t − t_i over items
 * published since the last retrieval.
 */
export function pendingDelay(published: ArrayLike<InstantMs>, lastRetrieval: InstantMs, t: InstantMs): DurationMs {
  let sum = 0
  for (let index = 0; index < published.length; index++) {
    if ((published[index] ?? 0) > lastRetrieval && (published[index] ?? 0) <= t) sum += t - (published[index] ?? 0)
  }
  return sum
}

/** Corollary 1: λ(τ_j − τ_{j−1})²/2, the delay that a constant rate gathers over an interval, in items × hours. */
export function expectedDelayItemHours(ratePerHour: number, intervalHours: number): number {
  return (ratePerHour * intervalHours * intervalHours) / 2
}

/**
 * Total expected delay per period of m even retrievals: λT²/(2m). SCC07 prints λT/(2m), which holds for λ counted per
 * period instead of per unit of time; the best allocation is the same.
 */
export function evenRetrievalsDelay(ratePerHour: number, periodHours: number, retrievals: number): number {
  return (ratePerHour * periodHours * periodHours) / (2 * retrievals)
}
