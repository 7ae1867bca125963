import type { BufferEntry, Cursor } from '../../../buffer/buffer.ts'
import type { ItemParts } from '../../../model/index.ts'
import { itemOf } from '../../rows/items.ts'
import type { Sql } from '../database/sql.ts'
import { rowsWithParts } from '../items/in-room.ts'

/** Of the newest entry ever, also when it is gone. */
export const LAST_CURSOR = '(SELECT cursor FROM log_position)'

export async function readEntries(
  sql: Sql,
  after: Cursor,
  max: number,
  parts: ItemParts = 'all',
): Promise<BufferEntry[]> {
  const rows = await rowsWithParts<{ changed: boolean }>(
    sql,
    `SELECT cursor AS place, seq AS item_seq, changed FROM buffer_entry WHERE cursor > $1 ORDER BY cursor LIMIT $2`,
    [after, Math.max(0, max)],
    parts,
  )
  return rows.map((row) => ({ cursor: row.place, kind: row.changed ? 'changed' : 'new', item: itemOf(row) }))
}

export async function hasEntries(sql: Sql, after: Cursor): Promise<boolean> {
  return (await sql.first('SELECT 1 FROM buffer_entry WHERE cursor > $1 LIMIT 1', [after])) !== null
}

/** Counts the entries that a reader gives up; the caller moves it behind them. */
export async function countDropped(
  sql: Sql,
  reader: string,
  after: Cursor,
  keep: number,
): Promise<{ readonly count: number; readonly upTo: Cursor }> {
  const given = await sql.first<{ count: number; cursor: Cursor }>(
    `SELECT count(*) AS count, max(cursor) AS cursor FROM (
       SELECT cursor FROM buffer_entry WHERE cursor > $1 ORDER BY cursor DESC OFFSET $2) AS given`,
    [after, Math.max(0, keep)],
  )
  if (given === null || given.count === 0) return { count: 0, upTo: after }
  await sql.run(
    `INSERT INTO buffer_dropped AS d (reader, entries) VALUES ($1, $2)
     ON CONFLICT (reader) DO UPDATE SET entries = d.entries + excluded.entries`,
    [reader, given.count],
  )
  return { count: given.count, upTo: given.cursor }
}
