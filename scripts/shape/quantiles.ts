export interface Quantiles {
  readonly count: number
  readonly median: number
  readonly p95: number
  readonly most: number
}

/** By nearest rank: each is one of the values. Nothing measured gives zeros. */
export function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { count: sorted.length, median: at(0.5), p95: at(0.95), most: at(1) }
}
