interface List {
  readonly value: string
  entries: number[]
  head: number
}

const COMPACT_FROM = 32

/**
 * Who has which value. Values are numbered, because the same few are compared over and over; one that nobody has any more
 * is forgotten. Entries mostly leave in the order in which they came.
 */
export class ValueLists {
  private readonly ids = new Map<string, number>()
  private readonly lists: (List | undefined)[] = []
  private readonly freed: number[] = []
  private readonly marks: number[] = []
  private mark = 0

  /** undefined: nobody has it. */
  id(value: string): number | undefined {
    return this.ids.get(value)
  }

  add(value: string, entry: number): number {
    const known = this.ids.get(value)
    if (known !== undefined) {
      this.list(known).entries.push(entry)
      return known
    }
    const id = this.freed.pop() ?? this.lists.length
    // A word that was cut out of a text may keep the whole text in memory: it is copied.
    const own = Buffer.from(value).toString()
    this.ids.set(own, id)
    this.lists[id] = { value: own, entries: [entry], head: 0 }
    this.marks[id] = 0
    return id
  }

  take(id: number, entry: number): void {
    const list = this.list(id)
    if (list.entries[list.head] === entry) list.head += 1
    else list.entries.splice(list.entries.indexOf(entry, list.head), 1)
    if (list.head === list.entries.length) {
      this.ids.delete(list.value)
      this.lists[id] = undefined
      this.freed.push(id)
    } else if (list.head >= COMPACT_FROM && 2 * list.head >= list.entries.length) {
      list.entries = list.entries.slice(list.head)
      list.head = 0
    }
  }

  count(id: number): number {
    const { entries, head } = this.list(id)
    return entries.length - head
  }

  /** Whether the callback says true for one of those who have the value; asks no further then. */
  some(id: number, says: (entry: number) => boolean): boolean {
    const { entries, head } = this.list(id)
    for (let at = head; at < entries.length; at++) if (says(entries[at] ?? 0)) return true
    return false
  }

  /** Not `entryAt`: called for every word of every item, and read with the types of all its callers it took 5 % of a join. */
  private list(id: number): List {
    const list = this.lists[id]
    if (list === undefined) throw new RangeError(`no value has the number ${id}`)
    return list
  }

  /** Marks these values and no others. */
  markOnly(ids: readonly number[]): void {
    this.mark += 1
    for (const id of ids) this.marks[id] = this.mark
  }

  /** How many of these are marked. */
  marked(ids: readonly number[]): number {
    const { marks, mark } = this
    let count = 0
    for (let i = 0; i < ids.length; i++) if (marks[ids[i] ?? 0] === mark) count += 1
    return count
  }
}
