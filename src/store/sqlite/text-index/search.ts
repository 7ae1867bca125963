import type { ItemSeq, SourceId } from '../../../model/index.ts'
import { type Bounds, boundsOf } from '../../rows/bounds.ts'
import { SEARCHABLE_COLUMNS, type SearchableRow, searchableOf } from '../../rows/items.ts'
import type { ItemQuery, ItemScope } from '../../store.ts'
import { pairHashes } from '../../text/pair-filter.ts'
import type { Term, TextQuery } from '../../text/query.ts'
import { createTextMatcher } from '../../text/text-matcher.ts'
import type { Connection } from '../database/connection.ts'
import { PhraseFilter } from './phrase-filter.ts'
import type { TailPairs } from './phrase-tail.ts'
import { indexQueryOf } from './text-index.ts'

/** Up to this many candidates are fetched and sorted; above, the archive is walked and checked for membership. */
const FEW_CANDIDATES = 2_000

/** In one text: row by row, handing the numbers over takes as long as finding them. */
const HITS = 'SELECT json_group_array(rowid) FROM item_text WHERE item_text MATCH ?'

/**
 * The items that fit a text query which the text index alone cannot answer: phrases, or nothing but words to avoid.
 * Newest first. In a transaction; the text index must be complete.
 */
export function verifySearch(
  connection: Connection,
  query: ItemQuery,
  text: TextQuery,
  tail: TailPairs | null,
): ItemSeq[] {
  const inScope = scopeTest(connection, query.scope)
  const candidates = candidatesOf(connection, text, tail)
  const placed =
    candidates.seqs !== null && candidates.seqs.length <= FEW_CANDIDATES
      ? sortSeqs(connection, candidates.seqs, boundsOf(query))
      : walked(connection, boundsOf(query))
  const fits = createTextMatcher(text)
  const read = connection.sql(`SELECT ${SEARCHABLE_COLUMNS} FROM item WHERE seq = ?`)
  const found: ItemSeq[] = []
  for (const { seq, sourceId } of placed) {
    if (!inScope(sourceId) || !candidates.has(seq)) continue
    if (candidates.isSure(seq) || fits(searchableOf(read.get(seq) as SearchableRow))) found.push(seq)
    if (found.length === query.limit) break
  }
  return found
}

interface Candidates {
  /** null: all but those of which `has` says no. */
  readonly seqs: readonly ItemSeq[] | null
  has(seq: ItemSeq): boolean
  /** It fits without a look at its text. */
  isSure(seq: ItemSeq): boolean
}

function candidatesOf(connection: Connection, text: TextQuery, tail: TailPairs | null): Candidates {
  const filter = new PhraseFilter(connection, tail)
  const isPhrase = (term: Term) => term.words.length > 1
  const phrases = text.all.filter(isPhrase).map(pairsOfTerm)
  const refused = text.none.filter(isPhrase).map(pairsOfTerm)
  const isSure = (seq: ItemSeq) => phrases.length === 0 && !refused.some((pairs) => filter.mayHave(seq, pairs))
  const { match } = indexQueryOf(text)
  if (match !== null) {
    const seqs = filter.among(hitsOf(connection, match), phrases)
    const members = seqs.length > FEW_CANDIDATES ? new Set(seqs) : null
    return { seqs, has: (seq) => members?.has(seq) ?? true, isSure }
  }
  const avoided = avoidedBy(connection, text)
  return { seqs: null, has: (seq) => !avoided.has(seq), isSure }
}

function pairsOfTerm({ words, prefix }: Term): readonly number[] {
  return pairHashes(words, prefix)
}

function hitsOf({ sql }: Connection, match: string): ItemSeq[] {
  return JSON.parse(sql<string>(HITS).pluck().get(match) ?? '[]')
}

/** Items with a single word that is to be avoided. */
function avoidedBy(connection: Connection, { none }: TextQuery): ReadonlySet<ItemSeq> {
  const words = none.filter((term) => term.words.length === 1)
  const match = words.map((term) => `"${term.words[0]}"${term.prefix ? ' *' : ''}`).join(' OR ')
  return new Set(match === '' ? [] : hitsOf(connection, match))
}

interface FoundItem {
  readonly seq: ItemSeq
  readonly sourceId: SourceId
}

/** In one statement: read one by one they take three times as long. */
function sortSeqs({ sql }: Connection, seqs: readonly ItemSeq[], { since, beforeAt, beforeSeq }: Bounds): FoundItem[] {
  const rows = sql<[ItemSeq, SourceId]>(
    `SELECT seq, source_id FROM json_each(?) CROSS JOIN item ON seq = value
     WHERE sort_at >= ? AND (sort_at, seq) < (?, ?) ORDER BY sort_at DESC, seq DESC`,
  ).raw()
  const placed = rows.all(JSON.stringify(seqs), since, beforeAt, beforeSeq)
  return placed.map(([seq, sourceId]) => ({ seq, sourceId }))
}

function* walked({ sql }: Connection, { since, beforeAt, beforeSeq }: Bounds): Iterable<FoundItem> {
  const rows = sql<[ItemSeq, SourceId]>(
    `SELECT seq, source_id FROM item INDEXED BY item_by_time WHERE sort_at >= ? AND (sort_at, seq) < (?, ?)
     ORDER BY sort_at DESC, seq DESC`,
  ).raw()
  for (const [seq, sourceId] of rows.iterate(since, beforeAt, beforeSeq)) {
    yield { seq, sourceId }
  }
}

function scopeTest({ sql }: Connection, scope: ItemScope): (sourceId: SourceId) => boolean {
  if (scope.kind === 'all') return () => true
  if (scope.kind === 'source') return (sourceId) => sourceId === scope.sourceId
  const members = sql<SourceId>('SELECT source_id FROM source_folder WHERE folder = ?').pluck()
  const ids = new Set(members.all(scope.category))
  return (sourceId) => ids.has(sourceId)
}
