import { type DurationMs, SECOND_MS } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { HostLimits } from './host-limits.ts'

/** Longer than this a redirect does not hold a worker: its source is rather tried again later. */
const HOP_PATIENCE_MS = 10 * SECOND_MS

/**
 * Waits for a turn at the host that a redirect leads to. Resolves with whether there is one to leave again (false: the
 * signal aborted); throws FETCH_HOST_BUSY where it would take too long, as with a host that rests.
 */
export async function waitForHop(
  limits: Pick<HostLimits, 'admit'>,
  clock: Clock,
  host: string,
  signal: AbortSignal,
  patienceMs: DurationMs = HOP_PATIENCE_MS,
): Promise<boolean> {
  const latestMs = clock.monotonicMs() + patienceMs
  while (!signal.aborted) {
    const now = clock.now()
    const admission = limits.admit(host, now, 'hop')
    if (admission.go) return true
    const waitMs = admission.retryAt - now
    if (clock.monotonicMs() + waitMs > latestMs) throw new HeadwaterError('FETCH_HOST_BUSY', host)
    await clock.sleep(waitMs, signal)
  }
  return false
}
