import type { Item, ItemSeq, LossEstimate, Observation, SourceId } from '../../../model/index.ts'
import { HEAD_CHARACTERS, type ItemHead, type ItemPosition } from '../../item-heads.ts'
import { withLeadImage } from '../../item-media.ts'
import { boundsOf } from '../../rows/bounds.ts'
import { authorsOf, type ItemRow, itemColumns, itemOf, mediaIn } from '../../rows/items.ts'
import type { ItemQuery, ItemScope } from '../../store.ts'
import type { Sql } from '../database/sql.ts'
import { isLastInRoom, rowsInRoom } from './in-room.ts'

/** Numbers in the order in which they are given. */
const GIVEN = 'SELECT place, item_seq FROM unnest($1::bigint[]) WITH ORDINALITY AS u (item_seq, place)'

/** A condition on `i.source_id`; `$n` is the value that it gives, if any. */
export function scopeClause(scope: ItemScope, place: number): { readonly clause: string; readonly values: unknown[] } {
  switch (scope.kind) {
    case 'all':
      return { clause: 'true', values: [] }
    case 'source':
      return { clause: `i.source_id = $${place}`, values: [scope.sourceId] }
    case 'category':
      return {
        clause: `i.source_id IN (SELECT source_id FROM source_folder WHERE folder = $${place})`,
        values: [scope.category],
      }
  }
}

/** Newest first by (sortAt, seq), of queries without text. */
export async function readPlaces(sql: Sql, query: ItemQuery): Promise<ItemPosition[]> {
  const { since, beforeAt, beforeSeq } = boundsOf(query)
  const { clause, values } = scopeClause(query.scope, 5)
  return sql.rows(
    `SELECT i.seq, i.source_id AS "sourceId", i.sort_at AS "sortAt" FROM item i
     WHERE i.sort_at >= $1 AND (i.sort_at, i.seq) < ($2, $3) AND ${clause}
     ORDER BY i.sort_at DESC, i.seq DESC LIMIT $4`,
    [since, beforeAt, beforeSeq, Math.max(0, query.limit), ...values],
  )
}

export async function itemsOf(sql: Sql, seqs: readonly ItemSeq[]): Promise<Item[]> {
  if (seqs.length === 0) return []
  const rows = await sql.rows<ItemRow>(
    `SELECT ${itemColumns('i.')} FROM (${GIVEN}) g JOIN item i ON i.seq = g.item_seq ORDER BY g.place`,
    [seqs],
  )
  return rows.map(itemOf)
}

/** Where there is no more room in memory, without their texts. */
export async function itemsInRoom(sql: Sql, seqs: readonly ItemSeq[]): Promise<Item[]> {
  if (seqs.length === 0) return []
  return (await rowsInRoom(sql, GIVEN, [seqs], 'labels beyond')).map(itemOf)
}

/** As many of the first as there is room for in memory. */
export async function firstOf(
  sql: Sql,
  seqs: readonly ItemSeq[],
): Promise<{ readonly items: readonly Item[]; readonly count: number }> {
  const rows = await rowsInRoom(sql, GIVEN, [seqs], 'first')
  const last = rows.at(-1)
  const count = last !== undefined && isLastInRoom(last) ? last.place : seqs.length
  return { items: rows.map(itemOf), count }
}

interface HeadRow {
  readonly seq: ItemSeq
  readonly source_id: SourceId
  readonly sort_at: number
  readonly first_seen_at: number
  readonly changed_at: number
  readonly published: number | null
  readonly title: string | null
  readonly link: string | null
  readonly rest: string | null
  readonly text: string
  readonly url: string
  readonly name: string | null
  readonly source_title: string | null
  readonly lead_image: string | null
}

export async function headsOf(sql: Sql, seqs: readonly ItemSeq[]): Promise<ItemHead[]> {
  const rows = await sql.rows<HeadRow>(
    `SELECT i.seq, i.source_id, i.sort_at, i.first_seen_at, i.changed_at, i.published, i.title, i.link, i.rest,
       left(coalesce(i.summary, i.content, ''), ${HEAD_CHARACTERS}) AS text, s.url, s.name, t.title AS source_title,
       (SELECT p.facts::json #>> '{leadImage,url}' FROM item_page p WHERE p.seq = i.seq) AS lead_image
     FROM (${GIVEN}) g JOIN item i ON i.seq = g.item_seq JOIN source s ON s.id = i.source_id
       JOIN source_state t ON t.source_id = i.source_id ORDER BY g.place`,
    [seqs],
  )
  return rows.map((row) => ({
    seq: row.seq,
    sourceId: row.source_id,
    sortAt: row.sort_at,
    firstSeenAt: row.first_seen_at,
    changedAt: row.changed_at,
    published: row.published,
    title: row.title,
    link: row.link,
    authors: authorsOf(row.rest),
    ...withLeadImage(mediaIn(row.rest), row.lead_image),
    text: row.text,
    isCut: row.text.length >= HEAD_CHARACTERS,
    source: { url: row.url, name: row.name, title: row.source_title },
  }))
}

interface ObservationRow extends Omit<Observation, 'loss' | 'itemTimes'> {
  readonly item_times: number[] | null
  readonly loss: string | null
}

export async function readObservations(
  sql: Sql,
  sourceId: SourceId,
  { since, limit }: { readonly since?: number; readonly limit: number },
): Promise<Observation[]> {
  const rows = await sql.rows<ObservationRow>(
    `SELECT source_id AS "sourceId", previous_at AS "previousAt", at, new_items AS "newItems",
       window_size AS "windowSize", overlap, lost_at_least AS "lostAtLeast", not_modified AS "notModified", bytes,
       latency_ms AS "latencyMs", item_times, loss
     FROM observation WHERE source_id = $1 AND at >= $2 ORDER BY at DESC LIMIT $3`,
    [sourceId, since ?? Number.MIN_SAFE_INTEGER, Math.max(0, limit)],
  )
  return rows.map(({ item_times, loss, ...row }) => ({
    ...row,
    itemTimes: item_times ?? [],
    ...(loss === null ? {} : { loss: JSON.parse(loss) as LossEstimate }),
  }))
}
