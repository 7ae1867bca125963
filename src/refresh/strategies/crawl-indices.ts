import type { IntensityEstimator } from '../estimator.ts'
import type { PricedStrategy } from '../strategy.ts'
import { FRESHNESS } from './cgm03.ts'
import { indexStrategy } from './index-rule.ts'

/**
 * Kolobov et al. 2019, *LambdaCrawl*: the penalty of a stale page grows as the harmonic numbers of the changes missed,
 * so its index is I(a) = a − (1 − e^{−λa})/λ (refresh-science §1): unlike binary freshness it gives up no source.
 */
export function harmonicIndex(ratePerHour: number, ageHours: number): number {
  const x = ratePerHour * ageHours
  // λa → 0: the terms cancel; the series begins with λa²/2.
  if (x < 1e-4) return ageHours * x * (0.5 - x / 6)
  return ageHours + Math.expm1(-x) / ratePerHour
}

/** 1 − e^{−λa}. */
export function harmonicSlope(ratePerHour: number, ageHours: number): number {
  return -Math.expm1(-ratePerHour * ageHours)
}

export function lambdacrawl<State>(estimator: IntensityEstimator<State>): PricedStrategy<State> {
  return indexStrategy(
    estimator,
    'lambdacrawl',
    { at: harmonicIndex, slopeAt: harmonicSlope, power: 1 },
    'then enough changes may have been missed',
  )
}

/**
 * Azar, Horvitz, Lubetzky, Peres & Shahaf 2018: binary freshness as a threshold on one index per page,
 * P(Pois(λa) ≥ 2)/λ; pages that change faster than the price allows are never refreshed.
 */
export function azar<State>(estimator: IntensityEstimator<State>): PricedStrategy<State> {
  return indexStrategy(estimator, 'azar', FRESHNESS, 'then its page is stale with enough certainty')
}
