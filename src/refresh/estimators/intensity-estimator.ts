import type { Observation } from '../../model/index.ts'
import type { IntensityEstimator, Prior } from '../estimator.ts'
import { expectedItems, type Intensity, rateAt, reachesItems } from '../intensity.ts'

/** What is special to one estimator; the rest follows from the intensity it believes in. */
export interface LearningRule<State> {
  readonly id: string
  start(prior: Prior): State
  observe(state: State, observation: Observation): State
  intensity(state: State): Intensity
}

export function intensityEstimator<State>(learning: LearningRule<State>): IntensityEstimator<State> {
  return {
    ...learning,
    expected: (state, from, to) => expectedItems(learning.intensity(state), from, to),
    ratePerHour: (state, at) => rateAt(learning.intensity(state), at),
    reaches: (state, from, items) => reachesItems(learning.intensity(state), from, items),
  }
}
