import { FetchFailure } from '../../http/failure.ts'
import type { DurationMs } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { onAbort } from './abort.ts'
import { LOOKS_PER_WINDOW, RateWatch } from './byte-rate.ts'
import type { Exchange, ExchangeResult } from './exchange.ts'
import type { FetchRequest, FetchWatch } from './fetcher.ts'
import type { FetcherSettings } from './options.ts'

type Settings = Pick<FetcherSettings, 'clock' | 'totalTimeoutMs' | 'leastRate'>

const NEVER = new AbortController().signal

/** The time, bytes and end of one fetch over all its requests. */
export class Journey {
  readonly signal: AbortSignal
  bytes = 0
  readonly #clock: Clock
  readonly #totalTimeoutMs: DurationMs
  readonly #lookEveryMs: DurationMs
  readonly #settings: Settings
  readonly #watch: FetchWatch | undefined
  #rate: RateWatch | null = null
  #spentMs: DurationMs = 0
  #startedAt: DurationMs
  #timer: NodeJS.Timeout | null = null
  #current: Exchange | null = null
  #ended: FetchFailure | null = null
  /** It may end while something is still waited for. */
  #isOver = false
  #forgetSignal: () => void = () => {}

  constructor(settings: Settings, { signal, watch }: Pick<FetchRequest, 'signal' | 'watch'>) {
    this.signal = signal ?? NEVER
    this.#settings = settings
    this.#clock = settings.clock
    this.#totalTimeoutMs = settings.totalTimeoutMs
    this.#lookEveryMs = settings.leastRate.windowMs / LOOKS_PER_WINDOW
    this.#watch = watch
    this.#startedAt = this.#clock.monotonicMs()
    this.#goOn()
    if (signal !== undefined) this.#forgetSignal = onAbort(signal, () => this.#stop(calledOff()))
  }

  /** Time on the road; waiting for a turn is not counted. */
  get latencyMs(): DurationMs {
    return this.#spentMs + (this.#timer === null ? 0 : this.#clock.monotonicMs() - this.#startedAt)
  }

  async until(exchange: Exchange): Promise<ExchangeResult> {
    this.#current = exchange
    this.#rate = null
    if (this.#ended !== null) exchange.stop(this.#ended)
    const result = await exchange.result
    this.#current = null
    this.bytes += result.bytes
    return result
  }

  /** The clock stands still while we wait for our own politeness. */
  async pause<T>(wait: () => Promise<T>): Promise<T> {
    this.#disarm()
    try {
      return await wait()
    } finally {
      this.#startedAt = this.#clock.monotonicMs()
      if (!this.#isOver) this.#goOn()
    }
  }

  end(): void {
    this.#isOver = true
    this.#disarm()
    this.#forgetSignal()
  }

  #goOn(): void {
    this.#arm()
    this.#watch?.onRoad(this.#spentMs, () => this.#stop(calledOff()))
  }

  /** One timer for the time limit and for looking how fast the body comes: most fetches are over before it first runs. */
  #arm(): void {
    const leftMs = Math.max(1, this.#totalTimeoutMs - this.latencyMs)
    if (leftMs <= this.#lookEveryMs) this.#timer = setTimeout(() => this.#stop(this.#tooLong()), leftMs)
    else this.#timer = setTimeout(() => this.#look(), this.#lookEveryMs)
  }

  #look(): void {
    if (this.#isTooSlow()) this.#stop(this.#tooSlow())
    else this.#arm()
  }

  #isTooSlow(): boolean {
    const bytes = this.#current?.bodyBytes ?? null
    if (bytes === null) {
      this.#rate?.reset()
      return false
    }
    this.#rate ??= new RateWatch(this.#settings.leastRate)
    return this.#rate.isTooSlow(this.latencyMs, bytes)
  }

  #disarm(): void {
    if (this.#timer === null) return
    this.#watch?.offRoad()
    clearTimeout(this.#timer)
    this.#spentMs = this.latencyMs
    this.#timer = null
  }

  #tooLong(): FetchFailure {
    return new FetchFailure('FETCH_TIMEOUT_TOTAL', `more than ${this.#totalTimeoutMs / 1000} s`)
  }

  #tooSlow(): FetchFailure {
    const { bytesPerSecond, windowMs } = this.#settings.leastRate
    return new FetchFailure('FETCH_TOO_SLOW', `less than ${bytesPerSecond} bytes a second over ${windowMs / 1000} s`)
  }

  #stop(reason: FetchFailure): void {
    this.#ended = reason
    this.#current?.stop(reason)
  }
}

export function calledOff(): FetchFailure {
  return new FetchFailure('FETCH_ABORTED', 'by request')
}
