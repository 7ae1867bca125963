import type { IntensityEstimator } from '../estimator.ts'
import type { Intensity } from '../intensity.ts'
import { intensityEstimator } from './intensity-estimator.ts'

export interface KnownState {
  readonly v: 1
}

/** A publication model given beforehand and never updated: the offline case of thesis 7.1.1. */
export function known(intensity: Intensity): IntensityEstimator<KnownState> {
  const state: KnownState = { v: 1 }
  return intensityEstimator<KnownState>({
    id: 'known',
    start: () => state,
    observe: (before) => before,
    intensity: () => intensity,
  })
}
