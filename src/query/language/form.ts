import type { CreateFeed, ItemOrigin, QueryCondition, SourceRef } from './ast.ts'
import { printClauses, printCondition } from './print.ts'

/** Fields in which words are looked for. */
type WordField = Extract<QueryCondition, { kind: 'contains' }>['field']

/** One condition: words of which one is enough, or what only the language can say. */
type FormCondition =
  | { readonly kind: 'words'; readonly field: WordField; readonly isNot: boolean; readonly words: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }

/** A query feed as a form shows it; whatever the form has no field for is kept as its text. */
interface StatementForm {
  readonly name: string
  readonly title: string | null
  readonly limit: number | null
  /** null: with variables, which only the text has. */
  readonly from: readonly ItemOrigin[] | null
  readonly fromText: string
  readonly joins: readonly string[]
  /** All of them must hold. */
  readonly conditions: readonly FormCondition[]
  readonly distinct: {
    readonly by: 'LINK' | 'TITLE' | 'SIMILAR'
    readonly threshold: number | null
    readonly window: string
  } | null
  /** Order and full text. */
  readonly ending: readonly string[]
}

/** What a statement says, as fields of a form: the text made of them again means the same. */
export function formOf({ feed, title, limit, query }: CreateFeed): StatementForm {
  const { sources, where, distinct } = query
  const { from, joins, window, ending } = printClauses(query)
  return {
    name: feed.name,
    title,
    limit,
    from: sources.some(({ variable }) => variable !== null) ? null : sources.map(originOf),
    fromText: from,
    joins,
    conditions: where === null ? [] : (where.kind === 'and' ? where.of : [where]).map(conditionOf),
    distinct: distinct === null ? null : { by: distinct.by, threshold: distinct.threshold, window: window ?? '' },
    ending,
  }
}

function originOf({ origin }: SourceRef): ItemOrigin {
  return origin
}

function conditionOf(condition: QueryCondition): FormCondition {
  const isNot = condition.kind === 'not'
  const positive = isNot ? condition.of : condition
  const found = wordsOf(positive.kind === 'or' ? positive.of : [positive])
  if (found !== null) return { kind: 'words', isNot, ...found }
  const text = printCondition(condition)
  return { kind: 'text', text: condition.kind === 'or' ? `(${text})` : text }
}

/** null: not all of them look for plain words in the same field. */
function wordsOf(
  parts: readonly QueryCondition[],
): { readonly field: WordField; readonly words: readonly string[] } | null {
  const words: string[] = []
  let field: WordField | null = null
  for (const part of parts) {
    if (part.kind !== 'contains' || part.stemmed || (field !== null && part.field !== field)) return null
    field = part.field
    words.push(part.text)
  }
  return field === null ? null : { field, words }
}
