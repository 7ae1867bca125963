import { HOUR_MS, WEEK_MS } from '../../model/index.ts'
import type { AnyEstimator } from '../estimator.ts'
import { ADJUSTED_ALPHA } from './alpha.ts'
import { changedOrNot } from './changed-or-not.ts'
import { conservativeBounds } from './conservative-bounds.ts'
import { curveFitting } from './curve-fitting.ts'
import { doubleSmoothing, singleSmoothing } from './exponential-smoothing.ts'
import { conjugateGamma } from './gamma.ts'
import { gammaProfile } from './gamma-profile.ts'
import { history } from './history.ts'
import { hybrid } from './hybrid.ts'
import { maximumLikelihoodEstimator } from './maximum-likelihood.ts'
import { movingAverage } from './moving-average.ts'
import { packedGammaProfile, packedHybrid, packedPeriodic, packedSingleVariable } from './packed.ts'
import { periodic } from './periodic.ts'
import { postingClusters, type SharedClusters } from './posting-clusters.ts'
import { singleVariable } from './single-variable.ts'

// A slot of a week is seen a seventh as often as one of a day, so α works in a range that much higher (bounded by ½).
const WEEKLY_ALPHA = { ...ADJUSTED_ALPHA, initial: 0.3, min: 0.07, max: 0.5 }

/**
 * Every estimator by its id, each with its usual options; with a packing where there is one. `shared`: what is learnt of all
 * sources together, for those that look at it.
 */
export const ESTIMATORS = {
  'single-variable': () => ({ ...singleVariable(), packing: packedSingleVariable() }),
  periodic: () => ({ ...periodic(), packing: packedPeriodic() }),
  'periodic-168': () => periodic({ periodMs: WEEK_MS, slots: WEEK_MS / HOUR_MS, alpha: WEEKLY_ALPHA }),
  hybrid: () => ({ ...hybrid(), packing: packedHybrid() }),
  'hybrid-recent': () => ({ ...hybrid({ id: 'hybrid-recent', choose: 'recent' }), packing: packedHybrid() }),
  'maximum-likelihood': () => maximumLikelihoodEstimator(),
  'moving-average': () => movingAverage(),
  'single-exponential-smoothing': () => singleSmoothing(),
  'double-exponential-smoothing': () => doubleSmoothing(),
  history: () => history(),
  'posting-clusters': (shared?: SharedClusters) => postingClusters(shared),
  'curve-fitting': () => curveFitting(),
  'conservative-bounds': () => conservativeBounds(),
  gamma: () => conjugateGamma(),
  'gamma-profile': () => ({ ...gammaProfile(), packing: packedGammaProfile() }),
  'changed-or-not': () => changedOrNot(),
} as const satisfies Record<string, (shared?: SharedClusters) => AnyEstimator>

export type EstimatorId = keyof typeof ESTIMATORS

export type { Packing } from '../packing.ts'
export { fixedAlpha } from './alpha.ts'
export { conjugateGamma } from './gamma.ts'
export { gammaProfile } from './gamma-profile.ts'
export { history } from './history.ts'
export { type HybridOptions, type HybridState, hybrid } from './hybrid.ts'
export { type Clusters, kMeans } from './kmeans.ts'
export { known } from './known.ts'
export { packedHybrid, packedSingleVariable } from './packed.ts'
export { type PeriodicState, periodic } from './periodic.ts'
export { singleVariable } from './single-variable.ts'
