import { GITHUB_2025, REDDIT_2013, RSS_2023, RSS_2024, type TraceSet } from '../../traces/trace-set.ts'

export interface PatternConfig {
  readonly sets: readonly TraceSet[]
  /** "The first 2-week data are used to construct individual posting pattern of every feed" (4.3.1). */
  readonly days: number
  /** Fewer items say nothing about 24 hours: each such source would be a cluster of its own. */
  readonly leastItems: number
  readonly k: number
  readonly otherK: readonly number[]
}

export const CONFIG: PatternConfig = {
  sets: [RSS_2023, RSS_2024, REDDIT_2013, GITHUB_2025],
  days: 14,
  leastItems: 10,
  k: 12,
  otherK: [1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24],
}
