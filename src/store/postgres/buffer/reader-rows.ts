import type { Cursor, ReaderState, ReaderTerms, Registration } from '../../../buffer/buffer.ts'
import {
  demandAlive,
  demandFree,
  type EntriesLeft,
  isExpired,
  missedBy,
  type StoredReader,
} from '../../../buffer/reader.ts'
import type { InstantMs, ItemSeq } from '../../../model/index.ts'
import { slowestCursor } from '../database/slowest-cursor.ts'
import type { Sql } from '../database/sql.ts'
import { LAST_CURSOR } from './buffer-rows.ts'

const COLUMNS = `cursor, owner, expires_after_ms AS "expiresAfterMs", seen_at AS "seenAt", item_seq AS "itemSeq"`

/** The last item before the first new one behind a cursor. New entries stand in the buffer in the order of their items. */
export function itemsBefore(cursor: string): string {
  return `coalesce((SELECT seq - 1 FROM buffer_entry WHERE NOT changed AND cursor > ${cursor} ORDER BY cursor LIMIT 1),
    (SELECT seq FROM log_position))`
}

export function findReader(sql: Sql, name: string, lock = ''): Promise<StoredReader | null> {
  return sql.first(`SELECT ${COLUMNS} FROM buffer_reader WHERE name = $1 ${lock}`, [name])
}

/** The reader, if it is there and has not expired. */
export async function aliveReader(sql: Sql, name: string, now: InstantMs): Promise<StoredReader> {
  return demandAlive(name, (await findReader(sql, name)) ?? undefined, now)
}

export async function writeSeen(sql: Sql, name: string, now: InstantMs): Promise<void> {
  await sql.run('UPDATE buffer_reader SET seen_at = $2 WHERE name = $1', [name, now])
}

/** In a transaction. */
export async function writeReader(sql: Sql, name: string, terms: ReaderTerms, now: InstantMs): Promise<Registration> {
  const { owner, expiresAfterMs } = terms
  const known = await findReader(sql, name, 'FOR UPDATE')
  if (known !== null) demandFree(name, known, terms, now)
  const missed = known === null ? null : missedBy(known, await entriesLeft(sql, known.cursor))
  const cursor = known?.cursor ?? (await firstCursor(sql, terms))
  // What was missed is remembered until it is acknowledged, whatever the terms are by then.
  const itemSeq = missed?.after ?? (expiresAfterMs === null ? null : (await entriesLeft(sql, cursor)).itemsUpTo)
  await sql.run(
    `INSERT INTO buffer_reader (name, cursor, owner, expires_after_ms, seen_at, item_seq) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_after_ms = excluded.expires_after_ms,
       seen_at = excluded.seen_at, item_seq = excluded.item_seq`,
    [name, cursor, owner, expiresAfterMs, now, itemSeq],
  )
  return missed ?? { kind: known === null ? 'new' : 'known' }
}

/** Acknowledges, and drops what every reader has read. A reader that is not there is not made. In a transaction. */
export async function moveReader(sql: Sql, name: string, cursor: Cursor, now: InstantMs): Promise<void> {
  const known = await findReader(sql, name, 'FOR UPDATE')
  if (known === null) return
  demandAlive(name, known, now)
  const last = (await sql.first<{ last: Cursor }>(`SELECT ${LAST_CURSOR} AS last`))?.last ?? 0
  const to = Math.max(known.cursor, Math.min(cursor, last))
  const itemSeq = await itemSeqAt(sql, known, to)
  await sql.run('UPDATE buffer_reader SET cursor = $2, seen_at = $3, item_seq = $4 WHERE name = $1', [
    name,
    to,
    now,
    itemSeq,
  ])
  await sql.run(`DELETE FROM buffer_entry WHERE cursor <= ${slowestCursor('$1')}`, [now])
}

export async function listReaders(sql: Sql, now: InstantMs): Promise<ReaderState[]> {
  const rows = await sql.rows<StoredReader & { name: string; backlog: number }>(
    `SELECT name, ${COLUMNS}, (SELECT count(*) FROM buffer_entry e WHERE e.cursor > r.cursor) AS backlog
     FROM buffer_reader r ORDER BY name`,
  )
  return rows.map((reader) => ({
    name: reader.name,
    owner: reader.owner,
    backlog: reader.backlog,
    isExpired: isExpired(reader, now),
  }))
}

async function firstCursor(sql: Sql, { from }: ReaderTerms): Promise<Cursor> {
  const start = from === 'end' ? LAST_CURSOR : `coalesce((SELECT min(cursor) FROM buffer_entry) - 1, ${LAST_CURSOR})`
  return (await sql.first<{ cursor: Cursor }>(`SELECT ${start} AS cursor`))?.cursor ?? 0
}

/** Of one moment, in one statement. */
async function entriesLeft(sql: Sql, after: Cursor): Promise<EntriesLeft> {
  const left = await sql.first<EntriesLeft>(
    `SELECT (SELECT min(cursor) FROM buffer_entry) AS oldest, ${LAST_CURSOR} AS last, ${itemsBefore('$1')} AS "itemsUpTo"`,
    [after],
  )
  if (left === null) throw new Error('the log has no position')
  return left
}

/** As long as it lacks something, it stands before that. */
async function itemSeqAt(sql: Sql, reader: StoredReader, cursor: Cursor): Promise<ItemSeq | null> {
  if (reader.itemSeq === null) return null
  const left = await entriesLeft(sql, cursor)
  return missedBy({ ...reader, cursor }, left) === null ? left.itemsUpTo : reader.itemSeq
}
