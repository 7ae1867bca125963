import { growColumn } from '../../model/columns.ts'
import type { CoverKey } from './cover.ts'

/** Record of the query, its slot, mask and `sure`, guard. */
export const ENTRY_WORDS = 4
const FIRST_TERMS = 1_024
const FIRST_WORDS = 4_096

/**
 * Which queries are filed under a term: for each term a block of entries in one array. A full block moves to one twice as
 * large; blocks left behind are used again.
 */
export class Postings {
  data = new Int32Array(FIRST_WORDS)
  private starts = new Int32Array(FIRST_TERMS)
  private lengths = new Int32Array(FIRST_TERMS)
  private capacities = new Int32Array(FIRST_TERMS)
  private used = 0
  /** By size. */
  private readonly freed = new Map<number, number[]>()

  /** Where the entries of a term begin in `data`. */
  start(term: number): number {
    return term < this.starts.length ? (this.starts[term] ?? 0) : 0
  }

  /** How many numbers they are. */
  length(term: number): number {
    return term < this.lengths.length ? (this.lengths[term] ?? 0) : 0
  }

  add(slot: number, record: number, { term, mask, sure, guard }: CoverKey): void {
    this.reserve(term)
    const length = this.lengths[term] ?? 0
    if (length === (this.capacities[term] ?? 0)) this.move(term, Math.max(ENTRY_WORDS, 2 * length))
    const at = (this.starts[term] ?? 0) + length
    this.data[at] = record
    this.data[at + 1] = slot
    this.data[at + 2] = (mask << 1) | (sure ? 1 : 0)
    this.data[at + 3] = guard
    this.lengths[term] = length + ENTRY_WORDS
  }

  /** The last entry takes the place of the removed one. */
  remove(record: number, term: number): void {
    let at = this.starts[term] ?? 0
    while (this.data[at] !== record) at += ENTRY_WORDS
    const last = (this.starts[term] ?? 0) + (this.lengths[term] ?? 0) - ENTRY_WORDS
    this.data.copyWithin(at, last, last + ENTRY_WORDS)
    this.lengths[term] = (this.lengths[term] ?? 0) - ENTRY_WORDS
    if (this.lengths[term] === 0) this.release(term)
  }

  private move(term: number, capacity: number): void {
    const start = this.freed.get(capacity)?.pop() ?? this.allocate(capacity)
    const from = this.starts[term] ?? 0
    const length = this.lengths[term] ?? 0
    this.data.copyWithin(start, from, from + length)
    this.release(term)
    this.starts[term] = start
    this.capacities[term] = capacity
  }

  private release(term: number): void {
    const capacity = this.capacities[term] ?? 0
    if (capacity === 0) return
    const same = this.freed.get(capacity)
    if (same === undefined) this.freed.set(capacity, [this.starts[term] ?? 0])
    else same.push(this.starts[term] ?? 0)
    this.capacities[term] = 0
  }

  private allocate(words: number): number {
    const start = this.used
    this.used += words
    if (this.used > this.data.length) {
      this.data = growColumn(this.data, Math.max(this.used, Math.ceil(1.5 * this.data.length)))
    }
    return start
  }

  private reserve(term: number): void {
    if (term < this.starts.length) return
    const length = Math.max(term + 1, 2 * this.starts.length)
    this.starts = growColumn(this.starts, length)
    this.lengths = growColumn(this.lengths, length)
    this.capacities = growColumn(this.capacities, length)
  }
}
