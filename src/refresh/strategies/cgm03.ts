import type { IntensityEstimator } from '../estimator.ts'
import type { PricedStrategy } from '../strategy.ts'
import { type Index, indexStrategy } from './index-rule.ts'

/**
 * Cho & Garcia-Molina 2003: optimal refresh for the age and for the binary freshness of a page that changes as a
 * homogeneous Poisson process, as priced rules: refresh when the index I(a) reaches μc (refresh-science §1).
 */

/** I(a) = a²/2 + a·e^{−λa}/λ − (1 − e^{−λa})/λ²: what the mean age gains by refreshing at a. */
export function ageIndex(ratePerHour: number, ageHours: number): number {
  const x = ratePerHour * ageHours
  // λ → 0: the terms cancel; the series begins with λa³/3.
  if (x < 1e-3) return ratePerHour * ageHours ** 3 * (1 / 3 - x / 8)
  return ageHours ** 2 / 2 + (ageHours * Math.exp(-x)) / ratePerHour + Math.expm1(-x) / ratePerHour ** 2
}

/** I(a) = P(Pois(λa) ≥ 2)/λ: bounded by 1/λ, so that sources that change too fast are given up. */
export function freshnessIndex(ratePerHour: number, ageHours: number): number {
  const x = ratePerHour * ageHours
  if (x < 1e-4) return (x * x * (0.5 - x / 3)) / ratePerHour
  return (-Math.expm1(-x) - x * Math.exp(-x)) / ratePerHour
}

/** a·(1 − e^{−λa}). */
export function ageSlope(ratePerHour: number, ageHours: number): number {
  return -ageHours * Math.expm1(-ratePerHour * ageHours)
}

/** a·λ·e^{−λa}. */
export function freshnessSlope(ratePerHour: number, ageHours: number): number {
  const x = ratePerHour * ageHours
  return x * Math.exp(-x)
}

export const FRESHNESS: Index = { at: freshnessIndex, slopeAt: freshnessSlope, power: 1 }

export function cgm03Age<State>(estimator: IntensityEstimator<State>): PricedStrategy<State> {
  return indexStrategy(
    estimator,
    'cgm03-age',
    { at: ageIndex, slopeAt: ageSlope, power: 2 },
    'then its page has aged enough',
  )
}

export function cgm03Freshness<State>(estimator: IntensityEstimator<State>): PricedStrategy<State> {
  return indexStrategy(estimator, 'cgm03-freshness', FRESHNESS, 'then its page is stale with enough certainty')
}
