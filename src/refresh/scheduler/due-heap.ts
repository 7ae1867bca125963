/**
 * Binary heap of (due time, id) with the position of each id, so that a source can be moved or taken out in O(log n).
 * Ties go to the one that was put in first: the order is (time, sequence), the same in the lab and live.
 */
export class DueHeap {
  private readonly ids: number[] = []
  private readonly dueAt: number[] = []
  private readonly sequence: number[] = []
  private readonly position = new Map<number, number>()
  private nextSequence = 0

  get size(): number {
    return this.ids.length
  }

  has(id: number): boolean {
    return this.position.has(id)
  }

  /** Id and time of the earliest; undefined when empty. */
  peek(): { readonly id: number; readonly dueAt: number } | undefined {
    return this.ids.length === 0 ? undefined : { id: this.ids[0], dueAt: this.dueAt[0] }
  }

  set(id: number, dueAt: number): void {
    const at = this.position.get(id)
    if (at === undefined) {
      this.place(this.ids.length, id, dueAt, this.nextSequence++)
      this.up(this.ids.length - 1)
      return
    }
    this.place(at, id, dueAt, this.nextSequence++)
    this.up(at)
    this.down(this.position.get(id)!)
  }

  remove(id: number): boolean {
    const at = this.position.get(id)
    if (at === undefined) return false
    const last = this.ids.length - 1
    this.position.delete(id)
    if (at !== last) this.place(at, this.ids[last], this.dueAt[last], this.sequence[last])
    this.ids.length = last
    this.dueAt.length = last
    this.sequence.length = last
    if (at < last) {
      const moved = this.ids[at]
      this.up(at)
      this.down(this.position.get(moved)!)
    }
    return true
  }

  private place(at: number, id: number, dueAt: number, sequence: number): void {
    this.ids[at] = id
    this.dueAt[at] = dueAt
    this.sequence[at] = sequence
    this.position.set(id, at)
  }

  private before(a: number, b: number): boolean {
    return this.dueAt[a] < this.dueAt[b] || (this.dueAt[a] === this.dueAt[b] && this.sequence[a] < this.sequence[b])
  }

  private swap(a: number, b: number): void {
    const id = this.ids[a]
    const dueAt = this.dueAt[a]
    const sequence = this.sequence[a]
    this.place(a, this.ids[b], this.dueAt[b], this.sequence[b])
    this.place(b, id, dueAt, sequence)
  }

  private up(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.before(at, parent)) return
      this.swap(at, parent)
      at = parent
    }
  }

  private down(from: number): void {
    for (let at = from; ; ) {
      const left = 2 * at + 1
      if (left >= this.ids.length) return
      const right = left + 1
      const least = right < this.ids.length && this.before(right, left) ? right : left
      if (!this.before(least, at)) return
      this.swap(at, least)
      at = least
    }
  }
}
