import type { InstantMs, SourceId } from '../../model/index.ts'
import type { Payers } from './payers/payers.ts'
import type { SourceRows } from './source-rows.ts'
import type { Spending } from './spending.ts'

interface ReservationsDeps<Memory> {
  readonly rows: SourceRows<Memory>
  readonly payers: Payers
  readonly spending: Spending
}

/** Requests that no schedule makes: for older pages of a source, for pages of items. They are paid for first, and go out when they can. */
export class Reservations<Memory> {
  constructor(private readonly deps: ReservationsDeps<Memory>) {}

  /**
   * Pays for one request more of a source; returns when the budget will have earned it, null where that would be after `latest` and
   * nothing was paid. Of a source that is not here nobody in particular pays.
   */
  reserve(id: SourceId, now: InstantMs, latest: InstantMs): InstantMs | null {
    const { rows, payers, spending } = this.deps
    const row = rows.rowOf(id)
    const cost = this.costOf(row)
    const at = Math.max(spending.affordableAt(cost, now), row >= 0 ? this.creditAt(row, now) : now)
    if (at > latest) return null
    spending.reserve(cost, now, at)
    if (row >= 0) payers.charge(row, cost, now)
    return at
  }

  /** What was reserved for `at` goes out only now: its host had no time for it. */
  delay(id: SourceId, at: InstantMs, now: InstantMs): void {
    this.deps.spending.delay(this.costOf(this.deps.rows.rowOf(id)), at, now)
  }

  private costOf(row: number): number {
    return row >= 0 ? this.deps.rows.cost(row) : 1
  }

  private creditAt(row: number, now: InstantMs): InstantMs {
    const { payers } = this.deps
    return payers.isShared ? payers.usualCredit(payers.keenest(row), now) : now
  }
}
