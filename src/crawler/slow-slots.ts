import { type DurationMs, SECOND_MS, type SourceId } from '../model/index.ts'
import { SLOW_MS } from './politeness/slow-hosts.ts'

/** Of all slots for refreshes under way, those that slow hosts may hold: a quarter, and one at least. */
export function slowSlotsOf(concurrency: number): number {
  return Math.max(1, Math.floor(concurrency / 4))
}

/** A refresh under way, as far as its pace is concerned. */
export interface SlotPace {
  /** Its host was known to be slow, or has since become known. */
  isSlow: boolean
  /** How long its request has been under way; 0 while it waits for us. */
  readonly waitingForMs: DurationMs
}

/**
 * Which refreshes are to be aborted: hosts that have turned out to be slow, beyond the quarter. One within the quarter
 * keeps its slot, or a slow host would never be read to its end; of the others those that have waited longest stay, and
 * belong to the quarter from now on.
 */
export function callOffSlow<P extends SlotPace>(slots: Iterable<P>, concurrency: number): readonly P[] {
  let free = slowSlotsOf(concurrency)
  const turnedSlow: P[] = []
  for (const slot of slots) {
    if (slot.isSlow) free--
    else if (slot.waitingForMs >= SLOW_MS) turnedSlow.push(slot)
  }
  turnedSlow.sort((a, b) => b.waitingForMs - a.waitingForMs)
  const staying = turnedSlow.splice(0, Math.max(0, free))
  for (const slot of staying) slot.isSlow = true
  return turnedSlow
}

/** A refused source asks again after this, and later the more are waiting: asking costs a little. */
const ASK_AGAIN_MS = SECOND_MS
const ASKING_AT_ONCE = 64
/** A source that does not ask again within this much more has been paused or removed, and loses the turn. */
const GRACE_MS = 10 * SECOND_MS

/** Sources of slow hosts that wait for a slot, first come first served. */
export class SlowHostQueue {
  /** When each is expected to ask again. */
  readonly #waiting = new Map<SourceId, DurationMs>()

  get size(): number {
    return this.#waiting.size
  }

  /** null: it may start, as one of so many free slots; otherwise when to ask again. Times are monotonic. */
  ask(id: SourceId, free: number, nowMs: DurationMs): DurationMs | null {
    this.#forgetGone(nowMs)
    if (this.#isAmongFirst(id, free)) return null
    const waitMs = ASK_AGAIN_MS * Math.max(1, this.#waiting.size / ASKING_AT_ONCE)
    this.#waiting.set(id, nowMs + waitMs)
    return waitMs
  }

  /** It has started. */
  leave(id: SourceId): void {
    this.#waiting.delete(id)
  }

  #isAmongFirst(id: SourceId, free: number): boolean {
    let ahead = 0
    for (const first of this.#waiting.keys()) {
      if (ahead >= free || first === id) break
      ahead++
    }
    return ahead < free
  }

  #forgetGone(nowMs: DurationMs): void {
    for (const [id, askAgainMs] of this.#waiting) {
      if (nowMs <= askAgainMs + GRACE_MS) return
      this.#waiting.delete(id)
    }
  }
}
