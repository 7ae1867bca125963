import type { Item, ItemSeq, SourceId } from '../../../model/index.ts'
import { isMixed, MOST_ARRIVALS, maxPerSource, perSourceSlots } from '../../rules/mixed-window.ts'
import type { ItemScope } from '../../store.ts'
import type { Connection } from '../database/connection.ts'
import { lastStoredItems } from './arrivals.ts'
import { itemsWithinLimit, positionsOf } from './items.ts'

/** The window of src/store/rules/mixed-window.ts, without reading what a busy source has too much of. */
export function readMixedArrivals(connection: Connection, scope: ItemScope, limit: number): Item[] {
  const last = lastStoredItems(connection, scope, limit)
  if (scope.kind === 'source' || last.length < limit || isMixed(positionsOf(connection, last), limit))
    return itemsWithinLimit(connection, last)
  const chosen = new Set(sharedSeqs(connection, scope, limit))
  for (const seq of last) {
    if (chosen.size >= limit) break
    chosen.add(seq)
  }
  const newestFirst = [...chosen].sort((a, b) => b - a)
  return itemsWithinLimit(connection, newestFirst)
}

const IN_CATEGORY = 'AND source_id IN (SELECT source_id FROM source_folder WHERE folder = ?)'

/**
 * Walks the index of arrivals; a source that has its share is left out of the walk from there on. Ten shares fill the
 * places, so that there are at most eleven walks, over disjoint stretches.
 */
function sharedSeqs(connection: Connection, scope: ItemScope, limit: number): ItemSeq[] {
  const { sql } = connection
  const floor = ((sql('SELECT max(seq) FROM item').pluck().get() ?? 0) as number) - MOST_ARRIVALS
  const isCategory = scope.kind === 'category'
  const walk = sql(
    `SELECT seq, source_id FROM item INDEXED BY item_arrival WHERE seq < ? AND seq > ?
     AND source_id NOT IN (SELECT value FROM json_each(?)) ${isCategory ? IN_CATEGORY : ''} ORDER BY seq DESC LIMIT ?`,
  ).raw()
  const shared: ItemSeq[] = []
  const counts = new Map<SourceId, number>()
  const full: SourceId[] = []
  let before: ItemSeq = Number.MAX_SAFE_INTEGER
  for (let more = true; more; ) {
    const rest = perSourceSlots(limit) - shared.length
    const values = [before, floor, JSON.stringify(full), ...(isCategory ? [scope.category] : []), rest]
    more = false
    for (const [seq, sourceId] of walk.iterate(...values) as IterableIterator<[ItemSeq, SourceId]>) {
      shared.push(seq)
      before = seq
      const count = (counts.get(sourceId) ?? 0) + 1
      counts.set(sourceId, count)
      if (count < maxPerSource(limit)) continue
      full.push(sourceId)
      more = true
      break
    }
  }
  return shared
}
