import type { IntensityEstimator } from '../estimator.ts'
import { constantIntensity } from '../intensity.ts'
import { ADJUSTED_ALPHA, type AlphaRule, type AlphaState, adjustAlpha, startAlpha, warmWeight } from './alpha.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { observedInterval, saneRate } from './interval.ts'

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
  return intensityEstimator<SingleVariableState>({
    id: options.id ?? 'single-variable',
    start: (prior) => ({ v: 1, ratePerHour: saneRate(prior.ratePerHour), alpha: startAlpha(rule) }),
    observe(state, observation) {
      const interval = observedInterval(observation)
      if (interval === null) return state
      const alpha = adjustAlpha(rule, state.alpha, interval.items - state.ratePerHour * interval.hours)
      const weight = Math.max(alpha.value, warmWeight(rule, state.alpha))
      // Equation 7.2.
      const rate = weight * (interval.items / interval.hours) + (1 - weight) * state.ratePerHour
      return { v: 1, ratePerHour: saneRate(rate), alpha }
    },
    intensity: (state) => constantIntensity(state.ratePerHour),
  })
}
