import { growColumn } from '../../model/columns.ts'
import { feedAtom } from '../item/atoms.ts'
import { PRESENT } from '../item/texts.ts'
import type { ItemFacts } from './item-facts.ts'
import { ENTRY_WORDS } from './postings.ts'
import { AND, KIND, LEAF_WORDS, MASK_SHIFT, NEGATED, TEST } from './program.ts'
import type { QueryIndex } from './query-index.ts'
import { PROGRAM, READS_FEEDS } from './registry.ts'

/** Decides whether an item that passed a query's filter is in its feed: joins and DISTINCT. */
export type Accept = (id: string) => boolean

/** Queries that an item must be compared with, reused from item to item: each is two numbers. */
export interface Candidates {
  /** Record of the query; then its slot, twice, plus one if nothing remains to be evaluated. */
  list: Int32Array
  count: number
}

const CANDIDATE_WORDS = 2
const FIRST_CANDIDATES = 4_096

export function noCandidates(): Candidates {
  return { list: new Int32Array(FIRST_CANDIDATES), count: 0 }
}

/** One item against all queries; the terms of the item are marked before. */
export class Round {
  readonly matched: string[] = []
  scanned = 0
  candidates = 0
  private readonly index: QueryIndex
  private readonly facts: ItemFacts
  private readonly generation: number
  private readonly accept: Accept | undefined
  /** Queries that read other feeds and were not satisfied yet: the item may still come by one of those. */
  private waiting: number[] = []
  private scannedTerms = 0
  private readonly found: Candidates
  /** Of no meaning; it keeps the fetching from being optimised away. */
  private fetched = 0
  // Read for every candidate, so in a variable.
  private readonly programs: Int32Array
  private readonly checkedAt: Int32Array
  private readonly marks: Int32Array
  /** Marks of this item are not below this. */
  private readonly marked: number

  constructor(index: QueryIndex, facts: ItemFacts, generation: number, found: Candidates, accept: Accept | undefined) {
    this.index = index
    this.facts = facts
    this.generation = generation
    this.found = found
    this.accept = accept
    this.programs = index.registry.pool.data
    this.checkedAt = index.registry.checkedAt
    this.marks = index.terms.marks
    this.marked = index.terms.currentMark
  }

  run(): void {
    this.scanTerms()
    for (const record of this.index.unkeyed) this.note(record, this.index.registry.slotOf(record), false)
    this.lookAtAll()
    this.scanTerms()
    // Names of feeds are in no NOT, so more feeds can only satisfy more queries: this ends.
    for (let before = -1; before !== this.matched.length && this.waiting.length > 0; ) {
      before = this.matched.length
      this.askAgain()
      this.scanTerms()
    }
  }

  private askAgain(): void {
    const waiting = this.waiting
    this.waiting = []
    for (const record of waiting) {
      if (!this.evaluate(record + PROGRAM) || !this.satisfied(this.index.registry.slotOf(record)))
        this.waiting.push(record)
    }
  }

  private scanTerms(): void {
    const { present } = this.index.terms
    while (this.scannedTerms < present.length) {
      while (this.scannedTerms < present.length) this.scan(present[this.scannedTerms++] ?? 0)
      this.lookAtAll()
    }
  }

  private scan(term: number): void {
    const { terms, postings } = this.index
    const { data } = postings
    const start = postings.start(term)
    const end = start + postings.length(term)
    const fields = terms.fields(term)
    this.scanned += (end - start) / ENTRY_WORDS
    for (let at = start; at < end; at += ENTRY_WORDS) {
      const packed = data[at + 2] ?? 0
      if (((packed >> 1) & fields) === 0) continue
      const guard = data[at + 3] ?? 0
      if (guard === 0 || (this.marks[guard] ?? 0) >= this.marked)
        this.note(data[at] ?? 0, data[at + 1] ?? 0, (packed & 1) === 1)
    }
  }

  /** Once per item. */
  private note(record: number, slot: number, sure: boolean): void {
    if (this.checkedAt[slot] === this.generation) return
    this.checkedAt[slot] = this.generation
    const { found } = this
    const at = found.count
    if (at + CANDIDATE_WORDS > found.list.length) found.list = growColumn(found.list, 2 * found.list.length)
    found.list[at] = record
    found.list[at + 1] = (slot << 1) | (sure ? 1 : 0)
    found.count = at + CANDIDATE_WORDS
  }

  /**
   * First all are touched, then all are evaluated: the records of a hundred thousand queries are in no cache, and a loop
   * that does nothing but fetch waits for many of them at once instead of for one after the other.
   */
  private lookAtAll(): void {
    const { list, count } = this.found
    this.candidates += count / CANDIDATE_WORDS
    this.fetch(list, count)
    this.found.count = 0
    for (let at = 0; at < count; at += CANDIDATE_WORDS) {
      const record = list[at] ?? 0
      const slot = (list[at + 1] ?? 0) >> 1
      if ((((list[at + 1] ?? 0) & 1) === 1 || this.evaluate(record + PROGRAM)) && this.satisfied(slot)) continue
      if (this.programs[record + READS_FEEDS] === 1) this.waiting.push(record)
    }
  }

  private fetch(list: Int32Array, count: number): void {
    const { programs } = this
    const { registry } = this.index
    let sum = 0
    for (let at = 0; at < count; at += CANDIDATE_WORDS) {
      sum ^= programs[(list[at] ?? 0) + PROGRAM] ?? 0
      if (registry.idIn((list[at + 1] ?? 0) >> 1) === undefined) sum += 1
    }
    this.fetched ^= sum
  }

  /** false: refused, unless it comes by another feed too. */
  private satisfied(slot: number): boolean {
    const { registry, terms, readersOfFeeds } = this.index
    const id = registry.idIn(slot)
    if (this.accept !== undefined && !this.accept(id)) return false
    this.matched.push(id)
    if (readersOfFeeds === 0) return true
    const term = terms.id(feedAtom(id))
    if (term !== undefined) terms.mark(term, PRESENT)
    return true
  }

  /** The leaves of an AND or OR are evaluated in place: nearly all programs are no deeper than that. */
  private evaluate(at: number): boolean {
    const { programs } = this
    const head = programs[at] ?? 0
    const kind = head & KIND
    if (kind < AND) return this.leafHolds(head, programs[at + 1] ?? 0)
    const isAnd = kind === AND
    const end = at + (programs[at + 1] ?? 0)
    for (let part = at + LEAF_WORDS; part < end; ) {
      const first = programs[part] ?? 0
      const second = programs[part + 1] ?? 0
      const isLeaf = (first & KIND) < AND
      if ((isLeaf ? this.leafHolds(first, second) : this.evaluate(part)) !== isAnd) return !isAnd
      part += isLeaf ? LEAF_WORDS : second
    }
    return isAnd
  }

  private leafHolds(head: number, id: number): boolean {
    const negated = (head & NEGATED) !== 0
    if ((head & KIND) === TEST) return this.index.tests.holds(id, this.facts, this.index.positions) !== negated
    const mark = this.marks[id] ?? 0
    return (mark >= this.marked && (mark & (head >> MASK_SHIFT)) !== 0) !== negated
  }
}
