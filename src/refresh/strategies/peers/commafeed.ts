import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS } from '../../../model/index.ts'
import { clamp, intervalStrategy } from '../interval-policy.ts'
import { type ItemTimes, lastItems, meanGapMs } from '../item-times.ts'

export interface CommafeedMemory {
  readonly intervalMs: DurationMs
  /** The entries a window shows. */
  readonly times: ItemTimes
}

/** CommaFeed: by the age of the last post in steps; for active feeds half the mean gap, 5 minutes to 1 hour. */
export const commafeed = intervalStrategy<CommafeedMemory>({
  id: 'commafeed',
  start: () => ({ intervalMs: HOUR_MS, times: [] }),
  observe(memory, observation, facts) {
    const times = lastItems(memory.times, observation, facts.windowSize)
    return { intervalMs: intervalOf(times, observation.at), times }
  },
  usualMs: 40 * MINUTE_MS,
  because: 'by the last post and the gaps between posts',
})

function intervalOf(times: ItemTimes, now: number): DurationMs {
  // No post at all counts as the oldest kind.
  const idleMs = times.length === 0 ? Number.POSITIVE_INFINITY : now - times[times.length - 1]!
  if (idleMs >= 30 * DAY_MS) return 4 * HOUR_MS
  if (idleMs >= 14 * DAY_MS) return 2 * HOUR_MS
  if (idleMs >= 7 * DAY_MS) return HOUR_MS
  return clamp((meanGapMs(times) ?? 2 * HOUR_MS) / 2, 5 * MINUTE_MS, HOUR_MS)
}
