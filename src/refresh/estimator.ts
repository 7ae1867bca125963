import type { InstantMs, Observation, SourceId } from '../model/index.ts'
import type { Intensity } from './intensity.ts'
import type { Packing } from './packing.ts'

/** What is believed of a source before its first refresh. */
export interface Prior {
  readonly ratePerHour: number
  /** When learning starts. */
  readonly at: InstantMs
  /** For models that were learnt beforehand, source by source; the others do not look at it. */
  readonly sourceId?: SourceId
}

/**
 * A publication model learnt online (thesis 7.2). One file each in estimators/, one contract suite for all of them.
 * State is a small plain value with a version, so that it can be stored, compared and rebuilt; estimators themselves
 * hold nothing.
 */
export interface Estimator<State> {
  readonly id: string
  /** What is believed before anything was seen. */
  start(prior: Prior): State
  /** What is believed after a refresh; the state given stays as it is. */
  observe(state: State, observation: Observation): State
  /** Expected number of items in [from, to): the estimated stream divergence. ≥ 0, finite, additive over intervals. */
  expected(state: State, from: InstantMs, to: InstantMs): number
  /** Items per hour at this moment. */
  ratePerHour(state: State, at: InstantMs): number
  /** First moment t ≥ from with expected(from, t) ≥ items; Infinity if never. With items = W, the saturation time. */
  reaches(state: State, from: InstantMs, items: number): InstantMs
}

/**
 * An estimator whose belief is a rate per slot of a period; all of ours are. Strategies that need more than expected
 * counts (utility and its inverse, look-ahead tables) take the intensity and use intensity.ts.
 */
export interface IntensityEstimator<State> extends Estimator<State> {
  /** The belief as a rate per slot of a period. */
  intensity(state: State): Intensity
  /** Where states have a fixed size: how they lie in typed arrays and in the store. */
  readonly packing?: Packing<State>
  /** Names the form of its state, so that one of another form is learnt again; absent: the first. */
  readonly stateForm?: string
  /** What is special to its state, for people: which model of a hybrid decides, α … */
  describe?(state: State): Readonly<Record<string, number | string>>
}

/** An estimator whose state the caller does not look into; every state is JSON and carries its version as `v`. */
export type AnyEstimator = IntensityEstimator<unknown>
