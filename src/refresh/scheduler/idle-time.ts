import type { InstantMs } from '../../model/index.ts'
import type { Payers } from './payers/payers.ts'
import type { ReadyQueue } from './ready-queue.ts'
import type { SourceRows } from './source-rows.ts'
import type { Spending } from './spending.ts'

const NEVER = Number.POSITIVE_INFINITY

export interface IdleTimeDeps<Memory> {
  readonly rows: SourceRows<Memory>
  readonly payers: Payers
  readonly readyQueue: ReadyQueue<Memory>
  readonly spending: Spending
}

/** While nothing is due: whom to spend budget on that would be lost, and until when to wait. */
export class IdleTime<Memory> {
  constructor(private readonly deps: IdleTimeDeps<Memory>) {}

  /** A source whose time comes soon, unless there is more budget than anyone needs; −1: none. */
  nextSpare(now: InstantMs): number {
    const { rows, payers, spending, readyQueue } = this.deps
    if (spending.isAllForLearning || spending.lackingAt(now) > now) return -1
    if (payers.list.every(({ pricing }) => pricing.isLow)) return -1
    const mayPay = (row: number) =>
      !payers.isShared || payers.of(row).some(({ hasCredit, pricing }) => hasCredit && !pricing.isLow)
    const row = readyQueue.nextSpare(now, mayPay)
    return row >= 0 && spending.affordableAt(rows.cost(row), now) <= now ? row : -1
  }

  /** Nothing is to be done before, unless something changes. `endsAt`: when price or budget move; Infinity: nothing at all. */
  nothingBefore(now: InstantMs, endsAt: InstantMs): InstantMs {
    const { rows, readyQueue, spending } = this.deps
    const first = Math.min(readyQueue.firstDueAt, this.firstCreditAt(now))
    if (rows.size === 0) return NEVER
    const ahead = [spending.lackingAt(now), spending.learningAt(now)].map((at) => (at > now ? at : NEVER))
    if (first === NEVER && !spending.isAllForLearning) return NEVER
    // Clocks count whole milliseconds.
    return Math.ceil(Math.min(first, endsAt, ...ahead))
  }

  /** When a payer for whom something waits could pay again, at the earliest. */
  private firstCreditAt(now: InstantMs): InstantMs {
    const { payers, readyQueue } = this.deps
    if (!payers.isShared) return NEVER
    let first = NEVER
    for (const payer of payers.list) {
      if (readyQueue.parkedOf(payer) > 0 || payer.requested.size > 0) {
        first = Math.min(first, payers.earliestCredit(payer.balance, now))
      }
    }
    return first
  }
}
