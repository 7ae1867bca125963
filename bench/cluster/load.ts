import type { DurationMs } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'

const NAP_MS = 20

interface Nap {
  readonly atMs: DurationMs
  readonly lateMs: DurationMs
}

/**
 * How much later than it should everything happens on this machine: somebody who sleeps for a moment and then wants the
 * processor, again and again. What a busy machine takes away is no fault of those who are measured on it.
 */
export class LoadWatch {
  readonly #naps: Nap[] = []
  readonly #end = new AbortController()

  constructor() {
    void this.#watch()
  }

  /** The sum of all delays since then. */
  lostSince(fromMs: DurationMs): DurationMs {
    return this.#naps.reduce((sum, { atMs, lateMs }) => (atMs >= fromMs ? sum + lateMs : sum), 0)
  }

  /** The longest delay between two moments. */
  worstBetween(fromMs: DurationMs, untilMs: DurationMs): DurationMs {
    let most = 0
    for (const { atMs, lateMs } of this.#naps) {
      // It began before it was noticed.
      if (atMs >= fromMs && atMs - lateMs <= untilMs) most = Math.max(most, lateMs)
    }
    return most
  }

  stop(): void {
    this.#end.abort()
  }

  async #watch(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const beganMs = systemClock.monotonicMs()
      await systemClock.sleep(NAP_MS, this.#end.signal)
      const atMs = systemClock.monotonicMs()
      const lateMs = atMs - beganMs - NAP_MS
      // A timer is a millisecond late on any machine.
      if (lateMs > 2) this.#naps.push({ atMs, lateMs })
    }
  }
}
