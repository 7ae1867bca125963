import type { DurationMs, InstantMs } from '../../model/index.ts'
import type { Payer } from './payers/payer.ts'
import type { Payers } from './payers/payers.ts'
import type { ReadyQueue } from './ready-queue.ts'
import type { SourceRows } from './source-rows.ts'
import type { Spending } from './spending.ts'

export interface PricePeriodsDeps<Memory> {
  readonly rows: SourceRows<Memory>
  readonly payers: Payers
  readonly readyQueue: ReadyQueue<Memory>
  readonly spending: Spending
}

/** Ends the periods after which the prices of the payers move, and gives each price what its period has shown. */
export class PricePeriods<Memory> {
  /** Of several payers: when the first of their periods ends, and from which prices that is known. */
  private firstEndsAt: InstantMs = Number.NEGATIVE_INFINITY
  private version = -1

  constructor(private readonly deps: PricePeriodsDeps<Memory>) {}

  get endsAt(): InstantMs {
    const { payers } = this.deps
    return payers.isShared ? this.firstEndsAt : payers.only.pricing.endsAt
  }

  shift(byMs: DurationMs): void {
    this.firstEndsAt += byMs
  }

  /** Whatever the periods have shown so far: they start over. */
  beginAll(now: InstantMs): void {
    for (const payer of this.deps.payers.list) this.begin(payer, now)
  }

  endOver(now: InstantMs): void {
    const { payers } = this.deps
    if (!payers.isShared) {
      this.endIfOver(payers.only, now)
      return
    }
    if (now < this.firstEndsAt && payers.version === this.version) return
    for (const payer of payers.list) this.endIfOver(payer, now)
    this.version = payers.version
    this.firstEndsAt = Math.min(...payers.list.map(({ pricing }) => pricing.endsAt))
  }

  private endIfOver(payer: Payer, now: InstantMs): void {
    if (now < payer.pricing.endsAt) return
    const { rows, payers, readyQueue, spending } = this.deps
    readyQueue.wake(now)
    readyQueue.findFull(now)
    // What waits while everybody has a turn says nothing about the price.
    if (spending.isAllForLearning) {
      this.begin(payer, now)
      return
    }
    const { backlog, fresh } = readyQueue.queues
    payer.endPeriod(
      now,
      payers.perMs(payer, now),
      payers.isShared
        ? null
        : { saved: spending.saved(now), waiting: backlog, exploring: fresh.size > 0, sources: rows.size },
    )
    if (payers.isShared) payers.touch()
  }

  private begin(payer: Payer, now: InstantMs): void {
    const { rows, payers, readyQueue } = this.deps
    payer.beginPeriod(now, payers.isShared ? null : { waiting: readyQueue.queues.backlog, sources: rows.size })
  }
}
