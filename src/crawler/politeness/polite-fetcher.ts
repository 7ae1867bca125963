import { type DurationMs, SECOND_MS } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Fetcher, FetchOutcome } from '../fetch/fetcher.ts'
import { hostKey } from '../fetch/host-key.ts'
import { waitForHop } from './hop.ts'
import { HostSlot } from './host-slot.ts'
import type { Politeness } from './politeness.ts'

/** A person waits for the answer: not longer than this for a turn. */
const PATIENCE_MS: DurationMs = 30 * SECOND_MS
const NEVER = new AbortController().signal

/**
 * For requests that no schedule makes, as looking for the feeds of a site: each waits for its turn at the host, as the
 * crawler's do, and the answers teach the same limits.
 */
export function politely(fetcher: Fetcher, limits: Politeness, clock: Clock, patienceMs = PATIENCE_MS): Fetcher {
  return {
    close: () => fetcher.close(),
    async fetch(request) {
      const host = hostKey(request.url)
      try {
        const isIn = await waitForHop(limits, clock, host, request.signal ?? NEVER, patienceMs)
        if (!isIn) return fetcher.fetch(request)
      } catch (error) {
        return refused(host, error)
      }
      request.onAdmitted?.()
      const slot = new HostSlot(limits, clock, host)
      try {
        const fetched = await fetcher.fetch({
          ...request,
          async enterHop(url, signal) {
            await request.enterHop?.(url, signal)
            return slot.moveTo(hostKey(url), signal)
          },
        })
        if (fetched.kind === 'failed') limits.recordAnswer(fetched.host, fetched, clock.now())
        else limits.recordAnswer(hostKey(fetched.finalUrl), { status: fetched.status, retryAt: null }, clock.now())
        return fetched
      } finally {
        slot.leave()
      }
    },
  }
}

function refused(host: string, error: unknown): FetchOutcome {
  if (!(error instanceof HeadwaterError)) throw error
  const { code, message } = error
  return { kind: 'failed', code, message, status: null, retryAt: null, host, bytes: 0, latencyMs: 0 }
}
