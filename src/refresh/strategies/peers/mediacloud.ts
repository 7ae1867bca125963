import { type DurationMs, HOUR_MS, MINUTE_MS } from '../../../model/index.ts'
import { clamp, intervalStrategy } from '../interval-policy.ts'

export interface MediacloudMemory {
  readonly intervalMs: DurationMs
  readonly successes: number
}

const LEAST_MS = 10 * MINUTE_MS
const MOST_MS = 24 * HOUR_MS

/**
 * Media Cloud's rss-fetcher: 6 hours at first; after two successes 10 minutes longer where at least 67 % of the window
 * was known, 60 minutes shorter where less than 33 % was. The only peer that looks at overlap.
 */
export const mediacloud = intervalStrategy<MediacloudMemory>({
  id: 'mediacloud',
  start: () => ({ intervalMs: 6 * HOUR_MS, successes: 0 }),
  observe(memory, observation) {
    const successes = Math.min(2, memory.successes + 1)
    if (successes < 2) return { ...memory, successes }
    // Not modified: everything in it was known.
    const size = observation.windowSize ?? 0
    const overlap = size > 0 ? 1 - Math.min(1, observation.newItems / size) : 1
    const stepMs = overlap >= 0.67 ? 10 * MINUTE_MS : overlap < 0.33 ? -60 * MINUTE_MS : 0
    return { intervalMs: clamp(memory.intervalMs + stepMs, LEAST_MS, MOST_MS), successes }
  },
  usualMs: 6 * HOUR_MS,
  because: 'longer where most of the window is known, shorter where most is new',
})
