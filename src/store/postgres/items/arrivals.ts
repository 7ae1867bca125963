import type { Item, ItemSeq, SourceId } from '../../../model/index.ts'
import { isMixed, MOST_ARRIVALS, maxPerSource, perSourceSlots } from '../../rules/mixed-window.ts'
import type { ItemScope } from '../../store.ts'
import type { Sql } from '../database/sql.ts'
import { itemsInRoom, scopeClause } from './items.ts'

interface Arrival {
  readonly seq: ItemSeq
  readonly sourceId: SourceId
}

/** The items in scope that were stored last, up to one, last first. */
export async function lastStored(
  sql: Sql,
  scope: ItemScope,
  limit: number,
  upTo: ItemSeq = Number.MAX_SAFE_INTEGER,
): Promise<Arrival[]> {
  if (limit <= 0) return []
  const { clause, values } = scopeClause(scope, 3)
  return sql.rows(
    `SELECT i.seq, i.source_id AS "sourceId" FROM item i WHERE i.seq <= $1 AND ${clause} ORDER BY i.seq DESC LIMIT $2`,
    [upTo, limit, ...values],
  )
}

/** The window of src/store/mixed-window.ts, without reading what a busy source has too much of. */
export async function readMixedArrivals(sql: Sql, scope: ItemScope, limit: number): Promise<Item[]> {
  const last = await lastStored(sql, scope, limit)
  const isWindow = scope.kind === 'source' || last.length < limit || isMixed(last, limit)
  const chosen = new Set(isWindow ? [] : await sharedSeqs(sql, scope, limit))
  for (const { seq } of last) {
    if (chosen.size >= limit) break
    chosen.add(seq)
  }
  return itemsInRoom(
    sql,
    [...chosen].sort((a, b) => b - a),
  )
}

/**
 * Walks arrivals; a source that has its share is left out of the walk from there on. Ten shares fill the places, so that
 * there are at most eleven walks, over disjoint stretches.
 */
async function sharedSeqs(sql: Sql, scope: ItemScope, limit: number): Promise<ItemSeq[]> {
  const newest = await sql.first<{ seq: ItemSeq | null }>('SELECT max(seq) AS seq FROM item')
  const floor = (newest?.seq ?? 0) - MOST_ARRIVALS
  const { clause, values } = scopeClause(scope, 5)
  const shared: ItemSeq[] = []
  const places = new Map<SourceId, number>()
  const full: SourceId[] = []
  let before: ItemSeq = Number.MAX_SAFE_INTEGER
  for (let isMore = true; isMore; ) {
    const rows = await sql.rows<Arrival>(
      `SELECT i.seq, i.source_id AS "sourceId" FROM item i
       WHERE i.seq < $1 AND i.seq > $2 AND i.source_id <> ALL ($3::bigint[]) AND ${clause} ORDER BY i.seq DESC LIMIT $4`,
      [before, floor, full, perSourceSlots(limit) - shared.length, ...values],
    )
    isMore = false
    for (const { seq, sourceId } of rows) {
      shared.push(seq)
      before = seq
      const taken = (places.get(sourceId) ?? 0) + 1
      places.set(sourceId, taken)
      if (taken < maxPerSource(limit)) continue
      full.push(sourceId)
      isMore = true
      break
    }
  }
  return shared
}
