import type { InstantMs } from '../../../model/index.ts'
import { RowHeap } from '../row-heap.ts'
import type { SourceRows } from '../source-rows.ts'
import type { Cause } from '../types.ts'

export interface Pick {
  readonly row: number
  readonly cause: Cause
}

/** What is to be refreshed, as rows: in the order in which it was chosen, and later what its host did not let in yet. */
export class Picks {
  private readonly chosen = new Map<number, Cause>()
  private readonly delayed: RowHeap
  private readonly causes = new Map<number, Cause>()
  private readonly rows: SourceRows<unknown>

  constructor(rows: SourceRows<unknown>) {
    this.rows = rows
    this.delayed = new RowHeap(0, (a, b) => (rows.dueAt(a) - rows.dueAt(b) || rows.id(a) - rows.id(b)) < 0)
  }

  get size(): number {
    return this.chosen.size + this.delayed.size
  }

  get bytes(): number {
    return this.delayed.bytes
  }

  grow(capacity: number): void {
    this.delayed.grow(capacity)
  }

  has(row: number): boolean {
    return this.chosen.has(row) || this.delayed.has(row)
  }

  /** By hand. */
  isRequested(row: number): boolean {
    return this.causes.get(row) === 'asked'
  }

  add(row: number, cause: Cause): void {
    this.chosen.set(row, cause)
  }

  /** Not before the moment. */
  delay(row: number, cause: Cause, until: InstantMs): void {
    this.remove(row)
    this.rows.setDueAt(row, until)
    this.causes.set(row, cause)
    this.delayed.push(row)
  }

  remove(row: number): void {
    this.chosen.delete(row)
    this.delayed.remove(row)
    this.causes.delete(row)
  }

  /** The next one, taken out; null: none now. */
  next(now: InstantMs): Pick | null {
    const late = this.delayed.peek()
    if (late >= 0 && this.rows.dueAt(late) <= now) {
      const cause = this.causes.get(late) ?? 'time'
      this.remove(late)
      return { row: late, cause }
    }
    for (const [row, cause] of this.chosen) {
      this.chosen.delete(row)
      return { row, cause }
    }
    return null
  }

  /** When the first of the delayed ones may be tried; Infinity: there are none. */
  get firstAt(): InstantMs {
    return this.delayed.size === 0 ? Number.POSITIVE_INFINITY : this.rows.dueAt(this.delayed.peek())
  }

  all(): number[] {
    return [...this.chosen.keys(), ...this.delayed.all()]
  }
}
