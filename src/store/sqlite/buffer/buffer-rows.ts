import type { BufferEntry, Cursor } from '../../../buffer/buffer.ts'
import type { ItemParts } from '../../../model/index.ts'
import { COLUMNS_WITHOUT_TEXTS, ITEM_COLUMNS, type ItemRow, itemOf } from '../../rows/items.ts'
import { firstWithinLimit } from '../../text-limit.ts'
import type { Connection } from '../database/connection.ts'

interface EntryRow extends ItemRow {
  readonly cursor: Cursor
  readonly changed: number
}

/** Of the newest entry ever, also when it is gone. */
export function lastCursor({ sql }: Connection): Cursor {
  return sql<Cursor>("SELECT seq FROM sqlite_sequence WHERE name = 'buffer_entry'").pluck().get() ?? 0
}

export function countEntries({ sql }: Connection, after: Cursor, upTo: Cursor): number {
  const count = sql<number>('SELECT count(*) FROM buffer_entry WHERE cursor > ? AND cursor <= ?').pluck()
  return count.get(after, upTo) ?? 0
}

export function dropUpTo({ sql }: Connection, cursor: Cursor): void {
  sql('DELETE FROM buffer_entry WHERE cursor <= ?').run(cursor)
}

export function hasEntries({ sql }: Connection, after: Cursor): boolean {
  const first = sql(
    'SELECT 1 FROM buffer_entry WHERE cursor > ? AND EXISTS (SELECT 1 FROM item WHERE item.seq = buffer_entry.seq) LIMIT 1',
  )
  return first.get(after) !== undefined
}

export function readEntries({ sql }: Connection, after: Cursor, max: number, parts: ItemParts = 'all'): BufferEntry[] {
  const rows = sql<EntryRow>(
    `SELECT cursor, changed, ${parts === 'all' ? ITEM_COLUMNS : COLUMNS_WITHOUT_TEXTS}
     FROM (SELECT cursor, changed, seq AS item_seq FROM buffer_entry WHERE cursor > ? ORDER BY cursor LIMIT ?)
     CROSS JOIN item ON item.seq = item_seq ORDER BY cursor`,
  )
  const first = firstWithinLimit(rows.iterate(after, Math.max(0, max)), (row) => row)
  return first.map((row) => ({ cursor: row.cursor, kind: row.changed === 1 ? 'changed' : 'new', item: itemOf(row) }))
}

/** Counts the entries that a reader gives up; the caller moves it behind them. Such entries were once called shed. */
export function countDropped(
  connection: Connection,
  reader: string,
  cursor: Cursor,
  keep: number,
): { readonly count: number; readonly upTo: Cursor } {
  const { sql } = connection
  const upTo = sql<Cursor>('SELECT cursor FROM buffer_entry WHERE cursor > ? ORDER BY cursor DESC LIMIT 1 OFFSET ?')
    .pluck()
    .get(cursor, Math.max(0, keep))
  if (upTo === undefined) return { count: 0, upTo: cursor }
  const count = countEntries(connection, cursor, upTo)
  sql(
    `INSERT INTO buffer_shed (reader, entries) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET entries = entries + excluded.entries`,
  ).run(reader, count)
  return { count, upTo }
}
