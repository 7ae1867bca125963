import { words } from '../../store/text/fold.ts'
import type { ItemPredicate } from '../language/ast.ts'
import { compilePattern, type Pattern } from '../language/patterns.ts'
import { printCondition } from '../language/print.ts'
import type { ItemFacts } from './item-facts.ts'
import { MASKS, patternTexts } from './texts.ts'
import type { TokenPositions } from './token-positions.ts'
import { compare, countOf, publishedHolds } from './values.ts'

interface Test {
  readonly key: string
  readonly predicate: ItemPredicate
  readonly pattern: Pattern | null
  /** Terms that must follow each other. */
  readonly phrase: readonly number[]
  readonly mask: number
  users: number
  /** The generation of the item that it was last answered for, and the answer. */
  askedFor: number
  answer: boolean
}

/**
 * Predicates that are more than a look into the table of terms. Queries that ask the same share one, and it is answered
 * once per item.
 */
export class TestTable {
  private readonly tests: (Test | undefined)[] = []
  private readonly ids = new Map<string, number>()
  private readonly freed: number[] = []
  private generation = 0
  answered = 0

  get size(): number {
    return this.ids.size
  }

  use(predicate: ItemPredicate, phrase: readonly number[]): number {
    const key = keyOf(predicate)
    const known = this.ids.get(key)
    if (known !== undefined) {
      this.tests[known]!.users += 1
      return known
    }
    const id = this.freed.pop() ?? this.tests.length
    const pattern = predicate.kind === 'matches' ? compilePattern(predicate.pattern, predicate.ignoreCase) : null
    const mask = predicate.kind === 'contains' ? MASKS[predicate.field] : 0
    this.tests[id] = { key, predicate, pattern, phrase, mask, users: 1, askedFor: 0, answer: false }
    this.ids.set(key, id)
    return id
  }

  release(id: number): void {
    const test = this.tests[id]!
    test.users -= 1
    if (test.users > 0) return
    this.ids.delete(test.key)
    this.tests[id] = undefined
    this.freed.push(id)
  }

  nextItem(): void {
    this.generation += 1
    this.answered = 0
  }

  holds(id: number, facts: ItemFacts, positions: TokenPositions): boolean {
    const test = this.tests[id]!
    if (test.askedFor !== this.generation) {
      test.askedFor = this.generation
      this.answered += 1
      test.answer = answer(test, facts, positions)
    }
    return test.answer
  }
}

/** Phrases that fold alike are one. */
function keyOf(predicate: ItemPredicate): string {
  if (predicate.kind !== 'contains' || predicate.stemmed) return printCondition(predicate)
  return printCondition({ ...predicate, text: words(predicate.text).join(' ') })
}

/** All words of a phrase are known to be there; it remains to see whether they follow each other. */
function answer({ predicate, pattern, phrase, mask }: Test, facts: ItemFacts, positions: TokenPositions): boolean {
  const { arrival, texts } = facts
  switch (predicate.kind) {
    case 'contains':
      return predicate.stemmed ? facts.hasStemmedPhrase(predicate.text, mask) : positions.has(phrase, mask)
    case 'matches':
      return patternTexts(arrival, texts, predicate.field).some((text) => pattern!.test(text))
    case 'published':
      return publishedHolds(predicate, arrival)
    case 'count':
      return compare(countOf(predicate.field, arrival, texts), predicate.comparison, predicate.number)
    case 'equals':
      throw new Error('Equality is a look into the table of terms')
  }
}
