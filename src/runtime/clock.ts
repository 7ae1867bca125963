import type { DurationMs, InstantMs } from '../model/index.ts'

/** Time as the rest of the program sees it. Real here; virtual in the lab (lab/simulator) and in tests. */
export interface Clock {
  now(): InstantMs
  /** Resolves after the time has passed, or at once when the signal aborts (it never rejects). */
  sleep(ms: DurationMs, signal?: AbortSignal): Promise<void>
  /** Monotonic, for measuring durations; counts from the start of the machine, for all processes alike. */
  monotonicMs(): DurationMs
}

// setTimeout takes at most 2^31 − 1 ms (24.8 days); a longer sleep is a loop of shorter ones.
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** `performance.now` is three times as fast as `hrtime`, but counts from the start of the process. */
const PROCESS_BEGAN_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now()

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => PROCESS_BEGAN_MS + performance.now(),
  async sleep(ms, signal) {
    for (let remainingMs = Math.max(0, ms); !signal?.aborted; remainingMs -= LONGEST_TIMER_MS) {
      await nap(Math.min(remainingMs, LONGEST_TIMER_MS), signal)
      if (remainingMs <= LONGEST_TIMER_MS) return
    }
  },
}

/** Not timers/promises: being woken is the usual end of a sleep here, and must not cost an error with its stack. */
function nap(ms: DurationMs, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
