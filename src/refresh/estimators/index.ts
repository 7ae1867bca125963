import { HOUR_MS, WEEK_MS } from '../../model/index.ts'
import type { AnyEstimator } from '../estimator.ts'
import { ADJUSTED_ALPHA } from './alpha.ts'
import { hybrid } from './hybrid.ts'
import { periodic } from './periodic.ts'
import { singleVariable } from './single-variable.ts'

// A slot of a week is seen a seventh as often as one of a day, so α works in a range that much higher (bounded by ½).
const WEEKLY_ALPHA = { ...ADJUSTED_ALPHA, initial: 0.3, min: 0.07, max: 0.5 }

/** Every estimator by its id, each with its usual options. */
export const ESTIMATORS = {
  'single-variable': () => singleVariable(),
  periodic: () => periodic(),
  'periodic-168': () => periodic({ periodMs: WEEK_MS, slots: WEEK_MS / HOUR_MS, alpha: WEEKLY_ALPHA }),
  hybrid: () => hybrid(),
} as const satisfies Record<string, () => AnyEstimator>

export type EstimatorId = keyof typeof ESTIMATORS

export { ADJUSTED_ALPHA, type AlphaRule, fixedAlpha } from './alpha.ts'
export { type HybridOptions, type HybridState, hybrid } from './hybrid.ts'
export { known } from './known.ts'
export { type Packing, packedHybrid, packedPeriodic, packedSingleVariable } from './packed.ts'
export { type PeriodicOptions, type PeriodicState, periodic } from './periodic.ts'
export { type SingleVariableState, singleVariable } from './single-variable.ts'
