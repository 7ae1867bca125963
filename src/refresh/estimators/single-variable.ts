import { type DurationMs, HOUR_MS } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { constantIntensity } from '../intensity.ts'
import { ADJUSTED_ALPHA, type AlphaRule, type AlphaState, adjustAlpha, startAlpha, warmWeight } from './alpha.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { type ObservedInterval, observedInterval, saneRate } from './interval.ts'

export interface SingleVariableState {
  readonly v: 1
  readonly ratePerHour: number
  readonly alpha: AlphaState
}

/** Single variable publication model, thesis 7.2.1: one rate, exponentially smoothed (equation 7.2). */
export function singleVariable(
  options: { readonly id?: string; readonly alpha?: AlphaRule } = {},
): IntensityEstimator<SingleVariableState> {
  const rule = options.alpha ?? ADJUSTED_ALPHA
  const learn = singleLearning(rule)
  return intensityEstimator<SingleVariableState>({
    id: options.id ?? 'single-variable',
    start: (prior) => ({ v: 1, ratePerHour: saneRate(prior.ratePerHour), alpha: startAlpha(rule) }),
    observe(state, observation) {
      const interval = observedInterval(observation)
      return interval === null ? state : learn(state, interval)
    },
    intensity: (state) => constantIntensity(state.ratePerHour),
  })
}

/** Items that it expects within so long; for the hybrid model, without a value for the intensity in between. */
export function expectedAtRate({ ratePerHour }: SingleVariableState, durationMs: DurationMs): number {
  return ratePerHour > 0 && durationMs > 0 ? (ratePerHour * durationMs) / HOUR_MS : 0
}

/** The learning without the estimator around it, for the hybrid model. */
export function singleLearning(rule: AlphaRule = ADJUSTED_ALPHA) {
  return (state: SingleVariableState, { items, hours }: ObservedInterval): SingleVariableState => {
    const alpha = adjustAlpha(rule, state.alpha, items - state.ratePerHour * hours)
    const weight = Math.max(alpha.value, warmWeight(rule, state.alpha))
    // Equation 7.2.
    const rate = weight * (items / hours) + (1 - weight) * state.ratePerHour
    return { v: 1, ratePerHour: saneRate(rate), alpha }
  }
}
