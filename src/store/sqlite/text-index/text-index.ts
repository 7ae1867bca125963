import type { ItemSeq } from '../../../model/index.ts'
import { ITEM_COLUMNS, type ItemRow, itemOf } from '../../rows/items.ts'
import { createIndexTexts } from '../../text/index-text.ts'
import { searchableTexts } from '../../text/match.ts'
import type { Term, TextQuery } from '../../text/query.ts'
import type { Connection } from '../database/connection.ts'
import { readCounter } from '../database/counters.ts'

/** Texts of items that were just written, in the form of the index: saves reading the items back. */
export interface FreshTexts {
  /** Of the item as it is stored now; undefined: not available. */
  get(seq: ItemSeq): Buffer | undefined
}

/** An item edited before it was indexed is not stale there. */
export function markStale({ sql }: Connection, seq: ItemSeq): void {
  sql(
    `INSERT OR IGNORE INTO stale_text (seq)
     SELECT seq FROM item WHERE seq = ? AND seq <= (SELECT value FROM counter WHERE name = 'indexed')`,
  ).run(seq)
}

/** Brings up to `max` new and as many edited items into the full-text index; returns how many. In a transaction. */
export function indexSome(connection: Connection, max: number, fresh: FreshTexts): number {
  return indexStale(connection, max) + indexNew(connection, max, fresh)
}

function indexStale({ sql }: Connection, max: number): number {
  const stale = sql<ItemSeq>(
    'SELECT stale_text.seq FROM stale_text CROSS JOIN item ON item.seq = stale_text.seq LIMIT ?',
  ).pluck()
  const seqs = stale.all(max)
  const read = sql(`SELECT ${ITEM_COLUMNS} FROM item WHERE seq = ?`)
  for (const seq of seqs) {
    sql('DELETE FROM item_text WHERE rowid = ?').run(seq)
    sql(INSERT_TEXT).run(seq, textOf(read.get(seq) as ItemRow))
    sql('DELETE FROM stale_text WHERE seq = ?').run(seq)
  }
  return seqs.length
}

function indexNew(connection: Connection, max: number, fresh: FreshTexts): number {
  const { sql } = connection
  const seqs = sql<ItemSeq>('SELECT seq FROM item WHERE seq > ? ORDER BY seq LIMIT ?')
    .pluck()
    .all(readCounter(connection, 'indexed'), max)
  const insert = sql(INSERT_TEXT)
  const read = sql(`SELECT ${ITEM_COLUMNS} FROM item WHERE seq = ?`)
  for (const seq of seqs) insert.run(seq, fresh.get(seq) ?? textOf(read.get(seq) as ItemRow))
  const last = seqs.at(-1)
  if (last !== undefined) sql(`UPDATE counter SET value = ? WHERE name = 'indexed'`).run(last)
  return seqs.length
}

const scratch = createIndexTexts()

/** Valid until the next call. */
function textOf(row: ItemRow): Buffer {
  scratch.clear()
  return scratch.bytes(scratch.add(searchableTexts(itemOf(row))))
}

const INSERT_TEXT = 'INSERT INTO item_text (rowid, text) VALUES (?, CAST(? AS TEXT))'

/** Numbers of items that wait for the index, at most; an upper bound, since some may be gone. */
export function unindexedAtMost(connection: Connection): number {
  const last = connection.sql<number | null>('SELECT max(seq) FROM item').pluck().get() ?? 0
  const stale = connection.sql<number>('SELECT count(*) FROM stale_text').pluck().get() ?? 0
  return Math.max(0, last - readCounter(connection, 'indexed')) + stale
}

export interface IndexQuery {
  /** For MATCH; null where nothing must occur (only `-words`), so that the index cannot lead. */
  readonly match: string | null
  /** The index knows which words an item has, not where: phrases are looked up in the text itself. */
  readonly verify: boolean
}

export function indexQueryOf(query: TextQuery): IndexQuery {
  const many = (term: Term) => term.words.length > 1
  const verify = query.all.some(many) || query.none.some(many) || query.all.length === 0
  if (query.all.length === 0) return { match: null, verify }
  const terms = query.all.map(allWords).join(' AND ')
  const refused = query.none.filter((term) => !many(term)).map((term) => ` NOT ${allWords(term)}`)
  return { match: `(${terms})${refused.join('')}`, verify }
}

function allWords(term: Term): string {
  const last = term.words.length - 1
  return term.words.map((word, at) => `"${word}"${term.prefix && at === last ? ' *' : ''}`).join(' AND ')
}
