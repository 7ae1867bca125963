/** Keys of a saturated source; none of them changes while it waits. */
export interface SaturatedKeys {
  /** Window divergence per cost, larger first. */
  readonly value: (index: number) => number
  /** Longest without refresh first. */
  readonly since: (index: number) => number
  readonly id: (index: number) => number
}

/** Saturated sources, the one that Algorithm 4.1 takes next on top: the order of `topWithin` in strategies/top.ts. */
export class SaturatedHeap {
  private readonly keys: SaturatedKeys
  private readonly heap: number[] = []

  constructor(keys: SaturatedKeys) {
    this.keys = keys
  }

  get size(): number {
    return this.heap.length
  }

  push(index: number): void {
    const { heap } = this
    heap.push(index)
    let place = heap.length - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!this.before(index, heap[parent]!)) break
      heap[place] = heap[parent]!
      place = parent
    }
    heap[place] = index
  }

  /** Only while size > 0. */
  pop(): number {
    const { heap } = this
    const first = heap[0]!
    const last = heap.pop()!
    if (heap.length === 0) return first
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.before(heap[child + 1]!, heap[child]!)) child++
      if (!this.before(heap[child]!, last)) break
      heap[place] = heap[child]!
      place = child
    }
    heap[place] = last
    return first
  }

  private before(a: number, b: number): boolean {
    const byValue = this.keys.value(b) - this.keys.value(a)
    if (byValue !== 0) return byValue < 0
    const bySince = this.keys.since(a) - this.keys.since(b)
    return bySince !== 0 ? bySince < 0 : this.keys.id(a) < this.keys.id(b)
  }
}
