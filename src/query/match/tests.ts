import { growColumn } from '../../model/columns.ts'
import { entryAt } from '../../model/entry-at.ts'
import { words } from '../../store/text/fold.ts'
import { MASKS, patternTexts } from '../item/texts.ts'
import type { ItemPredicate } from '../language/ast.ts'
import { compilePattern, type TextPattern } from '../language/patterns.ts'
import { printCondition } from '../language/print.ts'
import type { ItemFacts } from './item-facts.ts'
import type { TokenPositions } from './token-positions.ts'
import { compareNumbers, countOf, publishedHolds } from './values.ts'

interface Test {
  readonly key: string
  readonly predicate: ItemPredicate
  readonly pattern: TextPattern | null
  /** Terms that must follow each other. */
  readonly phrase: readonly number[]
  readonly mask: number
  users: number
  /** The generation of the item that it was last answered for, and the answer. */
  requestedInRound: number
  answer: boolean
}

/*
 * A phrase of two words, the usual one, is four numbers side by side, one look into memory instead of four: the item it
 * was last answered for (twice, plus one if it was true), its terms (the first 0: not such a phrase), the mask.
 */
const PAIR_WORDS = 4
const FIRST_PAIRS = 256
const MOST_GENERATIONS = 2 ** 30 - 1

/**
 * Predicates that are more than a look into the table of terms. Queries that ask the same share one, and it is answered
 * once per item.
 */
export class TestTable {
  private readonly tests: (Test | undefined)[] = []
  private readonly ids = new Map<string, number>()
  private readonly freed: number[] = []
  private pairs = new Int32Array(PAIR_WORDS * FIRST_PAIRS)
  private generation = 0
  answered = 0

  get size(): number {
    return this.ids.size
  }

  use(predicate: ItemPredicate, phrase: readonly number[]): number {
    const key = keyOf(predicate)
    const known = this.ids.get(key)
    if (known !== undefined) {
      entryAt(this.tests, known).users += 1
      return known
    }
    const id = this.freed.pop() ?? this.tests.length
    const pattern = predicate.kind === 'matches' ? compilePattern(predicate.pattern, predicate.ignoreCase) : null
    const mask = predicate.kind === 'contains' ? MASKS[predicate.field] : 0
    this.tests[id] = { key, predicate, pattern, phrase, mask, users: 1, requestedInRound: 0, answer: false }
    this.ids.set(key, id)
    const isPair = predicate.kind === 'contains' && !predicate.stemmed && phrase.length === 2
    this.reserve(id)
    this.pairs.set(isPair ? [0, phrase[0] ?? 0, phrase[1] ?? 0, mask] : [0, 0, 0, 0], PAIR_WORDS * id)
    return id
  }

  release(id: number): void {
    const test = entryAt(this.tests, id)
    test.users -= 1
    if (test.users > 0) return
    this.ids.delete(test.key)
    this.tests[id] = undefined
    this.freed.push(id)
  }

  /** Of a test in use. */
  predicate(id: number): ItemPredicate {
    return entryAt(this.tests, id).predicate
  }

  nextItem(): void {
    if (this.generation >= MOST_GENERATIONS) this.forgetAnswers()
    this.generation += 1
    this.answered = 0
  }

  holds(id: number, facts: ItemFacts, positions: TokenPositions): boolean {
    const { pairs, generation } = this
    const at = PAIR_WORDS * id
    const first = pairs[at + 1] ?? 0
    if (first === 0) return this.otherHolds(id, facts, positions)
    const last = pairs[at] ?? 0
    if (last >> 1 === generation) return (last & 1) === 1
    this.answered += 1
    const holds = positions.hasPair(first, pairs[at + 2] ?? 0, pairs[at + 3] ?? 0)
    pairs[at] = (generation << 1) | (holds ? 1 : 0)
    return holds
  }

  private otherHolds(id: number, facts: ItemFacts, positions: TokenPositions): boolean {
    const test = entryAt(this.tests, id)
    if (test.requestedInRound !== this.generation) {
      test.requestedInRound = this.generation
      this.answered += 1
      test.answer = answer(test, facts, positions)
    }
    return test.answer
  }

  private forgetAnswers(): void {
    this.generation = 0
    for (let at = 0; at < this.pairs.length; at += PAIR_WORDS) this.pairs[at] = 0
    for (const test of this.tests) if (test !== undefined) test.requestedInRound = 0
  }

  private reserve(id: number): void {
    const length = PAIR_WORDS * (id + 1)
    if (length > this.pairs.length) this.pairs = growColumn(this.pairs, 2 * length)
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
      return compareNumbers(countOf(predicate.field, arrival, texts), predicate.comparison, predicate.number)
    case 'equals':
      throw new Error('Equality is a look into the table of terms')
  }
}
