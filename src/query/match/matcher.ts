import { type Arrival, type DetectLanguage, type MatchItem, type MatchSource, NO_SOURCE } from '../item/arrival.ts'
import { MASKS } from '../item/texts.ts'
import type { FeedQuery } from '../language/ast.ts'
import { ItemFacts } from './item-facts.ts'
import { QueryIndex } from './query-index.ts'
import { type Accept, noCandidates, Round } from './round.ts'

/** What a matcher can be given. */
export interface MatcherOptions {
  /** For items whose feed does not declare a language; see loadLanguageDetector. Without it they have none. */
  readonly detectLanguage?: DetectLanguage
}

/** What the last item cost. */
export interface MatchCost {
  /** Entries of the index that were read, including those refused by their field or guard. */
  readonly scanned: number
  /** Queries that were evaluated. */
  readonly candidates: number
  readonly matches: number
  /** Predicates beyond words and values that were answered, each once. */
  readonly tests: number
}

/** How much a matcher holds. */
export interface MatcherSize {
  readonly queries: number
  readonly terms: number
  readonly tests: number
  /** Queries without a key, evaluated for every item: only NOT, patterns, dates or counts, over all sources. */
  readonly alwaysChecked: number
}

const MOST_GENERATIONS = 2 ** 31 - 2

/**
 * All queries at once. Each is filed under a few keys (words or values), the rarest it has, of which an item must show
 * one to satisfy it; so an item touches only queries filed under what it holds. Query feeds may read each other by name:
 * an item that is in feed a is offered to those that read a.
 */
export class Matcher {
  private readonly index = new QueryIndex()
  private readonly detect: DetectLanguage
  private readonly found = noCandidates()
  private generation = 0
  private cost: MatchCost = { scanned: 0, candidates: 0, matches: 0, tests: 0 }

  constructor(options: MatcherOptions = {}) {
    this.detect = options.detectLanguage ?? (() => '')
  }

  /** One that is there already is replaced. Of the query, its sources and WHERE count here; the rest is for `accept`. */
  add(id: string, query: FeedQuery): void {
    this.index.add(id, query)
  }

  /** false: there was none. */
  remove(id: string): boolean {
    return this.index.remove(id)
  }

  /** Whether there is a query of this id. */
  has(id: string): boolean {
    return this.index.registry.find(id) !== undefined
  }

  /** The queries, in no promised order. */
  ids(): IterableIterator<string> {
    return this.index.registry.allIds()
  }

  /** Whether some query asks for the language of items, so that a detector is worth loading. */
  get needsLanguage(): boolean {
    return this.index.terms.hasStemmed || this.index.terms.asksFor('LANGUAGE')
  }

  /** Whether some query asks for more of the texts of items than their titles. */
  get readsTexts(): boolean {
    return (this.index.fieldUse.texts & (MASKS.DESCRIPTION | MASKS.CONTENT)) !== 0
  }

  /** Whether no query asks for more of items than their titles, and where they come from. */
  get readsOnlyTitles(): boolean {
    return this.index.fieldUse.onlyTitles
  }

  /** How much it holds. */
  get size(): MatcherSize {
    const { registry, terms, tests, unkeyed } = this.index
    return { queries: registry.size, terms: terms.size, tests: tests.size, alwaysChecked: unkeyed.size }
  }

  /** What the last item cost. */
  get lastCost(): MatchCost {
    return this.cost
  }

  /** The queries whose feeds the item is in. */
  match(item: MatchItem, source: MatchSource = NO_SOURCE, accept?: Accept): string[] {
    return this.matchArrival({ item, source }, accept)
  }

  /** The same for an item that may be known to be in some feeds. */
  matchArrival(arrival: Arrival, accept?: Accept): string[] {
    const { terms, tests, registry, fieldUse } = this.index
    const facts = new ItemFacts(arrival, this.detect, fieldUse)
    if (this.generation >= MOST_GENERATIONS) {
      registry.checkedAt.fill(0)
      this.generation = 0
    }
    this.generation += 1
    terms.nextItem()
    tests.nextItem()
    facts.markIn(terms, this.index.positions, fieldUse)
    const round = new Round(this.index, facts, this.generation, this.found, accept)
    round.run()
    const { scanned, candidates, matched } = round
    this.cost = { scanned, candidates, matches: matched.length, tests: tests.answered }
    this.index.reviewSome()
    return matched
  }
}
