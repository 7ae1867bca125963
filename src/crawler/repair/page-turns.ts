import { type DurationMs, MINUTE_MS, type SourceId } from '../../model/index.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { FetchOutcome } from '../fetch/fetcher.ts'
import { hostKey } from '../fetch/host-key.ts'
import type { HostSlot } from '../politeness/host-slot.ts'
import type { PageTurns } from './read-older-pages.ts'

/** Longer than this a repair does not wait for the budget: what is still missing is then counted as lost. */
const PATIENCE_MS: DurationMs = MINUTE_MS

const NEVER = new AbortController().signal

interface PageTurnsDeps {
  readonly slot: HostSlot
  readonly clock: Clock
  readonly scheduler: Pick<LiveScheduler, 'reserve' | 'delay'>
}

/** Older pages take their turns at the host like redirects, and are paid from the budget like refreshes. */
export function pageTurns(
  id: SourceId,
  { slot, clock, scheduler }: PageTurnsDeps,
  onAnswer: (fetched: FetchOutcome) => void,
): PageTurns {
  return {
    async enter(url, signal = NEVER) {
      const now = clock.now()
      const paidAt = scheduler.reserve(id, now, now + PATIENCE_MS)
      if (paidAt === null) return false
      if (paidAt > now) await clock.sleep(paidAt - now, signal)
      try {
        await slot.moveTo(hostKey(url), signal)
        scheduler.delay(id, paidAt, clock.now())
        return !signal.aborted
      } catch (error) {
        if (error instanceof HeadwaterError && error.code === 'FETCH_HOST_BUSY') return false
        throw error
      }
    },
    recordAnswer: onAnswer,
  }
}
