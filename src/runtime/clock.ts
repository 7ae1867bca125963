import { setTimeout as delay } from 'node:timers/promises'
import type { DurationMs, InstantMs } from '../model/index.ts'

/** Time as the rest of the program sees it. Real here; virtual in the lab (lab/simulator) and in tests. */
export interface Clock {
  now(): InstantMs
  /** Resolves after the time has passed, or at once when the signal aborts (it never rejects). */
  sleep(ms: DurationMs, signal?: AbortSignal): Promise<void>
  /** Monotonic, for measuring durations. */
  monotonicMs(): DurationMs
}

// setTimeout takes at most 2^31 − 1 ms (24.8 days); a longer sleep is a loop of shorter ones.
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    let left = Math.max(0, ms)
    do {
      const part = Math.min(left, LONGEST_TIMER_MS)
      try {
        await delay(part, undefined, signal ? { signal } : {})
      } catch {
        return
      }
      left -= part
    } while (left > 0)
  },
}
