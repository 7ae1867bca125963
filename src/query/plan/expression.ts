import { words } from '../../store/text/fold.ts'
import { atomOf, originAtom } from '../item/atoms.ts'
import { spelledWords } from '../item/stem.ts'
import { MASKS, PRESENT } from '../item/texts.ts'
import type { FeedQuery, ItemPredicate, QueryCondition, SourceRef } from '../language/ast.ts'
import { printCondition } from '../language/print.ts'
import { specialise } from './specialise.ts'

/**
 * The logical plan of a query: one expression over the item and where it comes from, with NOT at the leaves only. AND of
 * nothing is true, OR of nothing is false.
 */
export type Expression =
  | { readonly kind: 'and'; readonly of: readonly Expression[] }
  | { readonly kind: 'or'; readonly of: readonly Expression[] }
  /** A word in a field, or a name of a value (atoms.ts): looked up in a table. */
  | { readonly kind: 'term'; readonly term: string; readonly mask: number; readonly negated: boolean }
  /** Anything else; `phrase` are the words to follow each other, of which all are known to be there. */
  | {
      readonly kind: 'test'
      readonly predicate: ItemPredicate
      readonly phrase: readonly string[]
      readonly negated: boolean
    }

/** Words of queries that are compared by stem are in the same table under a name of their own. */
export const STEMMED = '~'

export function planQuery(query: FeedQuery): Expression {
  const groups = new Map<string, { readonly filter: QueryCondition | null; readonly sources: SourceRef[] }>()
  for (const source of query.sources) {
    const filter = query.where === null ? null : specialise(query.where, source.variable)
    const text = filter === null ? '' : printCondition(filter)
    const group = groups.get(text)
    if (group === undefined) groups.set(text, { filter, sources: [source] })
    else group.sources.push(source)
  }
  const parts = [...groups.values()].map(({ filter, sources }) => {
    const origins = disjunction(sources.map(({ origin }) => originExpression(originAtom(origin))))
    return filter === null ? origins : conjunction([origins, expression(filter, false)])
  })
  return disjunction(parts)
}

const TRUE: Expression = { kind: 'and', of: [] }

function originExpression(atom: string | null): Expression {
  return atom === null ? TRUE : { kind: 'term', term: atom, mask: PRESENT, negated: false }
}

function expression(condition: QueryCondition, negated: boolean): Expression {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.of.map((part) => expression(part, negated))
      // De Morgan
      return (condition.kind === 'and') !== negated ? conjunction(parts) : disjunction(parts)
    }
    case 'not':
      return expression(condition.of, !negated)
    case 'contains':
      return containing(condition, negated)
    case 'equals': {
      const { field, values } = condition
      const terms = [...new Set(values.map((value) => atomOf(field, value)))]
      const leaves = terms.map((term): Expression => ({ kind: 'term', term, mask: PRESENT, negated }))
      return negated ? conjunction(leaves) : disjunction(leaves)
    }
    case 'matches':
    case 'published':
    case 'count':
      return { kind: 'test', predicate: condition, phrase: [], negated }
    default:
      throw new Error(`${condition.kind} cannot be in a filter`)
  }
}

function containing(predicate: Extract<ItemPredicate, { kind: 'contains' }>, negated: boolean): Expression {
  const mask = MASKS[predicate.field]
  const terms = predicate.stemmed ? stemmedTerms(predicate.text) : words(predicate.text)
  const leaves = [...new Set(terms)].map((term): Expression => ({ kind: 'term', term, mask, negated }))
  const [only] = leaves
  if (only !== undefined && terms.length === 1) return only
  // Its words first: the order of words is checked only where all of them are there.
  const parts: Expression[] = [...leaves, { kind: 'test', predicate, phrase: terms, negated }]
  return negated ? disjunction(parts) : conjunction(parts)
}

/** As spelt, because the language of the item decides how they are stemmed. */
function stemmedTerms(text: string): string[] {
  return spelledWords(text).map(({ spelled, folded }) => STEMMED + (spelled || folded))
}

function conjunction(of: readonly Expression[]): Expression {
  return joined('and', of)
}

function disjunction(of: readonly Expression[]): Expression {
  return joined('or', of)
}

function joined(kind: 'and' | 'or', of: readonly Expression[]): Expression {
  const flat: Expression[] = []
  for (const part of of) {
    if (part.kind === kind) flat.push(...part.of)
    // false AND x, true OR x
    else if ((part.kind === 'and' || part.kind === 'or') && part.of.length === 0) return part
    else flat.push(part)
  }
  const [only, second] = flat
  return only !== undefined && second === undefined ? only : { kind, of: flat }
}
