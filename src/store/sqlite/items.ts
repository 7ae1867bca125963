import type { Item, ItemSeq, LossEstimate, Observation, SourceId } from '../../model/index.ts'
import type { ItemQuery } from '../store.ts'
import { parseTextQuery } from '../text/query.ts'
import { boundsOf } from './bounds.ts'
import type { Connection } from './connection.ts'
import { ITEM_COLUMNS, type ItemRow, itemOf } from './item-rows.ts'
import type { TailPairs } from './phrase-blocks.ts'
import { searchVerified } from './search.ts'
import { indexQueryOf } from './text-index.ts'
import { seqsInOrder } from './walk.ts'

/** Newest first by (sortAt, seq). The text index must be complete: see store.ts. */
export function readItems(connection: Connection, query: ItemQuery, tail: TailPairs | null = null): Item[] {
  if (query.limit <= 0) return []
  const text = query.text === undefined || query.text.trim() === '' ? undefined : parseTextQuery(query.text)
  if (text === null) return []
  const bounds = boundsOf(query)
  if (text === undefined) return itemsOf(connection, seqsInOrder(connection, query.scope, bounds, query.limit, null))
  const { match, verify } = indexQueryOf(text)
  if (verify) return searchVerified(connection, query, text, tail)
  return itemsOf(connection, seqsInOrder(connection, query.scope, bounds, query.limit, match))
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
