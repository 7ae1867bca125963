import type { InstantMs } from '../../model/index.ts'
import { RowHeap } from './row-heap.ts'
import type { SourceRows } from './source-rows.ts'

/** Where a source is, as rows: each row is in one of the queues or in none (running, resting, requested). */
export class Queues {
  /** By due time. */
  readonly waiting: RowHeap
  /** Never refreshed, in the order of adding. */
  readonly fresh: RowHeap
  /** Windows believed full: by what would be lost per cost, then longest without refresh (thesis Algorithm 4.1). */
  readonly full: RowHeap
  /** Due at a time that the price does not move: by due time. */
  readonly timed: RowHeap
  /** Worth their price, waiting for the budget: by due time. */
  readonly worth: RowHeap
  private readonly heaps: readonly RowHeap[]

  constructor(private readonly rows: SourceRows<unknown>) {
    const byId = (a: number, b: number) => rows.id(a) - rows.id(b)
    const byDue = (a: number, b: number) => (rows.dueAt(a) - rows.dueAt(b) || byId(a, b)) < 0
    const loss = (row: number) => (rows.weight(row) * rows.windowSize(row)) / rows.cost(row)
    this.waiting = new RowHeap(0, byDue)
    this.worth = new RowHeap(0, byDue)
    this.timed = new RowHeap(0, byDue)
    this.fresh = new RowHeap(0, (a, b) => (rows.addedAt(a) - rows.addedAt(b) || byId(a, b)) < 0)
    this.full = new RowHeap(
      0,
      (a, b) => (loss(b) - loss(a) || (rows.lastRefreshAt(a) ?? 0) - (rows.lastRefreshAt(b) ?? 0) || byId(a, b)) < 0,
    )
    this.heaps = [this.waiting, this.fresh, this.full, this.timed, this.worth]
  }

  get bytes(): number {
    return this.heaps.reduce((sum, heap) => sum + heap.bytes, 0)
  }

  /** Due and known: what the budget keeps waiting. */
  get backlog(): number {
    return this.full.size + this.timed.size + this.worth.size
  }

  /** Since when the first of these waits; Infinity: none does. */
  get oldestDueAt(): InstantMs {
    const rows = [this.full, this.timed, this.worth].map((heap) => heap.peek()).filter((row) => row >= 0)
    return Math.min(...rows.map((row) => this.rows.dueAt(row)))
  }

  grow(capacity: number): void {
    for (const heap of this.heaps) heap.grow(capacity)
  }

  takeOut(row: number): void {
    for (const heap of this.heaps) heap.remove(row)
  }
}
