import type { DurationMs } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { LoadWatch } from './load.ts'

const LOOK_EVERY_MS = 500

/** Looks until nothing is left, or until what is left has stayed the same for so long that it will not change any more. */
export async function settle(
  load: LoadWatch,
  patienceMs: DurationMs,
  countLeft: () => Promise<number>,
): Promise<number> {
  let last = Number.NaN
  let sinceMs = systemClock.monotonicMs()
  for (;;) {
    const left = await countLeft().catch(() => Number.POSITIVE_INFINITY)
    if (left === 0) return 0
    const nowMs = systemClock.monotonicMs()
    if (left !== last) {
      last = left
      sinceMs = nowMs
    }
    // What the machine takes away is given in addition.
    if (nowMs - sinceMs - load.lostSince(sinceMs) > patienceMs) return left
    await systemClock.sleep(LOOK_EVERY_MS)
  }
}
