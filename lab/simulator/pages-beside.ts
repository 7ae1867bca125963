import { type DurationMs, type InstantMs, MINUTE_MS, SECOND_MS } from '../../src/model/index.ts'
import type { LiveScheduler } from '../../src/refresh/scheduler/live-scheduler.ts'
import type { SimWorld } from './world.ts'

/** Pages of items, one after the other, so often at most. */
export interface PagesBeside {
  readonly everyMs: DurationMs
  /** Called for each that is paid for. */
  readonly onPage?: (at: InstantMs) => void
}

/** What cannot be paid for is asked for again this soon, as the live node does. */
const ASK_AGAIN_MS: DurationMs = 2 * SECOND_MS

export function pagesFrom(
  pages: PagesBeside | undefined,
  { startMs, sources }: SimWorld,
  scheduler: Pick<LiveScheduler, 'reserve'>,
) {
  let paid = 0
  return {
    nextAt: pages === undefined ? Number.POSITIVE_INFINITY : startMs,
    pay(now: InstantMs) {
      while (pages !== undefined && this.nextAt <= now) {
        const id = sources[paid % sources.length]?.id ?? 0
        const at = scheduler.reserve(id, now, now + Math.max(MINUTE_MS, pages.everyMs))
        this.nextAt = at === null ? now + ASK_AGAIN_MS : this.nextAt + pages.everyMs
        if (at === null) continue
        paid++
        pages.onPage?.(at)
      }
    },
  }
}
