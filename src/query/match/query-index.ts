import type { FeedQuery } from '../language/ast.ts'
import { planQuery } from '../plan/expression.ts'
import { compileExpression } from './compile.ts'
import { type CoverKey, costOfKeys, coverOf } from './cover.ts'
import { FieldUse } from './field-use.ts'
import { Postings } from './postings.ts'
import { eachLeaf, KIND, MASK_ALL, MASK_SHIFT, TERM } from './program.ts'
import { PROGRAM, Registry } from './registry.ts'
import { TermTable } from './terms.ts'
import { TestTable } from './tests.ts'
import { TokenPositions } from './token-positions.ts'

const FIRST_REVIEW_AT_ITEMS = 16
const REVIEW_FACTOR = 4
const REVIEWED_PER_ITEM = 128
const WORTH_MOVING = 0.7

/**
 * The shared plan of all queries: their programs, and under which terms each is filed. Adding and removing cost about
 * the size of the query.
 */
export class QueryIndex {
  readonly terms = new TermTable()
  readonly tests = new TestTable()
  readonly positions = new TokenPositions()
  readonly registry = new Registry()
  readonly postings = new Postings()
  readonly fieldUse = new FieldUse()
  /** Records of queries without a key. */
  readonly unkeyed = new Set<number>()
  /** Queries that read others by name. */
  readersOfFeeds = 0
  private nextReviewAt = FIRST_REVIEW_AT_ITEMS
  private reviewed = Number.POSITIVE_INFINITY

  add(id: string, query: FeedQuery): void {
    this.remove(id)
    const readsFeeds = query.sources.some(({ origin }) => origin.kind === 'name')
    const program = compileExpression(planQuery(query), this.terms, this.tests)
    const keys = coverOf(Int32Array.from(program), 0, this.terms)?.keys ?? null
    const record = this.registry.add(id, program, readsFeeds, keys)
    if (readsFeeds) this.readersOfFeeds += 1
    this.countFields(record, 1)
    this.file(record, keys)
  }

  remove(id: string): boolean {
    const { registry, terms, tests } = this
    const record = registry.find(id)
    if (record === undefined) return false
    this.unfile(record)
    if (registry.readsFeeds(record)) this.readersOfFeeds -= 1
    this.countFields(record, -1)
    eachLeaf(registry.pool.data, record + PROGRAM, registry.programEnd(record), (head, leaf) => {
      if ((head & KIND) === TERM) terms.release(leaf)
      else tests.release(leaf)
    })
    registry.remove(record)
    return true
  }

  /**
   * Which words are rare is learnt from items, so keys are chosen again after 16, 64, 256 … items: a few queries with
   * each item, that no item waits for all.
   */
  reviewSome(): void {
    const { registry, terms } = this
    if (this.reviewed >= registry.end) {
      if (terms.itemsSeen < this.nextReviewAt) return
      this.nextReviewAt = terms.itemsSeen * REVIEW_FACTOR
      this.reviewed = 0
    }
    const end = Math.min(registry.end, this.reviewed + REVIEWED_PER_ITEM)
    for (; this.reviewed < end; this.reviewed++) {
      const record = registry.recordIn(this.reviewed)
      if (record !== undefined) this.reviewQuery(record)
    }
  }

  private countFields(record: number, by: 1 | -1): void {
    const { registry, terms, tests, fieldUse } = this
    eachLeaf(registry.pool.data, record + PROGRAM, registry.programEnd(record), (head, leaf) => {
      if ((head & KIND) === TERM) fieldUse.countTerm(terms.name(leaf), (head >> MASK_SHIFT) & MASK_ALL, by)
      else fieldUse.countPredicate(tests.predicate(leaf), by)
    })
  }

  private reviewQuery(record: number): void {
    const keys = this.registry.keysOf(record)
    if (keys === null) return
    const best = coverOf(this.registry.pool.data, record + PROGRAM, this.terms)!
    if (best.cost > WORTH_MOVING * costOfKeys(keys, this.terms)) return
    this.unfile(record)
    this.file(this.registry.rekey(record, best.keys), best.keys)
  }

  private file(record: number, keys: readonly CoverKey[] | null): void {
    if (keys === null) this.unkeyed.add(record)
    else for (const key of keys) this.postings.add(this.registry.slotOf(record), record, key)
  }

  private unfile(record: number): void {
    const keys = this.registry.keysOf(record)
    if (keys === null) this.unkeyed.delete(record)
    else for (const { term } of keys) this.postings.remove(record, term)
  }
}
