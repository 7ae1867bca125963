import { type DurationMs, MINUTE_MS, WEEK_MS } from '../../../model/index.ts'
import { clamp, intervalStrategy } from '../interval-policy.ts'
import { type ItemTimes, meanGapMs, withinSpan } from '../item-times.ts'

export interface MinifluxMemory {
  readonly intervalMs: DurationMs
  /** Entries of the last 7 days. */
  readonly times: ItemTimes
}

const LEAST_MS = 5 * MINUTE_MS
const MOST_MS = 1_440 * MINUTE_MS

/**
 * Miniflux `entry_frequency`, factor 1: a week divided by the week's entries, where their number is
 * ⌈1 week ÷ mean gap between the entries of the last 7 days⌉. ttl, max-age and Expires bind every strategy alike and are
 * applied by the node, not here.
 */
export const miniflux = intervalStrategy<MinifluxMemory>({
  id: 'miniflux',
  start: () => ({ intervalMs: MOST_MS, times: [] }),
  observe(memory, observation) {
    const times = withinSpan(memory.times, observation, WEEK_MS)
    return { intervalMs: entryFrequencyMs(times), times }
  },
  usualMs: 4 * 60 * MINUTE_MS,
  because: 'a week divided by the entries of the last one',
})

function entryFrequencyMs(times: ItemTimes): DurationMs {
  const gapMs = meanGapMs(times)
  // Fewer than two entries (or all at one instant) give no count, which Miniflux reads as none.
  if (gapMs === null || gapMs === 0) return MOST_MS
  return clamp(WEEK_MS / Math.ceil(WEEK_MS / gapMs), LEAST_MS, MOST_MS)
}
