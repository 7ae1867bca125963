import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS } from '../../../model/index.ts'
import { clamp, intervalStrategy } from '../interval-policy.ts'
import { type ItemTimes, lastItems, meanGapMs, medianGapMs } from '../item-times.ts'

export interface FeedIoMemory {
  readonly intervalMs: DurationMs
  readonly times: ItemTimes
}

// Items published at one instant have gaps of 0, and a feed that ended has none to come: polling needs both ends.
const LEAST_MS = MINUTE_MS
const MOST_MS = 365 * DAY_MS

/** feed-io: the smaller of mean and median gap between the items of the window, and a tenth more. */
export const feedIo = intervalStrategy<FeedIoMemory>({
  id: 'feed-io',
  start: () => ({ intervalMs: DAY_MS, times: [] }),
  observe(memory, observation, facts) {
    const times = lastItems(memory.times, observation, facts.windowSize)
    if (times === memory.times && times.length > 1) return memory
    const gapMs = Math.min(meanGapMs(times) ?? DAY_MS, medianGapMs(times) ?? DAY_MS)
    return { intervalMs: clamp(1.1 * gapMs, LEAST_MS, MOST_MS), times }
  },
  usualMs: 2 * HOUR_MS,
  because: 'a tenth more than the usual gap between items',
})
