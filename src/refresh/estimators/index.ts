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
  /** One rate, exponentially smoothed (thesis 7.2.1). */
  'single-variable': () => ({ ...singleVariable(), packing: packedSingleVariable() }),
  /** A rate for each hour of the day (thesis 7.2.2). */
  periodic: () => ({ ...periodic(), packing: packedPeriodic() }),
  /** A rate for each hour of the week. */
  'periodic-168': () => periodic({ periodMs: WEEK_MS, slots: WEEK_MS / HOUR_MS, alpha: WEEKLY_ALPHA }),
  /** The first two side by side; the one that erred less is believed (thesis 7.2.3). */
  hybrid: () => ({ ...hybrid(), packing: packedHybrid() }),
  /** Likewise, by the errors of late. */
  'hybrid-recent': () => ({ ...hybrid({ id: 'hybrid-recent', choose: 'recent' }), packing: packedHybrid() }),
  /** The rate that makes the last observations most likely; a full window counts as W or more (thesis 7.4). */
  'maximum-likelihood': () => maximumLikelihoodEstimator(),
  /** The mean gap between the items of the last refresh (thesis 5.3.1). */
  'moving-average': () => movingAverage(),
  /** The observed rate, smoothed ever more slowly (thesis 5.3.2). */
  'single-exponential-smoothing': () => singleSmoothing(),
  /** Level and trend of the observed rate (thesis 5.3.2). */
  'double-exponential-smoothing': () => doubleSmoothing(),
  /** Rate and hours of the last days (SCC07 4.2, 4.3). */
  history: () => history(),
  /** The rate of the last days, and the hours of the cluster of sources that it is like (SCC07 4.3.1). */
  'posting-clusters': (shared?: SharedClusters) => postingClusters(shared),
  /** The curve of a steady source through what was seen, by least squares (thesis 5.3.3). */
  'curve-fitting': () => curveFitting(),
  /** A bound that the rate rarely passes, instead of the likeliest rate (thesis 5.3.3). */
  'conservative-bounds': () => conservativeBounds(),
  /** A rate with its certainty: conjugate Gamma, older observations counting less. */
  gamma: () => conjugateGamma(),
  /** Such a rate times a factor for the hour of the day and one for the day of the week. */
  'gamma-profile': () => ({ ...gammaProfile(), packing: packedGammaProfile() }),
  /** For sources that only show whether they changed. */
  'changed-or-not': () => changedOrNot(),
} as const satisfies Record<string, (shared?: SharedClusters) => AnyEstimator>

/** A name in `ESTIMATORS`. */
export type EstimatorId = keyof typeof ESTIMATORS

export type { Packing } from '../packing.ts'
export { fixedAlpha } from './alpha.ts'
export { history } from './history.ts'
export { type HybridOptions, type HybridState, hybrid } from './hybrid.ts'
export { type Clusters, kMeans } from './kmeans.ts'
export { known } from './known.ts'
export { packedHybrid, packedSingleVariable } from './packed.ts'
export { type PeriodicState, periodic } from './periodic.ts'
export { singleVariable } from './single-variable.ts'
