import { DAY_MS, dayOf, type InstantMs, type ItemSeq, type SourceId } from '../../../model/index.ts'
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
import { dropItems } from './drop-items.ts'
import {
  dropPartition,
  listPartitions,
  lockTables,
  PARTITION_PLAN,
  type PartitionPlan,
  preparePartitions,
  whereFree,
} from './partitions.ts'

/** Items in one transaction, for which publishing waits. */
const BATCH = 200

export async function pruneAll(
  access: Access,
  policy: RetentionPolicy,
  now: InstantMs,
  plan: PartitionPlan = PARTITION_PLAN,
): Promise<{ readonly items: number; readonly observations: number }> {
  await preparePartitions(access, access.now(), plan)
  let items = await dropExpiredItems(access, policy, now, plan)
  const spared = await sparedRanges(access, policy, now, plan)
  for (const sourceId of await sourcesWithExpired(access, policy, now, spared)) {
    const expired = await expiredItems(access, sourceId, policy, now, spared)
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
  const observations = await removeObservations(access, policy, now, plan)
  await forget(access, now)
  return { items, observations }
}

/** Partitions whose items are all too old; what somebody needs of them stays. */
async function dropExpiredItems(
  access: Access,
  { maxAgeMs, feedWindow = DEFAULT_FEED_WINDOW }: RetentionPolicy,
  now: InstantMs,
  { leastRows }: PartitionPlan,
): Promise<number> {
  if (maxAgeMs === null) return 0
  let items = 0
  for (const { name, rows, to } of await listPartitions(access, 'item')) {
    const newest = await newestIn(access, name, to)
    if (newest === null || newest >= now - maxAgeMs || rows < leastRows) continue
    const moment = { now, clockNow: access.now(), feedWindow }
    const dropped = await whereFree(() =>
      access.transaction(['publications', 'words', 'partitions'], (sql) => dropItems(sql, name, NEEDED_BESIDE, moment)),
    )
    items += dropped ?? 0
  }
  return items
}

/** When its last item came; null: none has, or more will. */
async function newestIn(sql: Sql, name: string, to: ItemSeq): Promise<InstantMs | null> {
  const row = await sql.first<{ newest: InstantMs | null }>(
    `SELECT CASE WHEN (SELECT seq FROM log_position) >= $1 - 1 THEN (SELECT max(first_seen_at) FROM ${name}) END AS newest`,
    [to],
  )
  return row?.newest ?? null
}

interface Ranges {
  readonly froms: readonly ItemSeq[]
  readonly tos: readonly ItemSeq[]
}

/** Items that will go with their partition within two days: deleting them now, one by one, would be work for nothing. */
async function sparedRanges(
  access: Access,
  { maxAgeMs }: RetentionPolicy,
  now: InstantMs,
  { leastRows }: PartitionPlan,
): Promise<Ranges> {
  const spared: { from: ItemSeq; to: ItemSeq }[] = []
  if (maxAgeMs !== null) {
    for (const { name, from, to, rows } of await listPartitions(access, 'item')) {
      const newest = rows < leastRows ? null : await newestIn(access, name, to)
      if (newest !== null && newest >= now - maxAgeMs && newest < now - maxAgeMs + 2 * DAY_MS) spared.push({ from, to })
    }
  }
  return { froms: spared.map(({ from }) => from), tos: spared.map(({ to }) => to) }
}

/** As parameters $3 and $4 (`Ranges`). */
const IS_SPARED = `EXISTS (SELECT 1 FROM unnest($3::bigint[], $4::bigint[]) AS r (low, high) WHERE seq >= low AND seq < high)`

async function sourcesWithExpired(
  sql: Sql,
  { maxAgeMs, maxItemsPerSource }: RetentionPolicy,
  now: InstantMs,
  { froms, tos }: Ranges,
): Promise<SourceId[]> {
  const rows = await sql.rows<{ source_id: SourceId }>(
    `SELECT source_id FROM source_items WHERE items > $1::bigint
     UNION SELECT source_id FROM item WHERE first_seen_at < $2::bigint AND NOT ${IS_SPARED} ORDER BY 1`,
    [maxItemsPerSource, maxAgeMs === null ? null : now - maxAgeMs, froms, tos],
  )
  return rows.map(({ source_id }) => source_id)
}

/** What must be kept all the same is seen when they are removed. */
async function expiredItems(
  sql: Sql,
  sourceId: SourceId,
  { maxAgeMs, maxItemsPerSource }: RetentionPolicy,
  now: InstantMs,
  { froms, tos }: Ranges,
): Promise<ItemSeq[]> {
  const rows = await sql.rows<{ seq: ItemSeq }>(
    `SELECT seq FROM (
       SELECT seq, first_seen_at, row_number() OVER (ORDER BY sort_at DESC, seq DESC) AS place FROM item WHERE source_id = $1
     ) AS i WHERE place > $2::bigint OR (first_seen_at < $5::bigint AND NOT ${IS_SPARED}) ORDER BY seq`,
    [
      sourceId,
      maxItemsPerSource === null ? null : Math.max(0, maxItemsPerSource),
      froms,
      tos,
      maxAgeMs === null ? null : now - maxAgeMs,
    ],
  )
  return rows.map(({ seq }) => seq)
}

/** Still to be delivered by a subscription, or in the present window of a query feed. `window`: of feeds without a limit. */
const standsInFeed = (window: string) => `
  SELECT 1 FROM publication p JOIN query_feed f ON f.id = p.feed_id
  WHERE p.item_seq = i.seq AND (
    (NOT p.history AND EXISTS (SELECT 1 FROM subscription s WHERE s.feed_id = f.id AND s.delivered_seq < p.seq))
    OR (SELECT count(*) FROM (
          SELECT 1 FROM publication newer WHERE newer.feed_id = p.feed_id AND newer.seq > p.seq
          LIMIT coalesce(f.item_limit, ${window})) AS counted) < coalesce(f.item_limit, ${window}))`

const awaited = (now: string) => `
  SELECT 1 FROM buffer_entry b WHERE b.seq = i.seq AND b.cursor > ${slowestCursor(now)}`

/** Beside the windows of sources: with the window of feeds as $1 and the time as $2. */
const NEEDED_BESIDE = `EXISTS (${awaited('$2')}) OR EXISTS (${standsInFeed('$1::bigint')})`

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
       AND NOT EXISTS (${awaited('$4')}) AND NOT EXISTS (${standsInFeed('$3')})`,
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
  { leastRows }: PartitionPlan,
): Promise<number> {
  if (maxObservationAgeMs === null) return 0
  const before = now - maxObservationAgeMs
  const large = (await listPartitions(access, 'observation')).filter(({ rows }) => rows >= leastRows)
  let removed = 0
  for (const { name, to } of large) if (to <= before) removed += await dropObservations(access, name)
  // What will go with its partition waits for that.
  const end = large.find(({ from, to }) => from < before && before < to)?.from ?? before
  return access.transaction([], async (sql) => {
    const deleted = await sql.run('DELETE FROM observation WHERE at < $1', [end])
    await addToTally(sql, 'observations', -deleted)
    return removed + deleted
  })
}

async function dropObservations(access: Access, name: string): Promise<number> {
  const dropped = await whereFree(() =>
    access.transaction(['partitions'], async (sql) => {
      await lockTables(sql, ['observation'])
      const count = (await sql.first<{ rows: number }>(`SELECT count(*) AS rows FROM ${name}`))?.rows ?? 0
      await dropPartition(sql, 'observation', name)
      await addToTally(sql, 'observations', -count)
      return count
    }),
  )
  return dropped ?? 0
}

/** What may be forgotten altogether. */
async function forget(sql: Sql, now: InstantMs): Promise<void> {
  await sql.run('DELETE FROM item_key WHERE removed_at < $1', [now - REMEMBER_REMOVED_MS])
  await sql.run('DELETE FROM removed_source WHERE removed_at < $1', [now - REMEMBER_REMOVED_SOURCE_MS])
  await sql.run('DELETE FROM source_day WHERE day < $1', [dayOf(now) - REMEMBER_DAYS])
  await forgetOldQuality(sql, now)
  await sql.run('DELETE FROM item_mark m WHERE NOT EXISTS (SELECT 1 FROM item i WHERE i.seq = m.seq)')
}
