import { DAY_MS } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { constantIntensity } from '../intensity.ts'
import { decayGamma, type GammaOptions, type GammaState, meanRate, startGamma } from './gamma.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { observedInterval } from './interval.ts'

/**
 * For sources that only show whether they changed (web pages; feeds without ids): λ ~ Gamma(a, b) again. Unchanged over
 * an interval I is exposure. Changed multiplies the density by 1 − e^{−λI}, which leaves the family; the Gamma with the
 * same mean and variance replaces it.
 */
export function changedOrNot(options: GammaOptions = {}): IntensityEstimator<GammaState> {
  const halfLifeMs = options.halfLifeMs ?? 28 * DAY_MS
  return intensityEstimator<GammaState>({
    id: options.id ?? 'changed-or-not',
    start: (prior) => startGamma(prior.ratePerHour, options.priorShape ?? 0.5),
    observe(state, observation) {
      const interval = observedInterval(observation)
      if (interval === null) return state
      const decayed = decayGamma(state, interval.hours, halfLifeMs)
      const { priorShape, priorHours } = decayed
      // Field by field: every refresh comes here.
      if (interval.fetchedItems === 0) {
        return { v: 1, shape: decayed.shape, hours: decayed.hours + interval.hours, priorShape, priorHours }
      }
      const { shape, hours } = changedPosterior(decayed.shape, decayed.hours, interval.hours)
      return { v: 1, shape, hours, priorShape, priorHours }
    },
    intensity: (state) => constantIntensity(meanRate(state)),
  })
}

/**
 * E[λ | changed] = (a/b)·(1 − q^{a+1})/(1 − q^a), E[λ² | changed] = (a(a+1)/b²)·(1 − q^{a+2})/(1 − q^a), q = b/(b + I);
 * and the Gamma that has these two moments.
 */
export function changedPosterior(a: number, b: number, interval: number): { shape: number; hours: number } {
  const logQ = -Math.log1p(interval / b)
  const oneMinusPower = (power: number) => -Math.expm1(power * logQ)
  const mean = ((a / b) * oneMinusPower(a + 1)) / oneMinusPower(a)
  const square = ((a * (a + 1)) / (b * b)) * (oneMinusPower(a + 2) / oneMinusPower(a))
  const variance = square - mean * mean
  return variance > 0 ? { shape: (mean * mean) / variance, hours: mean / variance } : { shape: a + 1, hours: b }
}

/** Cho and Garcia-Molina's estimate from n checks at even intervals, x of which found a change. */
export function choGarciaMolinaRate(checks: number, changes: number, intervalHours: number): number {
  return -Math.log((checks - changes + 0.5) / (checks + 0.5)) / intervalHours
}
