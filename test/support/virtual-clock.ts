import type { DurationMs, InstantMs } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'

export interface VirtualClock extends Clock {
  /** Lets time pass: wakes every sleeper in the order of its time, and lets what follows from each happen first. */
  pass(ms: DurationMs): Promise<void>
  /** Resolves when somebody sleeps: what a server does takes real time, in which the virtual one must not go on. */
  untilAsleep(): Promise<void>
}

interface Sleeper {
  readonly at: InstantMs
  readonly wake: () => void
}

/** Time passes only when a test says so. */
export function virtualClock(start: InstantMs = 0): VirtualClock {
  let now = start
  const sleepers = new Set<Sleeper>()
  return {
    now: () => now,
    monotonicMs: () => now - start,
    sleep(ms, signal) {
      if (signal?.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = () => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { at: now + Math.max(0, ms), wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      })
    },
    async untilAsleep() {
      while (sleepers.size === 0) await settle()
    },
    async pass(ms) {
      const until = now + ms
      for (await settle(); ; await settle()) {
        const next = [...sleepers].sort((a, b) => a.at - b.at)[0]
        if (next === undefined || next.at > until) break
        now = Math.max(now, next.at)
        next.wake()
      }
      now = until
    },
  }
}

/** All that is ready, promises of promises included. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}
