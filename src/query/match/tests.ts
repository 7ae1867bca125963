import { words } from '../../store/text/fold.ts'
import type { ItemPredicate } from '../language/ast.ts'
import { compilePattern, type Pattern } from '../language/patterns.ts'
import { printCondition } from '../language/print.ts'
import type { ItemFacts } from './item-facts.ts'
import type { TermTable } from './terms.ts'
import { MASKS, patternTexts } from './texts.ts'
import { compare, countOf, publishedHolds } from './values.ts'

interface Test {
  readonly key: string
  readonly predicate: ItemPredicate
  readonly pattern: Pattern | null
  /** For phrases. */
  readonly words: readonly string[]
  /** Terms that must be present, each with its mask. */
  readonly needs: readonly (readonly [term: number, mask: number])[]
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

  use(predicate: ItemPredicate, needs: Test['needs']): number {
    const key = keyOf(predicate)
    const known = this.ids.get(key)
    if (known !== undefined) {
      this.tests[known]!.users += 1
      return known
    }
    const id = this.freed.pop() ?? this.tests.length
    const pattern = predicate.kind === 'matches' ? compilePattern(predicate.pattern, predicate.ignoreCase) : null
    const phrase = predicate.kind === 'contains' ? words(predicate.text) : []
    this.tests[id] = { key, predicate, pattern, words: phrase, needs, users: 1, askedFor: 0, answer: false }
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

  needs(id: number): Test['needs'] {
    return this.tests[id]!.needs
  }

  nextItem(): void {
    this.generation += 1
    this.answered = 0
  }

  holds(id: number, facts: ItemFacts, terms: TermTable): boolean {
    const test = this.tests[id]!
    if (test.askedFor !== this.generation) {
      test.askedFor = this.generation
      this.answered += 1
      test.answer = answer(test, facts, terms)
    }
    return test.answer
  }
}

/** Phrases that fold alike are one. */
function keyOf(predicate: ItemPredicate): string {
  if (predicate.kind !== 'contains' || predicate.stemmed) return printCondition(predicate)
  return printCondition({ ...predicate, text: words(predicate.text).join(' ') })
}

function answer({ predicate, pattern, words, needs }: Test, facts: ItemFacts, terms: TermTable): boolean {
  const { arrival, texts } = facts
  switch (predicate.kind) {
    case 'contains': {
      for (const [term, mask] of needs) if ((terms.fields(term) & mask) === 0) return false
      return predicate.stemmed
        ? facts.hasStemmedPhrase(predicate.text, MASKS[predicate.field])
        : facts.hasPhrase(words, MASKS[predicate.field])
    }
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
