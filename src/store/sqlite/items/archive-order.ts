import type { InstantMs, Item, ItemParts, ItemSeq, ItemTitle, SourceId } from '../../../model/index.ts'
import { COLUMNS_WITHOUT_TEXTS, ITEM_COLUMNS, type ItemRow, itemOf } from '../../rows/items.ts'
import { firstWithinLimit } from '../../text-limit.ts'
import type { Connection } from '../database/connection.ts'

export function readItemsAfter({ sql }: Connection, seq: ItemSeq, limit: number, parts: ItemParts = 'all'): Item[] {
  const after = (columns: string) => sql(`SELECT ${columns} FROM item WHERE seq > ? ORDER BY seq LIMIT ?`)
  const most = Math.max(0, limit)
  // Without texts there is room for all, and all at once take half as long as one by one.
  if (parts === 'labels') return (after(COLUMNS_WITHOUT_TEXTS).all(seq, most) as ItemRow[]).map(itemOf)
  return firstWithinLimit(after(ITEM_COLUMNS).iterate(seq, most) as Iterable<ItemRow>, (row) => row).map(itemOf)
}

type TitleRow = [seq: ItemSeq, sourceId: SourceId, firstSeenAt: InstantMs, sortAt: InstantMs, title: string | null]

export function readTitlesAfter({ sql }: Connection, after: ItemSeq, limit: number): ItemTitle[] {
  const rows = sql(
    'SELECT seq, source_id, first_seen_at, sort_at, title FROM item WHERE seq > ? ORDER BY seq LIMIT ?',
  ).raw()
  return (rows.all(after, Math.max(0, limit)) as TitleRow[]).map(([seq, sourceId, firstSeenAt, sortAt, title]) => ({
    seq,
    sourceId,
    firstSeenAt,
    sortAt,
    title,
  }))
}

/** By the index alone, and only the part of it that is asked for: reader apps ask for the last hour. */
export function seqBefore(connection: Connection, firstSeenAt: InstantMs): ItemSeq {
  const first = connection
    .sql('SELECT min(seq) FROM item INDEXED BY item_by_first_seen WHERE first_seen_at >= ?')
    .pluck()
    .get(firstSeenAt) as ItemSeq | null
  return first === null ? lastItemSeq(connection) : first - 1
}

export function seqBeforeLast(connection: Connection, count: number): ItemSeq {
  if (count <= 0) return lastItemSeq(connection)
  const first = connection.sql('SELECT seq FROM item ORDER BY seq DESC LIMIT 1 OFFSET ?').pluck().get(count)
  return (first ?? 0) as ItemSeq
}

/** Of the newest item ever, also when it is gone. */
export function lastItemSeq({ sql }: Connection): ItemSeq {
  return (sql("SELECT seq FROM sqlite_sequence WHERE name = 'item'").pluck().get() ?? 0) as ItemSeq
}
