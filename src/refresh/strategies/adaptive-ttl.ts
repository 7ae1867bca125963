import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS } from '../../model/index.ts'
import { clamp, intervalStrategy, timesOf } from './interval-policy.ts'

export interface AdaptiveTtlMemory {
  readonly intervalMs: DurationMs
  readonly lastItemAt: number | null
}

/**
 * Adaptive TTL: a document that has not changed for long will not change soon. The interval is a tenth of the time since
 * the last item, the share that RFC 9111 §4.2.2 names for heuristic freshness, at most a day.
 */
export const adaptiveTtl = intervalStrategy<AdaptiveTtlMemory>({
  id: 'adaptive-ttl',
  start: () => ({ intervalMs: HOUR_MS, lastItemAt: null }),
  observe(memory, observation, facts) {
    const lastItemAt = timesOf(observation).at(-1) ?? memory.lastItemAt
    const ageMs = observation.at - (lastItemAt ?? facts.addedAt)
    return { intervalMs: clamp(ageMs / 10, MINUTE_MS, DAY_MS), lastItemAt }
  },
  usualMs: HOUR_MS,
  because: 'a tenth of the time since its last item',
})
