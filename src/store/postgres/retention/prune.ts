import { dayOf, type InstantMs, type ItemSeq, type SourceId } from '../../../model/index.ts'
import { DEFAULT_FEED_WINDOW, REMEMBER_REMOVED_MS, REMEMBER_REMOVED_SOURCE_MS } from '../../defaults.ts'
import { REMEMBER_DAYS } from '../../intake.ts'
import { packHashBytes } from '../../rows/hashes.ts'
import { windowOfBytes } from '../../rows/windows.ts'
import type { RetentionPolicy } from '../../store.ts'
import { addToTally } from '../database/counters.ts'
import { slowestCursor } from '../database/slowest-cursor.ts'
import type { Access, Sql } from '../database/sql.ts'
import { deleteItems } from '../items/delete-items.ts'
import { forgetOldQuality } from '../quality/quality.ts'

/** Items in one transaction, for which publishing waits. */
const BATCH = 200

export async function pruneAll(
  access: Access,
  policy: RetentionPolicy,
  now: InstantMs,
): Promise<{ readonly items: number; readonly observations: number }> {
  let items = 0
  for (const sourceId of await sourcesWithExpired(access, policy, now)) {
    const expired = await expiredItems(access, sourceId, policy, now)
    for (let at = 0; at < expired.length; at += BATCH) {
      const some = expired.slice(at, at + BATCH)
      items += await access.transaction(['publications', 'words'], (sql) =>
        removeExpired(sql, sourceId, some, policy.feedWindow ?? DEFAULT_FEED_WINDOW, {
          now,
          // What retention takes for the present may be behind it.
          clockNow: access.now(),
        }),
      )
    }
  }
  const observations = await removeObservations(access, policy, now)
  await forget(access, now)
  return { items, observations }
}

async function sourcesWithExpired(
  sql: Sql,
  { maxAgeMs, maxItemsPerSource }: RetentionPolicy,
  now: InstantMs,
): Promise<SourceId[]> {
  const rows = await sql.rows<{ source_id: SourceId }>(
    `SELECT source_id FROM source_items WHERE items > $1::bigint
     UNION SELECT source_id FROM item WHERE first_seen_at < $2::bigint ORDER BY 1`,
    [maxItemsPerSource, maxAgeMs === null ? null : now - maxAgeMs],
  )
  return rows.map(({ source_id }) => source_id)
}

/** What must be kept all the same is seen when they are removed. */
async function expiredItems(
  sql: Sql,
  sourceId: SourceId,
  { maxAgeMs, maxItemsPerSource }: RetentionPolicy,
  now: InstantMs,
): Promise<ItemSeq[]> {
  const rows = await sql.rows<{ seq: ItemSeq }>(
    `SELECT seq FROM (
       SELECT seq, first_seen_at, row_number() OVER (ORDER BY sort_at DESC, seq DESC) AS place FROM item WHERE source_id = $1
     ) AS i WHERE place > $2::bigint OR first_seen_at < $3::bigint ORDER BY seq`,
    [
      sourceId,
      maxItemsPerSource === null ? null : Math.max(0, maxItemsPerSource),
      maxAgeMs === null ? null : now - maxAgeMs,
    ],
  )
  return rows.map(({ seq }) => seq)
}

/** Still to be delivered by a subscription, or in the present window of a query feed. */
const STANDS_IN_FEED = `
  SELECT 1 FROM publication p JOIN query_feed f ON f.id = p.feed_id
  WHERE p.item_seq = i.seq AND (
    (NOT p.history AND EXISTS (SELECT 1 FROM subscription s WHERE s.feed_id = f.id AND s.delivered_seq < p.seq))
    OR (SELECT count(*) FROM (
          SELECT 1 FROM publication newer WHERE newer.feed_id = p.feed_id AND newer.seq > p.seq
          LIMIT coalesce(f.item_limit, $3)) AS counted) < coalesce(f.item_limit, $3))`

const AWAITED = `
  SELECT 1 FROM buffer_entry b WHERE b.seq = i.seq AND b.cursor > ${slowestCursor('$4')}`

/** Removes those that nobody needs, and remembers their keys; returns how many. */
async function removeExpired(
  sql: Sql,
  sourceId: SourceId,
  seqs: readonly ItemSeq[],
  feedWindow: number,
  { now, clockNow }: { readonly now: InstantMs; readonly clockNow: InstantMs },
): Promise<number> {
  // No refresh of the source writes another window meanwhile.
  await sql.run('SELECT 1 FROM source_state WHERE source_id = $1 FOR UPDATE', [sourceId])
  const row = await sql.first<{ entries: Buffer }>('SELECT entries FROM source_window WHERE source_id = $1', [sourceId])
  const inWindow = windowOfBytes(row?.entries ?? null).map(({ key }) => packHashBytes(key))
  const removable = await sql.rows<{ seq: ItemSeq; key: Buffer }>(
    `SELECT i.seq, i.key FROM item i WHERE i.seq = ANY ($1::bigint[]) AND NOT (i.key = ANY ($2::bytea[]))
       AND NOT EXISTS (${AWAITED}) AND NOT EXISTS (${STANDS_IN_FEED})`,
    [seqs, inWindow, feedWindow, clockNow],
  )
  await sql.run('UPDATE item_key SET removed_at = $3 WHERE source_id = $1 AND key = ANY ($2::bytea[])', [
    sourceId,
    removable.map(({ key }) => key),
    now,
  ])
  const count = await deleteItems(
    sql,
    removable.map(({ seq }) => seq),
  )
  await sql.run('UPDATE source_items SET items = items - $2 WHERE source_id = $1', [sourceId, count])
  return count
}

async function removeObservations(
  access: Access,
  { maxObservationAgeMs }: RetentionPolicy,
  now: InstantMs,
): Promise<number> {
  if (maxObservationAgeMs === null) return 0
  return access.transaction([], async (sql) => {
    const removed = await sql.run('DELETE FROM observation WHERE at < $1', [now - maxObservationAgeMs])
    await addToTally(sql, 'observations', -removed)
    return removed
  })
}

/** What may be forgotten altogether. */
async function forget(sql: Sql, now: InstantMs): Promise<void> {
  await sql.run('DELETE FROM item_key WHERE removed_at < $1', [now - REMEMBER_REMOVED_MS])
  await sql.run('DELETE FROM removed_source WHERE removed_at < $1', [now - REMEMBER_REMOVED_SOURCE_MS])
  await sql.run('DELETE FROM source_day WHERE day < $1', [dayOf(now) - REMEMBER_DAYS])
  await forgetOldQuality(sql, now)
  await sql.run('DELETE FROM item_mark m WHERE NOT EXISTS (SELECT 1 FROM item i WHERE i.seq = m.seq)')
}
