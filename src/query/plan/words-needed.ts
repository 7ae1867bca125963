import type { WordNeeds } from '../../store/text/words-needed.ts'
import { MASKS } from '../item/texts.ts'
import type { FeedQuery } from '../language/ast.ts'
import { type Expression, planQuery } from './expression.ts'

/** Longer questions cost the text index more than they save. */
const MOST_PARTS = 50
/** What the index and the queries cut alike, and of which a part is cut alike, whatever follows. */
const PLAIN_WORD = /^[a-z0-9]{2,}$/

/**
 * Words without which no item is in any of the feeds, so that the text index can choose the candidates; null: there are
 * none. Of the queries alone: an item that JOIN or DISTINCT must remember need not hold them.
 */
export function wordsNeededBy(queries: readonly FeedQuery[]): WordNeeds | null {
  return anyOf(queries.map((query) => wordsNeeded(planQuery(query))))
}

function wordsNeeded(expression: Expression): WordNeeds | null {
  switch (expression.kind) {
    case 'and':
      return allOf(expression.of.flatMap((part) => wordsNeeded(part) ?? []))
    case 'or':
      return anyOf(expression.of.map(wordsNeeded))
    case 'term': {
      const { term, mask, negated } = expression
      // The index knows no links and nothing of sources.
      const isIndexed = (mask & ~MASKS.ITEM) === 0 && PLAIN_WORD.test(term)
      return isIndexed && !negated ? { kind: 'word', word: term } : null
    }
    case 'test': {
      const { predicate, phrase, negated } = expression
      const isIndexed = predicate.kind === 'contains' && (MASKS[predicate.field] & ~MASKS.ITEM) === 0
      // Stemmed words have a sign before them, and are not plain.
      const isKnown = isIndexed && phrase.length > 1 && phrase.every((word) => PLAIN_WORD.test(word))
      return isKnown && !negated ? { kind: 'phrase', words: phrase } : null
    }
  }
}

function allOf(parts: readonly WordNeeds[]): WordNeeds | null {
  const phrases = new Set(parts.flatMap((part) => (part.kind === 'phrase' ? part.words : [])))
  const rest = parts.filter((part) => part.kind !== 'word' || !phrases.has(part.word))
  if (rest.length <= 1) return rest[0] ?? null
  return { kind: 'and', of: rest.slice(0, MOST_PARTS) }
}

function anyOf(parts: readonly (WordNeeds | null)[]): WordNeeds | null {
  const known = parts.filter((part) => part !== null)
  if (known.length < parts.length || known.length === 0 || known.length > MOST_PARTS) return null
  const [only, second] = known
  return only !== undefined && second === undefined ? only : { kind: 'or', of: known }
}
