import { type DurationMs, SECOND_MS, type SourceId } from '../../model/index.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import type { Clock } from '../../runtime/clock.ts'

/** Who pays for what no refresh asks for. */
export type Purse = Pick<LiveScheduler, 'reserve' | 'delay'>

/** A request that may go out now. */
export interface PaidRequest {
  /** It does so now, and no sooner: then its hour begins. */
  goesOut(): void
}

export interface PayingDeps {
  readonly scheduler: Purse
  readonly clock: Pick<Clock, 'now' | 'sleep'>
}

export interface PayingTerms {
  readonly sourceId: SourceId
  /** So long it may wait once it is paid for; less than an hour, or what goes out late in between could make an hour too full. */
  readonly patienceMs: DurationMs
  /** So long it is asked anew where the budget said no: what several crawlers share is granted while one asks for it. */
  readonly askingMs: DurationMs
}

const ASK_EVERY_MS: DurationMs = SECOND_MS / 2

/** Pays for a request and waits until the budget has earned it; null: nobody can before long, or the signal aborted. */
export async function payFor(
  { sourceId, patienceMs, askingMs }: PayingTerms,
  { scheduler, clock }: PayingDeps,
  signal: AbortSignal,
): Promise<PaidRequest | null> {
  const askUntil = clock.now() + askingMs
  while (!signal.aborted) {
    const now = clock.now()
    const at = scheduler.reserve(sourceId, now, now + patienceMs)
    if (at !== null) {
      if (at > now) await clock.sleep(at - now, signal)
      return { goesOut: () => scheduler.delay(sourceId, at, clock.now()) }
    }
    if (now >= askUntil) return null
    await clock.sleep(ASK_EVERY_MS, signal)
  }
  return null
}
