import type { InstantMs, Item, ItemSeq } from '../../../model/index.ts'
import { boundsOf } from '../../rows/bounds.ts'
import { type SearchableRow, searchableOf } from '../../rows/items.ts'
import type { ItemQuery } from '../../store.ts'
import { parseTextQuery, type TextQuery } from '../../text/query.ts'
import { createTextMatcher } from '../../text/text-matcher.ts'
import { mayHold, phrasesOfAll, type WordNeeds } from '../../text/words-needed.ts'
import type { Sql } from '../database/sql.ts'
import { itemsOf, scopeClause } from '../items/items.ts'
import { indexQueryOf, neededQuery } from './words.ts'

/** Candidates looked at in one go where texts must be read. */
const SOME = 200

interface Candidate {
  readonly seq: ItemSeq
  readonly sort_at: InstantMs
  /** The index does not know its words. */
  readonly unknown: boolean
}

/** Numbers of the items that fit, newest first. In a snapshot; the index must be complete. */
export async function searchSeqs(
  sql: Sql,
  query: ItemQuery & { readonly text: string },
  signal: AbortSignal | undefined,
): Promise<ItemSeq[]> {
  const text = parseTextQuery(query.text)
  if (text === null || query.limit <= 0) return []
  const { isExact } = indexQueryOf(text)
  const found: ItemSeq[] = []
  const most = isExact ? query.limit : Math.max(SOME, query.limit)
  for (let after = query.after; found.length < query.limit; ) {
    signal?.throwIfAborted()
    const some = await candidates(sql, { ...query, ...(after === undefined ? {} : { after }), limit: most }, text)
    const isIn = await verified(sql, some, text, isExact)
    for (const { seq } of some) if (isIn(seq) && found.length < query.limit) found.push(seq)
    const last = some[most - 1]
    if (last === undefined) break
    after = { sortAt: last.sort_at, seq: last.seq }
  }
  return found
}

function candidates(sql: Sql, query: ItemQuery, text: TextQuery): Promise<Candidate[]> {
  const { since, beforeAt, beforeSeq } = boundsOf(query)
  const { words } = indexQueryOf(text)
  const scope = scopeClause(query.scope, 5)
  const place = 5 + scope.values.length
  const isIn = words === null ? 'true' : `(w.words @@ $${place}::tsquery OR w.words IS NULL)`
  return sql.rows(
    `SELECT i.seq, i.sort_at, w.words IS NULL AS unknown FROM item i JOIN item_words w ON w.seq = i.seq
     WHERE i.sort_at >= $1 AND (i.sort_at, i.seq) < ($2, $3) AND ${scope.clause}
       AND ${isIn}
     ORDER BY i.sort_at DESC, i.seq DESC LIMIT $4`,
    [since, beforeAt, beforeSeq, query.limit, ...scope.values, ...(words === null ? [] : [words])],
  )
}

async function verified(
  sql: Sql,
  some: readonly Candidate[],
  text: TextQuery,
  isExact: boolean,
): Promise<(seq: ItemSeq) => boolean> {
  const doubtful = some.filter(({ unknown }) => unknown || !isExact).map(({ seq }) => seq)
  if (doubtful.length === 0) return () => true
  const fits = createTextMatcher(text)
  const rows = await sql.rows<SearchableRow & { seq: ItemSeq }>(
    'SELECT seq, title, content, summary, article, rest FROM item WHERE seq = ANY ($1::bigint[])',
    [doubtful],
  )
  const refused = new Set(doubtful)
  for (const row of rows) if (fits(searchableOf(row))) refused.delete(row.seq)
  return (seq) => !refused.has(seq)
}

/** In the order of arrival. In a snapshot; the index must be complete. */
export async function readSeqsHolding(
  sql: Sql,
  needed: WordNeeds,
  { after, limit }: { readonly after: ItemSeq; readonly limit: number },
): Promise<ItemSeq[]> {
  const rows = await sql.rows<{ seq: ItemSeq }>(
    `SELECT w.seq FROM item_words w JOIN item i ON i.seq = w.seq
     WHERE w.seq > $1 AND (w.words @@ $2::tsquery OR w.words IS NULL) ORDER BY w.seq LIMIT $3`,
    [after, neededQuery(needed), Math.max(0, limit)],
  )
  return rows.map(({ seq }) => seq)
}

const READ_AT_ONCE = 100

export async function readHoldingPhrases(
  sql: Sql,
  seqs: readonly ItemSeq[],
  needed: WordNeeds,
): Promise<readonly ItemSeq[]> {
  const phrases = phrasesOfAll(needed)
  if (phrases.length === 0) return seqs
  const holding = new Set<ItemSeq>()
  for (let at = 0; at < seqs.length; at += READ_AT_ONCE) {
    for (const item of await itemsOf(sql, seqs.slice(at, at + READ_AT_ONCE))) {
      if (mayHoldAll(phrases, item)) holding.add(item.seq)
    }
  }
  return seqs.filter((seq) => holding.has(seq))
}

/** Of a summary that is cut from the content the index knows nothing: it is asked as well. */
function mayHoldAll(phrases: ReturnType<typeof phrasesOfAll>, item: Item): boolean {
  const alone = { ...item, content: null }
  return phrases.every((phrase) => mayHold(phrase, item) || mayHold(phrase, alone))
}
