import type { IntensityEstimator } from '../estimator.ts'
import { constantIntensity } from '../intensity.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { saneRate } from './interval.ts'
import { type LikelihoodEstimate, maximumLikelihood } from './likelihood.ts'
import { type FlatProfile, profileEntries, watchedHours, withObservation } from './profile.ts'

export interface MaximumLikelihoodState {
  readonly v: 1
  readonly profile: FlatProfile
  readonly ratePerHour: number
  /** Whether the rate is a maximum, or only a bound because every window overflowed. */
  readonly kind: LikelihoodEstimate['kind']
}

/**
 * Statistical estimation model, thesis 7.4: the constant rate that makes the last n observations most likely, where a
 * full window counts as "W or more". The prior holds until the first observation.
 */
export function maximumLikelihoodEstimator(
  options: { readonly id?: string; readonly profileSize?: number } = {},
): IntensityEstimator<MaximumLikelihoodState> {
  return intensityEstimator<MaximumLikelihoodState>({
    id: options.id ?? 'maximum-likelihood',
    start: (prior) => ({ v: 1, profile: [], ratePerHour: saneRate(prior.ratePerHour), kind: 'nothing' }),
    observe(state, observation) {
      const profile = withObservation(state.profile, observation, options.profileSize ?? 100)
      if (profile === null) return state
      const estimate = maximumLikelihood(profileEntries(profile))
      return { v: 1, profile, ratePerHour: orQuiet(estimate.ratePerHour, profile), kind: estimate.kind }
    },
    intensity: (state) => constantIntensity(state.ratePerHour),
  })
}

/** A count of none is no proof of a dead source: half an item over the hours watched is believed instead. */
export function orQuiet(ratePerHour: number, profile: FlatProfile): number {
  return ratePerHour > 0 ? saneRate(ratePerHour) : 0.5 / watchedHours(profile)
}
