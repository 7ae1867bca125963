import { GITHUB_2025, RSS_2023, RSS_2024, type TraceSet } from '../../traces/trace-set.ts'

/** 7.3.1 with recorded feeds: three times ten sources of at least 10 items a day. */
export const CONFIG = {
  traces: [RSS_2023, RSS_2024, GITHUB_2025] as readonly TraceSet[],
  sources: 10,
  leastPerDay: 10,
  /** Four weeks to learn and four to measure, as the drawn sources of Figure 7.8 have. */
  warmupDays: 28,
  measuredDays: 28,
  refreshHours: [0.5, 1, 2, 4, 8, 12, 24] as readonly number[],
  alphas: [0.01, 0.02, 0.05, 0.1, 0.2] as readonly number[],
  /** Figures 7.6 and 7.7: one source after the other. */
  weeksPerPhase: 16,
  phases: ['uniform', 'peaks', 'waves'] as const,
  windowSize: 20,
  /** Refreshes per cycle over ten sources, from too few to plenty. */
  budgets: [0.1, 0.35, 1, 3] as readonly number[],
}
