import type { IntensityEstimator } from '../estimator.ts'
import { constantIntensity } from '../intensity.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { observedInterval, saneRate } from './interval.ts'

export interface SingleSmoothingState {
  readonly v: 1
  readonly ratePerHour: number
  readonly observations: number
}

export interface SingleSmoothingOptions {
  readonly id?: string
  /** Learning parameter at the first observation, and what it sinks to. */
  readonly from?: number
  readonly to?: number
  /** Observations over which it falls to 1/e of the way. */
  readonly decay?: number
}

/**
 * Single exponential smoothing with a learning parameter that decreases exponentially in time (thesis 5.3.2, [RCYT08]);
 * their experimentally fixed parameters are not given: from ½, where two observations settle it, to the middle of the
 * interval [0.01, 0.2] of 7.3.1.
 */
export function singleSmoothing(options: SingleSmoothingOptions = {}): IntensityEstimator<SingleSmoothingState> {
  const { from = 0.5, to = 0.05, decay = 20 } = options
  return intensityEstimator<SingleSmoothingState>({
    id: options.id ?? 'single-exponential-smoothing',
    start: (prior) => ({ v: 1, ratePerHour: saneRate(prior.ratePerHour), observations: 0 }),
    observe(state, observation) {
      const interval = observedInterval(observation)
      if (interval === null) return state
      const alpha = to + (from - to) * Math.exp(-state.observations / decay)
      const rate = alpha * (interval.items / interval.hours) + (1 - alpha) * state.ratePerHour
      // Beyond 50 decays nothing changes any more; the count need not grow for ever.
      return { v: 1, ratePerHour: saneRate(rate), observations: Math.min(state.observations + 1, 50 * decay) }
    },
    intensity: (state) => constantIntensity(state.ratePerHour),
  })
}

export interface DoubleSmoothingState {
  readonly v: 1
  readonly level: number
  /** Change of the level per observation, items per hour. */
  readonly trend: number
}

export interface DoubleSmoothingOptions {
  readonly id?: string
  readonly alpha?: number
  readonly beta?: number
}

/**
 * Double exponential smoothing (thesis 5.3.2, [ZTB+07]; Holt's form): level and trend of the observed rate; the forecast
 * is one step ahead and holds until the next refresh, so that an old trend cannot run away over a long silence.
 */
export function doubleSmoothing(options: DoubleSmoothingOptions = {}): IntensityEstimator<DoubleSmoothingState> {
  const { alpha = 0.15, beta = 0.05 } = options
  return intensityEstimator<DoubleSmoothingState>({
    id: options.id ?? 'double-exponential-smoothing',
    start: (prior) => ({ v: 1, level: saneRate(prior.ratePerHour), trend: 0 }),
    observe(state, observation) {
      const interval = observedInterval(observation)
      if (interval === null) return state
      const level = saneRate((alpha * interval.items) / interval.hours + (1 - alpha) * forecast(state))
      const trend = beta * (level - state.level) + (1 - beta) * state.trend
      // A trend below −level forecasts less than nothing, and would keep doing so after the source woke up.
      return { v: 1, level, trend: Math.max(-level, trend) + 0 }
    },
    intensity: (state) => constantIntensity(forecast(state)),
  })
}

function forecast(state: DoubleSmoothingState): number {
  return saneRate(state.level + state.trend)
}
