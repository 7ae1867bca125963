import { indexedText } from '../text/match.ts'
import type { Term, TextQuery } from '../text/query.ts'
import type { Connection } from './connection.ts'
import { ITEM_COLUMNS, type ItemRow, itemOf } from './item-rows.ts'

/** Moves up to `max` items from the unindexed tail into the full-text index; returns how many. One transaction. */
export function indexSome(connection: Connection, max: number): number {
  return connection.transaction(() => {
    const { sql } = connection
    const rows = sql(
      `SELECT stale, ${ITEM_COLUMNS} FROM (SELECT seq AS waiting, stale FROM unindexed ORDER BY seq LIMIT ?)
       CROSS JOIN item ON item.seq = waiting`,
    ).all(max) as (ItemRow & { readonly stale: number })[]
    const remove = sql('DELETE FROM item_text WHERE rowid = ?')
    const insert = sql('INSERT INTO item_text (rowid, text) VALUES (?, ?)')
    const done = sql('DELETE FROM unindexed WHERE seq = ?')
    for (const row of rows) {
      if (row.stale === 1) remove.run(row.seq)
      insert.run(row.seq, indexedText(itemOf(row)))
      done.run(row.seq)
    }
    return rows.length
  })
}

export function hasUnindexed(connection: Connection): boolean {
  return connection.sql('SELECT 1 FROM unindexed LIMIT 1').get() !== undefined
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
  const wanted = query.all.map(allWords).join(' AND ')
  const refused = query.none.filter((term) => !many(term)).map((term) => ` NOT ${allWords(term)}`)
  return { match: `(${wanted})${refused.join('')}`, verify }
}

function allWords(term: Term): string {
  const last = term.words.length - 1
  return term.words.map((word, at) => `"${word}"${term.prefix && at === last ? ' *' : ''}`).join(' AND ')
}
