import { feedAtom } from './atoms.ts'
import type { ItemFacts } from './item-facts.ts'
import { ENTRY_WORDS } from './postings.ts'
import { AND, endOfPart, KIND, LEAF_WORDS, MASK_ALL, MASK_SHIFT, NEGATED, TERM, TEST } from './program.ts'
import type { QueryIndex } from './query-index.ts'
import { LOOKED_AT, PROGRAM, READS_FEEDS } from './registry.ts'
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

  constructor(index: QueryIndex, facts: ItemFacts, generation: number, accept: Accept | undefined) {
    this.index = index
    this.facts = facts
    this.generation = generation
    this.accept = accept
  }

  run(): void {
    this.scanTerms()
    for (const record of this.index.unkeyed) this.look(record, false)
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
      if (this.evaluate(record + PROGRAM)) this.satisfied(record)
      else this.waiting.push(record)
    }
  }

  private scanTerms(): void {
    const { present } = this.index.terms
    while (this.scannedTerms < present.length) this.scan(present[this.scannedTerms++]!)
  }

  private scan(term: number): void {
    const { terms, postings } = this.index
    const entries = postings.of(term)
    if (entries === undefined) return
    const fields = terms.fields(term)
    this.scanned += entries.length / ENTRY_WORDS
    for (let at = 0; at < entries.length; at += ENTRY_WORDS) {
      const packed = entries[at + 1]!
      if (((packed >> 1) & fields) === 0) continue
      const guard = entries[at + 2]!
      if (guard === 0 || terms.fields(guard) !== 0) this.look(entries[at]!, (packed & 1) === 1)
    }
  }

  private look(record: number, sure: boolean): void {
    const { data } = this.index.registry.pool
    if (data[record + LOOKED_AT] === this.generation) return
    data[record + LOOKED_AT] = this.generation
    this.candidates += 1
    if (sure || this.evaluate(record + PROGRAM)) this.satisfied(record)
    else if (data[record + READS_FEEDS] === 1) this.waiting.push(record)
  }

  private satisfied(record: number): void {
    const { registry, terms, readersOfFeeds } = this.index
    const id = registry.idOf(record)
    if (this.accept !== undefined && !this.accept(id)) return
    this.matched.push(id)
    if (readersOfFeeds === 0) return
    const term = terms.id(feedAtom(id))
    if (term !== undefined) terms.mark(term, PRESENT)
  }

  private evaluate(at: number): boolean {
    const { data } = this.index.registry.pool
    const head = data[at]!
    const kind = head & KIND
    if (kind === TERM) {
      const found = (this.index.terms.fields(data[at + 1]!) & (head >> MASK_SHIFT) & MASK_ALL) !== 0
      return found !== ((head & NEGATED) !== 0)
    }
    if (kind === TEST) {
      const found = this.index.tests.holds(data[at + 1]!, this.facts, this.index.terms)
      return found !== ((head & NEGATED) !== 0)
    }
    const end = endOfPart(data, at)
    for (let part = at + LEAF_WORDS; part < end; part = endOfPart(data, part)) {
      if (this.evaluate(part) !== (kind === AND)) return kind !== AND
    }
    return kind === AND
  }
}
