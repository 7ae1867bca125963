import { feedAtom } from './atoms.ts'
import type { ItemFacts } from './item-facts.ts'
import { ENTRY_WORDS } from './postings.ts'
import { AND, KIND, LEAF_WORDS, MASK_SHIFT, NEGATED, TEST } from './program.ts'
import type { QueryIndex } from './query-index.ts'
import { PROGRAM, READS_FEEDS } from './registry.ts'
import { PRESENT } from './texts.ts'

/** Decides whether an item that passed a query's filter is in its feed: joins and DISTINCT. */
export type Accept = (id: string) => boolean

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
  // Read for every candidate, so kept at hand.
  private readonly programs: Int32Array
  private readonly lookedAt: Int32Array
  private readonly marks: Int32Array
  /** Marks of this item are not below this. */
  private readonly marked: number

  constructor(index: QueryIndex, facts: ItemFacts, generation: number, accept: Accept | undefined) {
    this.index = index
    this.facts = facts
    this.generation = generation
    this.accept = accept
    this.programs = index.registry.pool.data
    this.lookedAt = index.registry.lookedAt
    this.marks = index.terms.marks
    this.marked = index.terms.currentMark
  }

  run(): void {
    this.scanTerms()
    for (const record of this.index.unkeyed) this.look(record, this.index.registry.slotOf(record), false)
    this.scanTerms()
    // Names of feeds stand in no NOT, so more feeds can only satisfy more queries: this ends.
    for (let before = -1; before !== this.matched.length && this.waiting.length > 0; ) {
      before = this.matched.length
      this.askAgain()
      this.scanTerms()
    }
  }

  private askAgain(): void {
    const asked = this.waiting
    this.waiting = []
    for (const record of asked) {
      if (!this.evaluate(record + PROGRAM) || !this.satisfied(this.index.registry.slotOf(record)))
        this.waiting.push(record)
    }
  }

  private scanTerms(): void {
    const { present } = this.index.terms
    while (this.scannedTerms < present.length) this.scan(present[this.scannedTerms++]!)
  }

  private scan(term: number): void {
    const { terms, postings } = this.index
    const { data } = postings
    const start = postings.start(term)
    const end = start + postings.length(term)
    const fields = terms.fields(term)
    this.scanned += (end - start) / ENTRY_WORDS
    for (let at = start; at < end; at += ENTRY_WORDS) {
      const packed = data[at + 2]!
      if (((packed >> 1) & fields) === 0) continue
      const guard = data[at + 3]!
      if (guard === 0 || this.marks[guard]! >= this.marked) this.look(data[at]!, data[at + 1]!, (packed & 1) === 1)
    }
  }

  private look(record: number, slot: number, sure: boolean): void {
    if (this.lookedAt[slot] === this.generation) return
    this.lookedAt[slot] = this.generation
    this.candidates += 1
    if ((sure || this.evaluate(record + PROGRAM)) && this.satisfied(slot)) return
    if (this.programs[record + READS_FEEDS] === 1) this.waiting.push(record)
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

  /** The leaves of an AND or OR are looked at in place: nearly all programs are no deeper than that. */
  private evaluate(at: number): boolean {
    const { programs } = this
    const head = programs[at]!
    const kind = head & KIND
    if (kind < AND) return this.leafHolds(head, programs[at + 1]!)
    const isAnd = kind === AND
    const end = at + programs[at + 1]!
    for (let part = at + LEAF_WORDS; part < end; ) {
      const first = programs[part]!
      const second = programs[part + 1]!
      const isLeaf = (first & KIND) < AND
      if ((isLeaf ? this.leafHolds(first, second) : this.evaluate(part)) !== isAnd) return !isAnd
      part += isLeaf ? LEAF_WORDS : second
    }
    return isAnd
  }

  private leafHolds(head: number, id: number): boolean {
    const negated = (head & NEGATED) !== 0
    if ((head & KIND) === TEST) return this.index.tests.holds(id, this.facts, this.index.positions) !== negated
    const mark = this.marks[id]!
    return (mark >= this.marked && (mark & (head >> MASK_SHIFT)) !== 0) !== negated
  }
}
