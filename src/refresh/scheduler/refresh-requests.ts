import type { InstantMs, SourceId } from '../../model/index.ts'
import type { Payer } from './payers/payer.ts'
import type { Payers } from './payers/payers.ts'
import type { ReadyQueue } from './ready-queue.ts'
import { MANUAL, RUNNING, type SourceRows } from './source-rows.ts'
import type { PayerId } from './types.ts'

export interface RefreshRequestsDeps<Memory> {
  readonly rows: SourceRows<Memory>
  readonly payers: Payers
  readonly readyQueue: ReadyQueue<Memory>
}

/** What people request by hand: the requester pays for it at once; beyond a share it waits for one. */
export class RefreshRequests<Memory> {
  constructor(private readonly deps: RefreshRequestsDeps<Memory>) {}

  /** `by`: who pays for it; null: the payers of the source. */
  add(id: SourceId, by: PayerId | null, now: InstantMs): void {
    const { rows, payers, readyQueue } = this.deps
    const row = rows.rowOf(id)
    if (row < 0 || rows.has(row, RUNNING) || rows.has(row, MANUAL)) return
    const payer = by === null || payers.isPaidBy(row, [by]) ? null : this.payerOf(by)
    if (!payers.isShared) readyQueue.request(row)
    else this.addFor(payer ?? payers.keenest(row), id, row, now)
  }

  /** What was requested beyond a share, as far as there is one again. */
  addDelayed(payer: Payer, now: InstantMs): void {
    const { rows, payers } = this.deps
    for (const id of payer.requested) {
      if (!payers.mayRequest(payer)) return
      payer.requested.delete(id)
      const row = rows.rowOf(id)
      if (row >= 0 && !rows.has(row, RUNNING) && !rows.has(row, MANUAL)) this.addFor(payer, id, row, now)
    }
  }

  /** One payer is left, and nothing to wait for. */
  addAllOf(payer: Payer, now: InstantMs): void {
    for (const id of payer.requested) this.add(id, null, now)
    payer.requested.clear()
  }

  private addFor(payer: Payer, id: SourceId, row: number, now: InstantMs): void {
    const { rows, payers, readyQueue } = this.deps
    if (!payers.mayRequest(payer)) {
      payer.requested.add(id)
      return
    }
    payers.chargeOne(payer, rows.cost(row), now)
    readyQueue.request(row)
  }

  private payerOf(id: PayerId): Payer {
    const { payers, readyQueue } = this.deps
    const payer = payers.find(id)
    if (payers.isShared) readyQueue.share()
    return payer
  }
}
