import type { RobustnessConfig } from './measure.ts'

/** 7.3.2, Figures 7.6 and 7.7. */
export const CONFIG: RobustnessConfig & {
  readonly alphas: readonly number[]
  readonly refreshHours: readonly number[]
} = {
  phases: ['uniform', 'peaks', 'waves'],
  weeksPerPhase: 16,
  // "At least 10 items per day" (7.3.1): a productive feed.
  itemsPerDay: 50,
  refreshHours: [1, 24],
  // "Usually using values in the [0.01 – 0.2] interval", the best one in each case.
  alphas: [0.01, 0.02, 0.05, 0.1, 0.2],
}
