import type { FeedQuery, ItemOrigin, QueryCondition } from '../language/ast.ts'
import { or } from '../language/build.ts'

const NOWHERE = { start: 0, end: 0 }

/** The query that a rule is: what comes from there and holds one of the words; without words, all of it. */
export function ruleQuery(origin: ItemOrigin, words: readonly string[]): FeedQuery {
  const holds = words.map(
    (text): QueryCondition => ({ kind: 'contains', field: 'ITEM', text, stemmed: false, at: NOWHERE }),
  )
  return {
    sources: [{ origin, variable: null, at: NOWHERE }],
    joins: [],
    where: holds.length === 0 ? null : or(holds),
    distinct: null,
    order: null,
  }
}
