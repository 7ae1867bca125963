import type { Cursor } from '../../../buffer/buffer.ts'
import type { InstantMs, ItemSeq, SourceId } from '../../../model/index.ts'
import { packHash } from '../../rows/hashes.ts'
import { unpackWindow } from '../../rows/windows.ts'
import { type Cutoffs, isNeeded, mostItemsOf } from '../../rules/retention.ts'
import type { RetentionPolicy } from '../../store.ts'
import type { Connection } from '../database/connection.ts'
import { addToCounter, addToSourceItems } from '../database/counters.ts'
import { forgetOldQuality } from '../quality/quality.ts'
import { placesInFeeds } from './feed-places.ts'

/** Items examined in one transaction: some milliseconds, so that a large archive does not stop the node while it is tidied. */
export const PRUNE_BATCH = 200
const ROWS_BATCH = 1_000

/** Those of a source of which `isPastRetention` is true. What must be kept all the same is seen when they are removed. */
export function expiredItems(
  { sql }: Connection,
  sourceId: SourceId,
  policy: RetentionPolicy,
  { itemsBefore }: Cutoffs,
): readonly ItemSeq[] {
  const seqs = new Set<ItemSeq>()
  if (itemsBefore !== null) {
    const old = sql('SELECT seq FROM item INDEXED BY item_by_source WHERE source_id = ? AND first_seen_at < ?')
    for (const seq of old.pluck().all(sourceId, itemsBefore)) seqs.add(seq as ItemSeq)
  }
  const most = mostItemsOf(policy)
  if (most !== null) {
    const surplus = sql('SELECT seq FROM item WHERE source_id = ? ORDER BY sort_at DESC, seq DESC LIMIT -1 OFFSET ?')
    for (const seq of surplus.pluck().all(sourceId, most)) seqs.add(seq as ItemSeq)
  }
  return [...seqs]
}

interface PruneMoment {
  readonly now: InstantMs
  /** Up to where the readers of the buffer have all come; null: there is none. */
  readonly slowest: Cursor | null
}

/** Some of a source's items that are past retention. */
export interface ExpiredItems {
  readonly sourceId: SourceId
  readonly seqs: readonly ItemSeq[]
}

/** Removes those of some expired items that nobody needs; returns how many. In a transaction. */
export function removeExpiredItems(
  connection: Connection,
  expired: readonly ExpiredItems[],
  policy: RetentionPolicy,
  moment: PruneMoment,
): number {
  const awaited = awaitedByReaders(connection, moment)
  let removed = 0
  for (const { sourceId, seqs } of expired) {
    const present = new Set(inWindow(connection, sourceId))
    const removable = seqs.filter((seq) => {
      const needs = {
        isInSourceWindow: () => present.has(seq),
        isAwaited: () => awaited.has(seq),
        places: () => placesInFeeds(connection, seq),
      }
      return !isNeeded(needs, policy)
    })
    const count = removeItems(connection, removable, moment)
    addToSourceItems(connection, sourceId, -count)
    removed += count
  }
  return removed
}

/** Whether a source has anything for the next two, or days of intake that may go. */
export function hasOldRows(
  { sql }: Connection,
  id: SourceId,
  { observationsBefore, removedItemsBefore, intakeBeforeDay }: Cutoffs,
): boolean {
  const found = sql(
    `SELECT EXISTS (SELECT 1 FROM observation WHERE source_id = :id AND at < :observationsBefore)
       OR EXISTS (SELECT 1 FROM removed_item WHERE source_id = :id AND removed_at < :removedItemsBefore)
       OR EXISTS (SELECT 1 FROM source_day WHERE source_id = :id AND day < :intakeBeforeDay)`,
  )
  return found.pluck().get({ id, observationsBefore, removedItemsBefore, intakeBeforeDay }) === 1
}

/** Of one source; returns how many went, at most a batch. In a transaction. */
export function removeObservations(
  connection: Connection,
  sourceId: SourceId,
  { observationsBefore }: Cutoffs,
): number {
  if (observationsBefore === null) return 0
  const { changes } = connection
    .sql(
      `DELETE FROM observation WHERE source_id = :id AND at < :end AND at <= coalesce(
         (SELECT at FROM observation WHERE source_id = :id ORDER BY at LIMIT 1 OFFSET ${ROWS_BATCH - 1}), :end)`,
    )
    .run({ id: sourceId, end: observationsBefore })
  if (changes > 0) addToCounter(connection, 'observations', -changes)
  return changes
}

/** What was removed from a source long ago. In a transaction. */
export function forgetRemovedItems({ sql }: Connection, sourceId: SourceId, { removedItemsBefore }: Cutoffs): void {
  sql('DELETE FROM removed_item WHERE source_id = ? AND removed_at < ?').run(sourceId, removedItemsBefore)
}

/** What may be forgotten altogether, a batch at a time; false: that was all. In a transaction. */
export function forgetSome(connection: Connection, cutoffs: Cutoffs): boolean {
  connection.sql('DELETE FROM removed_source WHERE removed_at < ?').run(cutoffs.removedSourcesBefore)
  return forgetOldQuality(connection, cutoffs, ROWS_BATCH)
}

function inWindow(connection: Connection, sourceId: SourceId): ItemSeq[] {
  const packed = connection.sql('SELECT entries FROM source_window WHERE source_id = ?').pluck().get(sourceId)
  const find = connection.sql('SELECT seq FROM item WHERE source_id = ? AND key = ?').pluck()
  return unpackWindow((packed ?? null) as Buffer | string | null)
    .map(({ key }) => find.get(sourceId, packHash(key)) as ItemSeq | undefined)
    .filter((seq) => seq !== undefined)
}

/** Items that a reader of the buffer has not acknowledged; no more than the buffer holds. */
function awaitedByReaders({ sql }: Connection, { slowest }: PruneMoment): ReadonlySet<ItemSeq> {
  if (slowest === null) return new Set()
  return new Set(sql('SELECT seq FROM buffer_entry WHERE cursor > ?').pluck().all(slowest) as ItemSeq[])
}

function removeItems(connection: Connection, seqs: readonly ItemSeq[], { now, slowest }: PruneMoment): number {
  const { sql } = connection
  // Some may have gone with their source since they were looked for.
  let count = 0
  for (const seq of seqs) {
    sql(
      `INSERT OR REPLACE INTO removed_item (source_id, key, content_hash, removed_at)
       SELECT source_id, key, content_hash, ? FROM item WHERE seq = ?`,
    ).run(now, seq)
    sql('DELETE FROM publication WHERE item_seq = ?').run(seq)
    sql('DELETE FROM stale_text WHERE seq = ?').run(seq)
    sql('DELETE FROM item_text WHERE rowid = ?').run(seq)
    sql('DELETE FROM item_page WHERE seq = ?').run(seq)
    count += sql('DELETE FROM item WHERE seq = ?').run(seq).changes
  }
  // With readers, what they have all acknowledged is in the buffer no more.
  if (seqs.length > 0 && slowest === null) {
    sql('DELETE FROM buffer_entry WHERE seq IN (SELECT value FROM json_each(?))').run(JSON.stringify(seqs))
  }
  addToCounter(connection, 'items', -count)
  return count
}
