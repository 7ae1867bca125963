interface Fifo<T> {
  entries: T[]
  head: number
}

const COMPACT_FROM = 32

/** Lists by name from which only the oldest entry is ever taken: what comes first leaves first. */
export class FifoLists<T> {
  private readonly lists = new Map<string, Fifo<T>>()

  get size(): number {
    return this.lists.size
  }

  add(name: string, entry: T): void {
    const list = this.lists.get(name)
    if (list === undefined) this.lists.set(name, { entries: [entry], head: 0 })
    else list.entries.push(entry)
  }

  takeOldest(name: string): void {
    const list = this.lists.get(name)!
    list.head += 1
    if (list.head === list.entries.length) this.lists.delete(name)
    else if (list.head >= COMPACT_FROM && 2 * list.head >= list.entries.length) {
      list.entries = list.entries.slice(list.head)
      list.head = 0
    }
  }

  each(name: string, visit: (entry: T) => void): void {
    const list = this.lists.get(name)
    if (list === undefined) return
    for (let at = list.head; at < list.entries.length; at++) visit(list.entries[at]!)
  }
}
