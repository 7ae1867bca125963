import { type DurationMs, SECOND_MS, type SourceId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ErrorCode } from '../runtime/errors.ts'
import type { BodyLease } from './fetch/body-memory.ts'
import type { FetchOutcome, FetchWatch } from './fetch/fetcher.ts'
import type { Politeness } from './politeness/politeness.ts'
import { callOffSlow, type SlotPace, SlowHostQueue, slowSlotsOf } from './slow-slots.ts'

/** What one refresh holds while it is under way. */
export class FetchSlot implements FetchWatch, SlotPace {
  readonly host: string
  isSlow: boolean
  lease: BodyLease | null = null
  readonly #clock: Pick<Clock, 'monotonicMs'>
  #sinceMs: DurationMs | null = null
  #callOff: () => void = () => {}

  constructor(host: string, isSlow: boolean, clock: Pick<Clock, 'monotonicMs'>) {
    this.host = host
    this.isSlow = isSlow
    this.#clock = clock
  }

  get waitingForMs(): DurationMs {
    return this.#sinceMs === null ? 0 : this.#clock.monotonicMs() - this.#sinceMs
  }

  onRoad(spentMs: DurationMs, callOff: () => void): void {
    this.#sinceMs = this.#clock.monotonicMs() - spentMs
    this.#callOff = callOff
  }

  offRoad(): void {
    this.#sinceMs = null
  }

  callOff(): void {
    this.#callOff()
  }
}

export interface FetchSlotsDeps {
  readonly concurrency: number
  readonly limits: Pick<Politeness, 'took' | 'slowMs'>
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/** Called with every refresh; going through all slots would cost each of them a few µs. */
const LOOK_EVERY_MS = SECOND_MS

/** Places for refreshes under way, over all hosts; slow hosts hold a quarter of them at most. */
export class FetchSlots {
  readonly #deps: FetchSlotsDeps
  readonly #slots = new Map<SourceId, FetchSlot>()
  readonly #line = new SlowHostQueue()
  #checkedMs: DurationMs = Number.NEGATIVE_INFINITY

  constructor(deps: FetchSlotsDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#slots.size
  }

  get isFull(): boolean {
    return this.#slots.size >= this.#deps.concurrency
  }

  /** null: it may start; otherwise its host is slow, and it is to ask again after so long. */
  waitMs(id: SourceId, host: string): DurationMs | null {
    const { limits, clock, concurrency } = this.#deps
    if (limits.slowMs(host) === null) return null
    return this.#line.ask(id, slowSlotsOf(concurrency) - this.#slow(), clock.monotonicMs())
  }

  enter(id: SourceId, host: string): FetchSlot {
    const { limits, clock } = this.#deps
    const slot = new FetchSlot(host, limits.slowMs(host) !== null, clock)
    this.#slots.set(id, slot)
    this.#line.leave(id)
    return slot
  }

  /** Whether one of these is being refreshed. */
  hasAny(ids: Iterable<SourceId>): boolean {
    for (const id of ids) if (this.#slots.has(id)) return true
    return false
  }

  leave(id: SourceId): void {
    this.#slots.delete(id)
  }

  /** What a fetch shows about the pace of its host. */
  recordAnswer(host: string, fetched: FetchOutcome): void {
    if (isOfHost(fetched)) this.#deps.limits.took(host, fetched.latencyMs, this.#deps.clock.monotonicMs())
  }

  /** Hosts that have turned out to be slow, beyond the quarter, give their slots up; they are requested again as slow ones. */
  callOffSlow(): void {
    const { concurrency, limits, clock } = this.#deps
    if (clock.monotonicMs() - this.#checkedMs < LOOK_EVERY_MS) return
    this.#checkedMs = clock.monotonicMs()
    for (const slot of callOffSlow(this.#slots.values(), concurrency)) {
      limits.took(slot.host, slot.waitingForMs, clock.monotonicMs())
      slot.callOff()
    }
  }

  #slow(): number {
    let slow = 0
    for (const slot of this.#slots.values()) if (slot.isSlow) slow++
    return slow
  }
}

/** Whether the host let us wait; that nobody could be reached may be our own network. */
function isOfHost(fetched: FetchOutcome): boolean {
  return fetched.kind !== 'failed' || fetched.status !== null || WAITED_FOR.has(fetched.code)
}

const WAITED_FOR: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'FETCH_TIMEOUT_HEADERS',
  'FETCH_TIMEOUT_BODY',
  'FETCH_TIMEOUT_TOTAL',
  'FETCH_TOO_SLOW',
])
