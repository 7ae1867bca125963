import type { Key } from './cover.ts'
import { RecordPool } from './record-pool.ts'

const FIRST_SLOTS = 256
/** Length, whether it reads feeds by name, number of keys (−1: none can be found). */
const HEADER_WORDS = 3
const KEY_WORDS = 3

/** Every query has a slot, and a record in the pool: header, keys, program. */
export class Registry {
  private readonly slots = new Map<string, number>()
  private readonly ids: (string | undefined)[] = []
  private readonly freed: number[] = []
  private records = new Int32Array(FIRST_SLOTS)
  /** The item that a query was last looked at for. */
  lookedAt = new Int32Array(FIRST_SLOTS)
  readonly pool = new RecordPool()

  get size(): number {
    return this.slots.size
  }

  /** Slots in use are below this. */
  get end(): number {
    return this.ids.length
  }

  slotOf(id: string): number | undefined {
    return this.slots.get(id)
  }

  /** undefined: the slot is free. */
  idOf(slot: number): string | undefined {
    return this.ids[slot]
  }

  *allIds(): IterableIterator<string> {
    yield* this.slots.keys()
  }

  add(id: string, program: readonly number[], readsFeeds: boolean, keys: readonly Key[] | null): number {
    const slot = this.freed.pop() ?? this.ids.length
    this.ids[slot] = id
    this.slots.set(id, slot)
    this.reserve(slot)
    this.lookedAt[slot] = 0
    this.write(slot, program, readsFeeds, keys)
    return slot
  }

  remove(slot: number): void {
    const at = this.records[slot]!
    this.pool.free(at, this.pool.data[at]!)
    this.slots.delete(this.ids[slot]!)
    this.ids[slot] = undefined
    this.freed.push(slot)
  }

  /** Files a query under other keys. */
  rekey(slot: number, keys: readonly Key[] | null): void {
    const { data } = this.pool
    const at = this.records[slot]!
    const program = Array.from(data.subarray(this.programAt(slot), this.programEnd(slot)))
    const readsFeeds = this.readsFeeds(slot)
    this.pool.free(at, data[at]!)
    this.write(slot, program, readsFeeds, keys)
  }

  readsFeeds(slot: number): boolean {
    return this.pool.data[this.records[slot]! + 1] === 1
  }

  keysOf(slot: number): Key[] | null {
    const { data } = this.pool
    const at = this.records[slot]!
    const count = data[at + 2]!
    if (count < 0) return null
    return Array.from({ length: count }, (_, index) => {
      const key = at + HEADER_WORDS + KEY_WORDS * index
      return { term: data[key]!, mask: data[key + 1]! >> 1, sure: (data[key + 1]! & 1) === 1, guard: data[key + 2]! }
    })
  }

  programAt(slot: number): number {
    const at = this.records[slot]!
    return at + HEADER_WORDS + KEY_WORDS * Math.max(0, this.pool.data[at + 2]!)
  }

  programEnd(slot: number): number {
    const at = this.records[slot]!
    return at + this.pool.data[at]!
  }

  private write(slot: number, program: readonly number[], readsFeeds: boolean, keys: readonly Key[] | null): void {
    const record = [0, readsFeeds ? 1 : 0, keys === null ? -1 : keys.length]
    for (const { term, mask, sure, guard } of keys ?? []) record.push(term, (mask << 1) | (sure ? 1 : 0), guard)
    for (const word of program) record.push(word)
    record[0] = record.length
    this.records[slot] = this.pool.store(record)
  }

  private reserve(slot: number): void {
    if (slot < this.records.length) return
    const records = new Int32Array(2 * this.records.length)
    const lookedAt = new Int32Array(records.length)
    records.set(this.records)
    lookedAt.set(this.lookedAt)
    this.records = records
    this.lookedAt = lookedAt
  }
}
