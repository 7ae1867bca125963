import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS } from '../../../model/index.ts'
import { clamp, intervalStrategy } from '../interval-policy.ts'

interface Adaptive {
  readonly intervalMs: DurationMs
}

// Nutch ships 30 days as the first interval and StormCrawler one: from there a busy feed needs weeks to shrink it, while
// from an hour a quiet one stretches it in a day.
const FIRST_MS = HOUR_MS

/** Nutch's adaptive schedule: ×0.8 when changed, ×1.4 when not, 60 s to 365 days. */
export const nutch = intervalStrategy<Adaptive>({
  id: 'nutch',
  start: () => ({ intervalMs: FIRST_MS }),
  observe: (memory, observation) => ({
    intervalMs: clamp(memory.intervalMs * (observation.newItems > 0 ? 0.8 : 1.4), MINUTE_MS, 365 * DAY_MS),
  }),
  usualMs: 6 * HOUR_MS,
  because: 'shorter after a change, longer without one',
})

const LEAST_MS = 60 * MINUTE_MS

/** StormCrawler's adaptive schedule: halfway to the least interval when changed, ×1.5 when not, 60 minutes to 14 days. */
export const stormcrawler = intervalStrategy<Adaptive>({
  id: 'stormcrawler',
  start: () => ({ intervalMs: FIRST_MS }),
  observe: (memory, observation) => ({
    intervalMs: clamp(
      observation.newItems > 0 ? (memory.intervalMs + LEAST_MS) / 2 : memory.intervalMs * 1.5,
      LEAST_MS,
      14 * DAY_MS,
    ),
  }),
  usualMs: 6 * HOUR_MS,
  because: 'shorter after a change, longer without one',
})
