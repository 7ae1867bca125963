import { FetchFailure } from '../../http/failure.ts'
import type { DurationMs } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { onAbort } from './abort.ts'
import type { Exchange, ExchangeResult } from './exchange.ts'

const NEVER = new AbortController().signal

/** The time, bytes and end of one fetch over all its requests. */
export class Journey {
  readonly signal: AbortSignal
  bytes = 0
  readonly #clock: Clock
  readonly #totalTimeoutMs: DurationMs
  #spentMs: DurationMs = 0
  #startedAt: DurationMs
  #timer: NodeJS.Timeout | null = null
  #current: Exchange | null = null
  #ended: FetchFailure | null = null
  #forgetSignal: () => void = () => {}

  constructor(clock: Clock, totalTimeoutMs: DurationMs, signal: AbortSignal | undefined) {
    this.signal = signal ?? NEVER
    this.#clock = clock
    this.#totalTimeoutMs = totalTimeoutMs
    this.#startedAt = clock.monotonicMs()
    this.#arm(totalTimeoutMs)
    if (signal !== undefined) this.#forgetSignal = onAbort(signal, () => this.#stop(calledOff()))
  }

  /** Time on the road; waiting for a turn is not counted. */
  get latencyMs(): DurationMs {
    return this.#spentMs + (this.#timer === null ? 0 : this.#clock.monotonicMs() - this.#startedAt)
  }

  async until(exchange: Exchange): Promise<ExchangeResult> {
    this.#current = exchange
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
      this.#arm(Math.max(1, this.#totalTimeoutMs - this.#spentMs))
    }
  }

  end(): void {
    this.#disarm()
    this.#forgetSignal()
  }

  #arm(ms: DurationMs): void {
    this.#timer = setTimeout(() => this.#stop(this.#tooLong()), ms)
  }

  #disarm(): void {
    if (this.#timer === null) return
    clearTimeout(this.#timer)
    this.#spentMs = this.latencyMs
    this.#timer = null
  }

  #tooLong(): FetchFailure {
    return new FetchFailure('FETCH_TIMEOUT_TOTAL', `more than ${this.#totalTimeoutMs / 1000} s`)
  }

  #stop(reason: FetchFailure): void {
    this.#ended = reason
    this.#current?.stop(reason)
  }
}

export function calledOff(): FetchFailure {
  return new FetchFailure('FETCH_ABORTED', 'by request')
}
