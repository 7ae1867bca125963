import type { DurationMs, InstantMs } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { EventQueue } from '../simulator/events.ts'

interface Sleeper {
  wake(): void
  over: boolean
}

/**
 * Time that stands still while anybody works and jumps when all sleep, so that the live code runs through weeks in
 * minutes, in lock-step with what it does.
 */
export class VirtualClock implements Clock {
  private at: InstantMs
  private readonly sleepers = new EventQueue<Sleeper>()

  constructor(startAt: InstantMs) {
    this.at = startAt
  }

  now(): InstantMs {
    return this.at
  }

  monotonicMs(): DurationMs {
    return this.at
  }

  sleep(ms: DurationMs, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        over: false,
        wake() {
          if (sleeper.over) return
          sleeper.over = true
          signal?.removeEventListener('abort', sleeper.wake)
          resolve()
        },
      }
      signal?.addEventListener('abort', sleeper.wake, { once: true })
      this.sleepers.add(this.at + Math.max(0, Math.ceil(ms)), sleeper)
    })
  }

  /** Runs until the moment, jumping from sleeper to sleeper whenever nobody is busy. */
  async runUntil(end: InstantMs, isBusy: () => boolean): Promise<void> {
    while (this.at < end) {
      await waitUntilSettled(isBusy)
      const next = this.sleepers.next()
      // Everybody waits for something else, such as a timer of the store.
      if (next === undefined) continue
      if (next.value.over) continue
      if (next.at >= end) {
        this.sleepers.add(next.at, next.value)
        this.at = end
        return
      }
      this.at = Math.max(this.at, next.at)
      next.value.wake()
    }
  }

  /** Ends all sleeps, for tasks that are to stop. */
  wakeAll(): void {
    for (let next = this.sleepers.next(); next !== undefined; next = this.sleepers.next()) next.value.wake()
  }
}

/** Two turns of the event loop in which nobody is busy: promises and immediates that were due have run. */
async function waitUntilSettled(isBusy: () => boolean): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    await new Promise((resolve) => setImmediate(resolve))
    quiet = isBusy() ? 0 : quiet + 1
  }
}
