import { growColumn } from '../../model/columns.ts'

const ABSENT = -1

/** Binary heap of numbers in an order that does not change while they are in it; each can be taken out in O(log n). */
export class RowHeap {
  private members = new Int32Array(64)
  private position: Int32Array
  private count = 0

  constructor(
    capacity: number,
    private readonly before: (a: number, b: number) => boolean,
  ) {
    this.position = new Int32Array(capacity).fill(ABSENT)
  }

  get bytes(): number {
    return this.members.byteLength + this.position.byteLength
  }

  grow(capacity: number): void {
    this.position = growColumn(this.position, capacity, ABSENT)
  }

  has(member: number): boolean {
    return this.position[member] !== ABSENT
  }

  /** The member must not be in the heap. */
  push(member: number): void {
    if (this.count === this.members.length) {
      const most = Math.max(this.count + 1, this.position.length)
      this.members = growColumn(this.members, Math.min(most, 2 * this.count))
    }
    this.rise(this.count++, member)
  }

  get size(): number {
    return this.count
  }

  /** All of them as they are now, in no order. */
  all(): Int32Array {
    return this.members.slice(0, this.count)
  }

  /** The first in order; −1 when empty. */
  peek(): number {
    return this.count === 0 ? ABSENT : this.members[0]!
  }

  /** The first in order, taken out; −1 when empty. */
  pop(): number {
    if (this.count === 0) return ABSENT
    const first = this.members[0]!
    this.remove(first)
    return first
  }

  remove(member: number): void {
    const at = this.position[member]!
    if (at === ABSENT) return
    this.position[member] = ABSENT
    const last = this.members[--this.count]!
    if (last === member) return
    if (at > 0 && this.before(last, this.members[(at - 1) >> 1]!)) this.rise(at, last)
    else this.sink(at, last)
  }

  private put(at: number, member: number): void {
    this.members[at] = member
    this.position[member] = at
  }

  private rise(from: number, member: number): void {
    let at = from
    while (at > 0) {
      const parent = this.members[(at - 1) >> 1]!
      if (!this.before(member, parent)) break
      this.put(at, parent)
      at = (at - 1) >> 1
    }
    this.put(at, member)
  }

  private sink(from: number, member: number): void {
    let at = from
    for (;;) {
      const left = 2 * at + 1
      if (left >= this.count) break
      const right = left + 1
      const child = right < this.count && this.before(this.members[right]!, this.members[left]!) ? right : left
      if (!this.before(this.members[child]!, member)) break
      this.put(at, this.members[child]!)
      at = child
    }
    this.put(at, member)
  }
}
