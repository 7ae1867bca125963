import { type DurationMs, MINUTE_MS, WEEK_MS } from '../../../model/index.ts'
import { clamp, intervalStrategy } from '../interval-policy.ts'
import { type ItemSpan, meanGapWithin, withinSpan } from '../item-span.ts'

/** With the entries of the last 7 days. */
export interface MinifluxMemory extends ItemSpan {
  readonly intervalMs: DurationMs
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
  start: () => ({ intervalMs: MOST_MS, times: [], earlier: [], dropped: 0 }),
  observe(memory, observation) {
    const span = withinSpan(memory, observation, WEEK_MS)
    const { times, earlier = [], dropped = 0 } = span
    return { intervalMs: entryFrequencyMs(span), times, earlier, dropped }
  },
  usualMs: 4 * 60 * MINUTE_MS,
  because: 'a week divided by the entries of the last one',
})

function entryFrequencyMs(span: ItemSpan): DurationMs {
  const gapMs = meanGapWithin(span)
  // Fewer than two entries (or all at one instant) give no count, which Miniflux reads as none.
  if (gapMs === null || gapMs === 0) return MOST_MS
  return clamp(WEEK_MS / Math.ceil(WEEK_MS / gapMs), LEAST_MS, MOST_MS)
}
