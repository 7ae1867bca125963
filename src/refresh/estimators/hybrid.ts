import type { IntensityEstimator } from '../estimator.ts'
import { constantIntensity } from '../intensity.ts'
import { meanOfLast } from './alpha.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { observedInterval } from './interval.ts'
import { type PeriodicOptions, type PeriodicState, periodicModel } from './periodic.ts'
import { expectedAtRate, type SingleVariableState, singleLearning, singleVariable } from './single-variable.ts'

export interface HybridState {
  readonly v: 1
  readonly single: SingleVariableState
  readonly periodic: PeriodicState
  /** The model that decides until the next refresh. */
  readonly using: 'single' | 'periodic'
}

export interface HybridOptions extends PeriodicOptions {
  /**
   * `last`: the model with the smaller error at the last refresh decides, as in 7.2.3. `recent`: the one with the smaller
   * mean over the errors that the α adjustment keeps; one error is mostly noise. Needs an adjusting α.
   */
  readonly choose?: 'last' | 'recent'
}

/** Hybrid publication model, thesis 7.2.3: both models learn, the one that erred less is believed. */
export function hybrid(options: HybridOptions = {}): IntensityEstimator<HybridState> {
  const single = singleVariable(options.alpha ? { alpha: options.alpha } : {})
  const learnSingle = singleLearning(options.alpha)
  const model = periodicModel(options)
  const byHistory = options.choose === 'recent'
  const estimator = intensityEstimator<HybridState>({
    id: options.id ?? 'hybrid',
    start: (prior) => ({
      v: 1,
      single: single.start(prior),
      periodic: model.start(prior.ratePerHour),
      using: 'single',
    }),
    observe(state, observation) {
      const interval = observedInterval(observation)
      if (interval === null) return state
      const { from, to, items } = interval
      const singleError = Math.abs(items - expectedAtRate(state.single, to - from))
      const expected = model.expected(state.periodic, interval)
      const periodicError = Math.abs(items - expected)
      const nextSingle = learnSingle(state.single, interval)
      const nextPeriodic = model.learn(state.periodic, interval, expected)
      const difference = byHistory
        ? meanOf(nextSingle.alpha.errors) - meanOf(nextPeriodic.alpha.errors)
        : singleError - periodicError
      return { v: 1, single: nextSingle, periodic: nextPeriodic, using: better(difference, state.using) }
    },
    intensity: (state) =>
      state.using === 'single' ? constantIntensity(state.single.ratePerHour) : model.intensity(state.periodic),
  })
  return {
    ...estimator,
    describe: (state) => ({
      using: state.using,
      alpha: state.using === 'single' ? state.single.alpha.value : state.periodic.alpha.value,
    }),
  }
}

/** A tie (both said zero and zero came) changes nothing. */
function better(singleMinusPeriodic: number, now: HybridState['using']): HybridState['using'] {
  if (singleMinusPeriodic === 0) return now
  return singleMinusPeriodic < 0 ? 'single' : 'periodic'
}

function meanOf(values: readonly number[]): number {
  return meanOfLast(values, values.length)
}
