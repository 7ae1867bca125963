import type { InstantMs, Item, ItemSeq, LossEstimate, Observation, SourceId } from '../../../model/index.ts'
import { HEAD_CHARACTERS, type ItemHead, type ItemPosition } from '../../item-heads.ts'
import { withLeadImage } from '../../item-media.ts'
import { boundsOf } from '../../rows/bounds.ts'
import { authorsOf, COLUMNS_WITHOUT_TEXTS, ITEM_COLUMNS, type ItemRow, itemOf, mediaIn } from '../../rows/items.ts'
import type { ItemQuery } from '../../store.ts'
import { parseTextQuery } from '../../text/query.ts'
import { firstWithinLimit, TextLimit } from '../../text-limit.ts'
import type { Connection } from '../database/connection.ts'
import type { TailPairs } from '../text-index/phrase-tail.ts'
import { verifySearch } from '../text-index/search.ts'
import { indexQueryOf } from '../text-index/text-index.ts'
import { seqsInOrder } from './walk.ts'

/** Newest first by (sortAt, seq). The text index must be complete: see store.ts. */
export function readSeqs(connection: Connection, query: ItemQuery, tail: TailPairs | null = null): ItemSeq[] {
  if (query.limit <= 0) return []
  const text = query.text === undefined || query.text.trim() === '' ? undefined : parseTextQuery(query.text)
  if (text === null) return []
  const bounds = boundsOf(query)
  if (text === undefined) return seqsInOrder(connection, query.scope, bounds, query.limit, null)
  const { match, verify } = indexQueryOf(text)
  if (verify) return verifySearch(connection, query, text, tail)
  return seqsInOrder(connection, query.scope, bounds, query.limit, match)
}

export function positionsOf({ sql }: Connection, seqs: readonly ItemSeq[]): ItemPosition[] {
  const rows = sql('SELECT seq, source_id, sort_at FROM json_each(?) CROSS JOIN item ON seq = value').raw()
  const rowsOfItems = rows.all(JSON.stringify(seqs)) as [ItemSeq, SourceId, InstantMs][]
  return rowsOfItems.map(([seq, sourceId, sortAt]) => ({ seq, sourceId, sortAt }))
}

/** Newest first, of everything there is: the index by time knows them without a look at any item. */
export function newestPositions({ sql }: Connection, query: ItemQuery): ItemPosition[] {
  const { since, beforeAt, beforeSeq } = boundsOf(query)
  const rows = sql(
    `SELECT seq, source_id, sort_at FROM item INDEXED BY item_by_time
     WHERE sort_at >= ? AND (sort_at, seq) < (?, ?) ORDER BY sort_at DESC, seq DESC LIMIT ?`,
  ).raw()
  const heads = rows.all(since, beforeAt, beforeSeq, Math.max(0, query.limit)) as [ItemSeq, SourceId, InstantMs][]
  return heads.map(([seq, sourceId, sortAt]) => ({ seq, sourceId, sortAt }))
}

type HeadRow = [
  seq: ItemSeq,
  sourceId: SourceId,
  sortAt: InstantMs,
  firstSeenAt: InstantMs,
  changedAt: InstantMs,
  published: InstantMs | null,
  title: string | null,
  link: string | null,
  rest: string | null,
  text: string | null,
  url: string,
  name: string | null,
  sourceTitle: string | null,
  leadImage: string | null,
]

export function headsOf({ sql }: Connection, seqs: readonly ItemSeq[]): ItemHead[] {
  const rows = sql(
    `SELECT i.seq, i.source_id, i.sort_at, i.first_seen_at, i.changed_at, i.published, i.title, i.link, i.rest,
       substr(coalesce(i.summary, i.content), 1, ${HEAD_CHARACTERS}), s.url, s.name, t.title,
       (SELECT json_extract(p.facts, '$.leadImage.url') FROM item_page p WHERE p.seq = i.seq)
     FROM json_each(?) CROSS JOIN item i ON i.seq = value JOIN source s ON s.id = i.source_id
     JOIN source_state t ON t.source_id = i.source_id`,
  ).raw()
  return (rows.all(JSON.stringify(seqs)) as HeadRow[]).map(headOf)
}

function headOf(row: HeadRow): ItemHead {
  const [seq, sourceId, sortAt, firstSeenAt, changedAt, published, title, link, rest, beginning] = row
  const text = beginning ?? ''
  const { image, medium } = withLeadImage(mediaIn(rest), row[13])
  return {
    seq,
    sourceId,
    sortAt,
    firstSeenAt,
    changedAt,
    published,
    title,
    link,
    authors: authorsOf(rest),
    image,
    medium,
    text,
    isCut: text.length >= HEAD_CHARACTERS,
    source: { url: row[10], name: row[11], title: row[12] },
  }
}

export function itemsOf(connection: Connection, seqs: readonly ItemSeq[]): Item[] {
  const select = connection.sql(`SELECT ${ITEM_COLUMNS} FROM item WHERE seq = ?`)
  const items: Item[] = []
  for (const seq of seqs) {
    const row = select.get(seq) as ItemRow | undefined
    if (row !== undefined) items.push(itemOf(row))
  }
  return items
}

/** As many of the first as there is room for in memory. */
export function firstWithinMemory(
  { sql }: Connection,
  seqs: readonly ItemSeq[],
): { readonly items: readonly Item[]; readonly count: number } {
  const select = sql(`SELECT ${ITEM_COLUMNS} FROM item WHERE seq = ?`)
  const rows = firstWithinLimit(
    map(seqs, (seq) => select.get(seq) as ItemRow | undefined),
    (row) => row ?? NO_TEXTS,
  )
  return { items: rows.flatMap((row) => (row === undefined ? [] : itemOf(row))), count: rows.length }
}

const NO_TEXTS = { summary: null, content: null }

function* map<T, R>(values: Iterable<T>, change: (value: T) => R): Iterable<R> {
  for (const value of values) yield change(value)
}

/** Likewise; where there is no more room in memory, without their texts. */
export function itemsWithinLimit({ sql }: Connection, seqs: readonly ItemSeq[]): Item[] {
  const whole = sql(`SELECT ${ITEM_COLUMNS} FROM item WHERE seq = ?`)
  const limit = new TextLimit()
  const items: Item[] = []
  for (const seq of seqs) {
    const select = limit.isFull ? sql(`SELECT ${COLUMNS_WITHOUT_TEXTS} FROM item WHERE seq = ?`) : whole
    const row = select.get(seq) as ItemRow | undefined
    if (row === undefined) continue
    limit.take(row)
    items.push(itemOf(row))
  }
  return items
}

interface ObservationRow {
  readonly source_id: number
  readonly at: number
  readonly previous_at: number | null
  readonly new_items: number
  readonly window_size: number | null
  readonly overlap: Observation['overlap']
  readonly lost_at_least: number
  readonly not_modified: number
  readonly bytes: number
  readonly latency_ms: number
  readonly item_times: string | null
  readonly loss: string | null
}

export function readObservations(
  connection: Connection,
  sourceId: SourceId,
  options: { readonly since?: number; readonly limit: number },
): Observation[] {
  const rows = connection
    .sql('SELECT * FROM observation WHERE source_id = ? AND at >= ? ORDER BY at DESC LIMIT ?')
    .all(sourceId, options.since ?? Number.MIN_SAFE_INTEGER, Math.max(0, options.limit)) as ObservationRow[]
  return rows.map(observationOf)
}

function observationOf(row: ObservationRow): Observation {
  return {
    sourceId: row.source_id,
    previousAt: row.previous_at,
    at: row.at,
    newItems: row.new_items,
    windowSize: row.window_size,
    overlap: row.overlap,
    lostAtLeast: row.lost_at_least,
    ...(row.loss === null ? {} : { loss: JSON.parse(row.loss) as LossEstimate }),
    itemTimes: row.item_times === null ? [] : (JSON.parse(row.item_times) as number[]),
    notModified: row.not_modified === 1,
    bytes: row.bytes,
    latencyMs: row.latency_ms,
  }
}
