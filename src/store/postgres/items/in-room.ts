import type { ItemParts } from '../../../model/index.ts'
import { columnsWithoutTexts, type ItemRow, itemColumns } from '../../rows/items.ts'
import { MOST_TEXT_CHARS } from '../../text-limit.ts'
import type { Sql } from '../database/sql.ts'

/** An item with where it stands in what was asked for, and the bytes of texts before it. */
export type PlacedRow<More = object> = ItemRow &
  More & { readonly place: number; readonly before: number; readonly size: number }

/** Known without reading the texts themselves. */
const SIZE =
  '(coalesce(octet_length(i.summary), 0) + coalesce(octet_length(i.content), 0) + coalesce(octet_length(i.article), 0))'

/**
 * Items by a statement that gives `place` and `item_seq` (and more), in the order of places. The texts of all together could
 * be more than memory holds (text-room.ts): `first` leaves out the items for which there is no room, `labels beyond` their
 * texts. One comes whole in any case.
 */
export function rowsInRoom<More = object>(
  sql: Sql,
  places: string,
  values: readonly unknown[],
  beyond: 'first' | 'labels beyond',
): Promise<PlacedRow<More>[]> {
  const isRoom = `r.before <= ${MOST_TEXT_CHARS}`
  const text = (name: string) => `CASE WHEN ${isRoom} THEN r.${name} END AS ${name}`
  return sql.rows(
    `SELECT r.*, ${text('summary')}, ${text('content')}, ${text('article')} FROM (
       SELECT b.*, ${itemColumns('i.')}, ${SIZE} AS size, coalesce(sum(${SIZE}) OVER (
           ORDER BY b.place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
       FROM (${places}) b JOIN item i ON i.seq = b.item_seq
     ) r ${beyond === 'first' ? `WHERE ${isRoom}` : ''} ORDER BY r.place`,
    values,
  )
}

/** Without their texts there is room for all. */
function rowsWithoutTexts<More = object>(
  sql: Sql,
  places: string,
  values: readonly unknown[],
): Promise<PlacedRow<More>[]> {
  return sql.rows(
    `SELECT b.*, ${columnsWithoutTexts('i.')}, 0 AS size, 0 AS before
     FROM (${places}) b JOIN item i ON i.seq = b.item_seq ORDER BY b.place`,
    values,
  )
}

export function rowsWithParts<More = object>(
  sql: Sql,
  places: string,
  values: readonly unknown[],
  parts: ItemParts,
): Promise<PlacedRow<More>[]> {
  return parts === 'all' ? rowsInRoom(sql, places, values, 'first') : rowsWithoutTexts(sql, places, values)
}

/** After the row nothing more has room. */
export function isLastInRoom({ before, size }: Pick<PlacedRow, 'before' | 'size'>): boolean {
  return before + size > MOST_TEXT_CHARS
}
