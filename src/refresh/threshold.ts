/** Parameters of the threshold adjustment; the values are those of thesis 4.4.1. */
export interface ThresholdRule {
  /** Below this share of the budget τ falls; p in (0, 1]. */
  readonly share: number
  /** θ in (0, 1): how eagerly more sources are let in. */
  readonly decrease: number
  /** Θ > 1: how quickly refreshing slows down. */
  readonly increase: number
}

export const THESIS_THRESHOLD: ThresholdRule = { share: 0.9, decrease: 0.95, increase: 1.05 }

// τ is multiplied only: without limits a long silence would take it to 0, from where it never returns.
const LEAST = 1e-12
const MOST = 1e15

/** Refresh threshold τ adjustment, thesis Algorithm 4.2. */
export function adjustThreshold(
  threshold: number,
  refreshed: number,
  budget: number,
  rule: ThresholdRule = THESIS_THRESHOLD,
): number {
  if (refreshed > budget) return Math.min(MOST, threshold * rule.increase)
  if (refreshed < rule.share * budget) return Math.max(LEAST, threshold * rule.decrease)
  return threshold
}
