import { entryAt } from '../../src/model/entry-at.ts'
import type { InstantMs } from '../../src/model/index.ts'

interface Event<T> {
  readonly at: InstantMs
  readonly priority: number
  readonly sequence: number
  readonly value: T
}

/** What happens next in virtual time. Ties by (time, priority, sequence): lower priority first, then first come. */
export class EventQueue<T> {
  private readonly heap: Event<T>[] = []
  private sequence = 0

  get size(): number {
    return this.heap.length
  }

  add(at: InstantMs, value: T, priority = 0): void {
    const event = { at, priority, sequence: this.sequence++, value }
    this.heap.push(event)
    let index = this.heap.length - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!before(event, entryAt(this.heap, parent))) break
      this.heap[index] = entryAt(this.heap, parent)
      index = parent
    }
    this.heap[index] = event
  }

  next(): { readonly at: InstantMs; readonly value: T } | undefined {
    const first = this.heap[0]
    const last = this.heap.pop()
    if (first === undefined || last === undefined || this.heap.length === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= this.heap.length) break
      if (child + 1 < this.heap.length && before(entryAt(this.heap, child + 1), entryAt(this.heap, child))) child++
      if (!before(entryAt(this.heap, child), last)) break
      this.heap[index] = entryAt(this.heap, child)
      index = child
    }
    this.heap[index] = last
    return first
  }
}

function before(a: Event<unknown>, b: Event<unknown>): boolean {
  if (a.at !== b.at) return a.at < b.at
  return a.priority !== b.priority ? a.priority < b.priority : a.sequence < b.sequence
}
