import type { DurationMs, InstantMs } from '../model/index.ts'
import type { SteadyClock } from '../runtime/steady-clock.ts'

const WOKEN = 'woken'

/** The sleep of a crawl: until something is due, something ends, or it is time to look for changes. */
export class Waking {
  readonly #clock: Pick<SteadyClock, 'now' | 'sleep'>
  readonly #longestMs: DurationMs
  #wake: () => void = () => {}
  #willWake = false

  constructor(clock: Pick<SteadyClock, 'now' | 'sleep'>, longestMs: DurationMs) {
    this.#clock = clock
    this.#longestMs = longestMs
  }

  wake(): void {
    this.#wake()
  }

  /** Until something ends: one timer for all that do meanwhile, as one for each, with its signal, took a third of a 304. */
  async untilWoken(signal: AbortSignal): Promise<void> {
    if (!this.#willWake) {
      this.#willWake = true
      void this.#clock.sleep(this.#longestMs, signal).then(() => {
        this.#willWake = false
        this.#wake()
      })
    }
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }

  async until(at: InstantMs, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now()
    const ms = Math.max(0, Math.min(at, now + this.#longestMs) - now)
    const waking = new AbortController()
    // With a reason of ours, abort() makes no error of its own: this runs after every refresh.
    const stop = () => waking.abort(WOKEN)
    this.#wake = stop
    signal.addEventListener('abort', stop, { once: true })
    await this.#clock.sleep(ms, waking.signal)
    signal.removeEventListener('abort', stop)
  }
}
