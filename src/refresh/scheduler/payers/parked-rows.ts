import { growColumn } from '../../../model/columns.ts'

const ABSENT = -1

/**
 * Due sources that wait for their payer's share, one heap per payer. A row is in one heap at most, so all of them share
 * one table of positions: some 9 bytes per source, however many payers there are.
 */
export class ParkedRows {
  private position = new Int32Array(0)
  private payerOf = new Int32Array(0)
  private readonly heaps: number[][] = []
  private readonly before: (a: number, b: number) => boolean

  constructor(before: (a: number, b: number) => boolean) {
    this.before = before
  }

  get bytes(): number {
    return this.position.byteLength + this.payerOf.byteLength
  }

  grow(capacity: number): void {
    this.position = growColumn(this.position, capacity, ABSENT)
    this.payerOf = growColumn(this.payerOf, capacity, ABSENT)
  }

  /** The place of the payer under which it waits; −1: it does not. */
  payer(row: number): number {
    return this.payerOf[row] ?? ABSENT
  }

  size(payer: number): number {
    return this.heaps[payer]?.length ?? 0
  }

  all(payer: number): readonly number[] {
    return this.heaps[payer] ?? []
  }

  peek(payer: number): number {
    return this.heaps[payer]?.[0] ?? ABSENT
  }

  /** The row must not be parked. */
  push(row: number, payer: number): void {
    this.heaps[payer] ??= []
    const heap = this.heaps[payer]
    this.payerOf[row] = payer
    heap.push(row)
    this.rise(heap, heap.length - 1, row)
  }

  remove(row: number): void {
    const payer = this.payer(row)
    if (payer === ABSENT) return
    const heap = this.heaps[payer]!
    const at = this.position[row]!
    this.payerOf[row] = ABSENT
    this.position[row] = ABSENT
    const last = heap.pop()!
    if (last === row) return
    if (at > 0 && this.before(last, heap[(at - 1) >> 1]!)) this.rise(heap, at, last)
    else this.sink(heap, at, last)
  }

  private put(heap: number[], at: number, row: number): void {
    heap[at] = row
    this.position[row] = at
  }

  private rise(heap: number[], from: number, row: number): void {
    let at = from
    while (at > 0) {
      const parent = heap[(at - 1) >> 1]!
      if (!this.before(row, parent)) break
      this.put(heap, at, parent)
      at = (at - 1) >> 1
    }
    this.put(heap, at, row)
  }

  private sink(heap: number[], from: number, row: number): void {
    let at = from
    for (;;) {
      const left = 2 * at + 1
      if (left >= heap.length) break
      const right = left + 1
      const child = right < heap.length && this.before(heap[right]!, heap[left]!) ? right : left
      if (!this.before(heap[child]!, row)) break
      this.put(heap, at, heap[child]!)
      at = child
    }
    this.put(heap, at, row)
  }
}
