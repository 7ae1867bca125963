import { growColumn } from '../../model/columns.ts'
import { entryAt } from '../../model/entry-at.ts'
import type { CoverKey } from './cover.ts'
import { RecordPool } from './record-pool.ts'

/**
 * A query is a record of numbers. Program first, because that is what is read for every candidate, and memory comes in
 * lines of sixteen numbers:
 *
 *   its slot · reads feeds by name · words of the program · number of keys (−1: none can be found) · program … · keys …
 */
const SLOT = 0
export const READS_FEEDS = 1
export const PROGRAM = 4
const PROGRAM_WORDS = 2
const KEY_COUNT = 3
const KEY_WORDS = 3
const FIRST_SLOTS = 256

/** Which queries there are, and where the record of each is. */
export class Registry {
  private readonly slots = new Map<string, number>()
  private readonly ids: (string | undefined)[] = []
  private readonly freed: number[] = []
  private records = new Int32Array(FIRST_SLOTS)
  /** The item that the query in a slot was last evaluated for: apart, because it is read most. */
  checkedAt = new Int32Array(FIRST_SLOTS)
  readonly pool = new RecordPool()

  get size(): number {
    return this.slots.size
  }

  /** Slots in use are below this. */
  get end(): number {
    return this.ids.length
  }

  /** Where the record of a query is; undefined: there is no such query. */
  find(id: string): number | undefined {
    const slot = this.slots.get(id)
    return slot === undefined ? undefined : this.records[slot]
  }

  /** undefined: the slot is free. */
  recordIn(slot: number): number | undefined {
    return this.ids[slot] === undefined ? undefined : this.records[slot]
  }

  slotOf(record: number): number {
    return this.pool.data[record + SLOT] ?? 0
  }

  idIn(slot: number): string {
    return entryAt(this.ids, slot)
  }

  allIds(): IterableIterator<string> {
    return this.slots.keys()
  }

  add(id: string, program: readonly number[], readsFeeds: boolean, keys: readonly CoverKey[] | null): number {
    const slot = this.freed.pop() ?? this.ids.length
    this.ids[slot] = id
    this.slots.set(id, slot)
    this.reserve(slot)
    this.checkedAt[slot] = 0
    return this.write(slot, program, readsFeeds, keys)
  }

  remove(record: number): void {
    const slot = this.pool.data[record + SLOT] ?? 0
    this.free(record)
    this.slots.delete(entryAt(this.ids, slot))
    this.ids[slot] = undefined
    this.freed.push(slot)
  }

  /** The same query under other keys; its record moves. */
  rekey(record: number, keys: readonly CoverKey[]): number {
    const { data } = this.pool
    const program = Array.from(data.subarray(record + PROGRAM, this.programEnd(record)))
    const slot = data[record + SLOT] ?? 0
    const readsFeeds = this.readsFeeds(record)
    this.free(record)
    return this.write(slot, program, readsFeeds, keys)
  }

  readsFeeds(record: number): boolean {
    return this.pool.data[record + READS_FEEDS] === 1
  }

  programEnd(record: number): number {
    return record + PROGRAM + (this.pool.data[record + PROGRAM_WORDS] ?? 0)
  }

  keysOf(record: number): CoverKey[] | null {
    const { data } = this.pool
    const count = data[record + KEY_COUNT] ?? 0
    if (count < 0) return null
    const first = this.programEnd(record)
    return Array.from({ length: count }, (_, index) => {
      const at = first + KEY_WORDS * index
      return {
        term: data[at] ?? 0,
        mask: (data[at + 1] ?? 0) >> 1,
        sure: ((data[at + 1] ?? 0) & 1) === 1,
        guard: data[at + 2] ?? 0,
      }
    })
  }

  private write(
    slot: number,
    program: readonly number[],
    readsFeeds: boolean,
    keys: readonly CoverKey[] | null,
  ): number {
    const words = [slot, readsFeeds ? 1 : 0, program.length, keys === null ? -1 : keys.length]
    for (const word of program) words.push(word)
    for (const { term, mask, sure, guard } of keys ?? []) words.push(term, (mask << 1) | (sure ? 1 : 0), guard)
    const record = this.pool.store(words)
    this.records[slot] = record
    return record
  }

  private free(record: number): void {
    const keys = Math.max(0, this.pool.data[record + KEY_COUNT] ?? 0)
    this.pool.free(record, this.programEnd(record) - record + KEY_WORDS * keys)
  }

  private reserve(slot: number): void {
    if (slot < this.records.length) return
    const length = 2 * this.records.length
    this.records = growColumn(this.records, length)
    this.checkedAt = growColumn(this.checkedAt, length)
  }
}
