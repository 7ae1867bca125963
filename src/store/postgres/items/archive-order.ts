import type { InstantMs, Item, ItemParts, ItemSeq, ItemTitle } from '../../../model/index.ts'
import { itemOf } from '../../rows/items.ts'
import type { Sql } from '../database/sql.ts'
import { rowsWithParts } from './in-room.ts'

export async function readItemsAfter(sql: Sql, seq: ItemSeq, limit: number, parts: ItemParts = 'all'): Promise<Item[]> {
  const after = 'SELECT seq AS place, seq AS item_seq FROM item WHERE seq > $1 ORDER BY seq LIMIT $2'
  return (await rowsWithParts(sql, after, [seq, Math.max(0, limit)], parts)).map(itemOf)
}

export function readTitlesAfter(sql: Sql, after: ItemSeq, limit: number): Promise<ItemTitle[]> {
  return sql.rows(
    `SELECT seq, source_id AS "sourceId", first_seen_at AS "firstSeenAt", sort_at AS "sortAt", title
     FROM item WHERE seq > $1 ORDER BY seq LIMIT $2`,
    [after, Math.max(0, limit)],
  )
}

const LAST_SEQ = '(SELECT seq FROM log_position)'

export async function seqBefore(sql: Sql, firstSeenAt: InstantMs): Promise<ItemSeq> {
  const row = await sql.first<{ seq: ItemSeq }>(
    `SELECT coalesce((SELECT min(seq) FROM item WHERE first_seen_at >= $1) - 1, ${LAST_SEQ}) AS seq`,
    [firstSeenAt],
  )
  return row?.seq ?? 0
}

export async function seqBeforeLast(sql: Sql, count: number): Promise<ItemSeq> {
  if (count <= 0) return lastItemSeq(sql)
  const row = await sql.first<{ seq: ItemSeq }>('SELECT seq FROM item ORDER BY seq DESC LIMIT 1 OFFSET $1', [count])
  return row?.seq ?? 0
}

/** Of the newest item ever, also when it is gone. */
export async function lastItemSeq(sql: Sql): Promise<ItemSeq> {
  return (await sql.first<{ seq: ItemSeq }>('SELECT seq FROM log_position'))?.seq ?? 0
}
