import { RSS_2023, RSS_2024, type TraceSet } from '../../traces/trace-set.ts'

export interface LearningConfig {
  readonly sets: readonly TraceSet[]
  /** Three months, as SCC07 had; what the longest window needs is learnt before anything is measured. */
  readonly days: number
  readonly warmupDays: number
  /** "4 times per day per source on average" (footnote 5). */
  readonly perDay: number
  /** Estimation windows of the rate, days (Figure 8), and of the pattern, weeks (Figure 11). */
  readonly rateDays: readonly number[]
  readonly patternWeeks: readonly number[]
}

export const CONFIG: LearningConfig = {
  sets: [RSS_2023, RSS_2024],
  days: 90,
  warmupDays: 28,
  perDay: 4,
  rateDays: [1, 2, 4, 7, 14, 21, 28],
  patternWeeks: [1, 2, 3, 4],
}
