import type { InstantMs, ItemSeq, SourceId } from '../../model/index.ts'
import { DEFAULT_FEED_WINDOW, REMEMBER_REMOVED_MS, REMEMBER_REMOVED_SOURCE_MS } from '../defaults.ts'
import type { RetentionPolicy } from '../store.ts'
import { slowestCursor } from './buffer-rows.ts'
import { packHash, unpackWindow } from './codec.ts'
import type { Connection } from './connection.ts'
import { addToCounter, addToSourceItems } from './counters.ts'
import { standsInFeed } from './feed-windows.ts'
import { forgetOldQuality } from './quality.ts'
import { forgetMarks } from './reading.ts'

export interface PruneResult {
  readonly items: number
  readonly observations: number
}

/** One source in one transaction, so that a large archive does not stop the node while it is tidied. */
export function pruneSource(
  connection: Connection,
  sourceId: SourceId,
  policy: RetentionPolicy,
  now: InstantMs,
): PruneResult {
  return connection.transaction(() => {
    const items = removeItems(connection, expired(connection, sourceId, policy, now), now)
    addToSourceItems(connection, sourceId, -items)
    const observations = removeObservations(connection, sourceId, policy, now)
    return { items, observations }
  })
}

/** What may be forgotten altogether. */
export function forgetOld(connection: Connection, now: InstantMs): void {
  connection.sql('DELETE FROM removed_item WHERE removed_at < ?').run(now - REMEMBER_REMOVED_MS)
  connection.sql('DELETE FROM removed_source WHERE removed_at < ?').run(now - REMEMBER_REMOVED_SOURCE_MS)
  forgetOldQuality(connection, now)
  forgetMarks(connection)
}

function expired(
  connection: Connection,
  sourceId: SourceId,
  { maxAgeMs, maxItemsPerSource, feedWindow = DEFAULT_FEED_WINDOW }: RetentionPolicy,
  now: InstantMs,
): ItemSeq[] {
  const { sql } = connection
  const seqs = new Set<ItemSeq>()
  if (maxAgeMs !== null) {
    const old = sql('SELECT seq FROM item INDEXED BY item_by_source WHERE source_id = ? AND first_seen_at < ?')
    for (const seq of old.pluck().all(sourceId, now - maxAgeMs)) seqs.add(seq as ItemSeq)
  }
  if (maxItemsPerSource !== null) {
    const surplus = sql('SELECT seq FROM item WHERE source_id = ? ORDER BY sort_at DESC, seq DESC LIMIT -1 OFFSET ?')
    for (const seq of surplus.pluck().all(sourceId, Math.max(0, maxItemsPerSource))) seqs.add(seq as ItemSeq)
  }
  if (seqs.size === 0) return []
  for (const seq of inWindow(connection, sourceId)) seqs.delete(seq)
  const awaited = awaitedByReaders(connection)
  return [...seqs].filter((seq) => !awaited.has(seq) && !standsInFeed(connection, seq, feedWindow))
}

function inWindow(connection: Connection, sourceId: SourceId): ItemSeq[] {
  const packed = connection.sql('SELECT entries FROM source_window WHERE source_id = ?').pluck().get(sourceId)
  const find = connection.sql('SELECT seq FROM item WHERE source_id = ? AND key = ?').pluck()
  return unpackWindow((packed ?? null) as Buffer | string | null)
    .map(({ key }) => find.get(sourceId, packHash(key)) as ItemSeq | undefined)
    .filter((seq) => seq !== undefined)
}

/** Items that a reader of the buffer has not acknowledged; no more than the buffer holds. */
function awaitedByReaders(connection: Connection): ReadonlySet<ItemSeq> {
  const entries = connection.sql('SELECT seq FROM buffer_entry WHERE cursor > (SELECT min(cursor) FROM buffer_reader)')
  return new Set(entries.pluck().all() as ItemSeq[])
}

function removeItems(connection: Connection, seqs: readonly ItemSeq[], now: InstantMs): number {
  const { sql } = connection
  for (const seq of seqs) {
    sql(
      `INSERT OR REPLACE INTO removed_item (source_id, key, content_hash, removed_at)
       SELECT source_id, key, content_hash, ? FROM item WHERE seq = ?`,
    ).run(now, seq)
    sql('DELETE FROM publication WHERE item_seq = ?').run(seq)
    sql('DELETE FROM stale_text WHERE seq = ?').run(seq)
    sql('DELETE FROM item_text WHERE rowid = ?').run(seq)
    sql('DELETE FROM item WHERE seq = ?').run(seq)
  }
  // With readers, what they have all acknowledged is in the buffer no more.
  if (seqs.length > 0 && slowestCursor(connection) === null) {
    sql('DELETE FROM buffer_entry WHERE seq IN (SELECT value FROM json_each(?))').run(JSON.stringify(seqs))
  }
  addToCounter(connection, 'items', -seqs.length)
  return seqs.length
}

function removeObservations(
  connection: Connection,
  sourceId: SourceId,
  { maxObservationAgeMs }: RetentionPolicy,
  now: InstantMs,
): number {
  if (maxObservationAgeMs === null) return 0
  const { changes } = connection
    .sql('DELETE FROM observation WHERE source_id = ? AND at < ?')
    .run(sourceId, now - maxObservationAgeMs)
  addToCounter(connection, 'observations', -changes)
  return changes
}
