import type { BufferEntry, Cursor } from '../../../buffer/buffer.ts'
import type { ItemParts } from '../../../model/index.ts'
import { itemOf } from '../database/item-rows.ts'
import type { Sql } from '../database/sql.ts'
import { rowsWithParts } from '../items/in-room.ts'

/** Of the newest entry ever, also when it is gone. */
export const LAST_CURSOR = '(SELECT cursor FROM log_position)'
/** NULL without a reader. */
export const SLOWEST_CURSOR = '(SELECT min(cursor) FROM buffer_reader)'

/** Acknowledges, and drops what every reader has read. A reader that is not there is not made. In a transaction. */
export async function moveReader(sql: Sql, reader: string, cursor: Cursor): Promise<void> {
  await sql.run(
    `UPDATE buffer_reader SET cursor = least($2, ${LAST_CURSOR}) WHERE name = $1 AND cursor < least($2, ${LAST_CURSOR})`,
    [reader, cursor],
  )
  await sql.run(`DELETE FROM buffer_entry WHERE cursor <= ${SLOWEST_CURSOR}`)
}

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
