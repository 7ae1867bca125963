import { type DurationMs, type InstantMs, MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import type { Pace } from './host-limits.ts'

/** How much slower than usual a host wants requests. */
export interface HostBackoff {
  /** On the spacing; more than 1. */
  readonly factor: number
  readonly changedAt: InstantMs
}

/** After six complaints in a row: a request a minute where one a second is usual. */
const MOST = 64
/** Answers that were under way when the first complaint came say nothing new. */
const SAME_COMPLAINT_MS = 10 * SECOND_MS
/** As long as a host has answered without complaint, half of the backoff is gone. */
const HALF_LIFE_MS = 30 * MINUTE_MS
/** So little is forgotten. */
const NEGLIGIBLE = 1.1
/** A host that complains is spaced at least like this, whatever the node's setting. */
const LEAST_SPACING_MS = SECOND_MS

/** The host said 429 or 503: twice as slow. */
export function increaseBackoff(before: HostBackoff | null, now: InstantMs): HostBackoff {
  if (before === null) return { factor: 2, changedAt: now }
  if (now >= before.changedAt && now - before.changedAt < SAME_COMPLAINT_MS) return before
  return { factor: Math.min(MOST, eased(before, now) * 2), changedAt: now }
}

/** The host answered: a little faster again, the more the longer it was quiet. null: as usual. */
export function relaxBackoff(before: HostBackoff, now: InstantMs): HostBackoff | null {
  const factor = eased(before, now)
  return factor < NEGLIGIBLE ? null : { factor, changedAt: now }
}

/** Back-off factor from which requests keep their distance and go one at a time. */
export function strainedPace({ factor }: HostBackoff, usual: Pace): Pace {
  const spacingMs = Math.max(usual.spacingMs, LEAST_SPACING_MS) * factor
  return { spacingMs, concurrency: factor >= 2 ? 1 : usual.concurrency }
}

function eased({ factor, changedAt }: HostBackoff, now: InstantMs): number {
  const quietMs: DurationMs = Math.max(0, now - changedAt)
  return 1 + (factor - 1) * 2 ** (-quietMs / HALF_LIFE_MS)
}
