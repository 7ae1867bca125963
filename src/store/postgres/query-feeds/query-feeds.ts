import type { InstantMs, ItemSeq, QueryFeed, QueryFeedId } from '../../../model/index.ts'
import { HeadwaterError } from '../../../runtime/errors.ts'
import type { Vault } from '../../../runtime/vault.ts'
import { type CatchUpStart, QUERY_READER, type QueryChange } from '../../query-feeds.ts'
import { type FeedRow, feedOf } from '../../rows/query-feeds.ts'
import { itemsBefore } from '../buffer/reader-rows.ts'
import { nextRevision, readCounter } from '../database/counters.ts'
import type { Sql } from '../database/sql.ts'
import { dropSource } from '../sources/drop-source.ts'
import { addSource, changeSource } from '../sources/sources.ts'
import { dropSubscriptions, subscribe, unsubscribe } from './subscriptions.ts'

export async function listQueryFeeds(sql: Sql): Promise<QueryFeed[]> {
  return (await sql.rows<FeedRow>('SELECT * FROM query_feed ORDER BY name')).map(feedOf)
}

export async function findQueryFeed(sql: Sql, name: string): Promise<QueryFeed | null> {
  const row = await sql.first<FeedRow>('SELECT * FROM query_feed WHERE name = $1', [name])
  return row === null ? null : feedOf(row)
}

/** Within a transaction that holds the locks "settings", "publications" and "words". */
export async function changeQueries(
  sql: Sql,
  vault: Vault,
  changes: readonly QueryChange[],
  revision: number,
  now: InstantMs,
): Promise<boolean> {
  if ((await readCounter(sql, 'queries')) !== revision) return false
  for (const change of changes) await apply(sql, vault, change, now)
  if (changes.length > 0) await nextRevision(sql, 'queries')
  return true
}

async function apply(sql: Sql, vault: Vault, change: QueryChange, now: InstantMs): Promise<void> {
  switch (change.kind) {
    case 'add-source':
      await addSource(sql, vault, change.settings, now, change.by)
      return
    case 'alter-source':
      await changeSource(sql, vault, change.sourceId, change.patch)
      return
    case 'remove-source':
      await dropSource(sql, change.sourceId, now)
      return
    case 'save-feed':
      return saveFeed(sql, change, now)
    case 'weigh-feed':
      await sql.run('UPDATE query_feed SET weight = $1 WHERE id = $2', [change.weight, await idOf(sql, change.name)])
      return
    case 'drop-feed':
      return dropFeed(sql, change.name)
    case 'clear-feed':
      return clearFeed(sql, change.name, change.without)
    case 'subscribe':
      return subscribe(sql, vault, await idOf(sql, change.feed), change, now)
    case 'unsubscribe':
      return unsubscribe(sql, await idOf(sql, change.feed), change.output)
  }
}

async function idOf(sql: Sql, name: string): Promise<QueryFeedId> {
  const row = await sql.first<{ id: QueryFeedId }>('SELECT id FROM query_feed WHERE name = $1', [name])
  if (row === null) throw new HeadwaterError('FEED_NOT_FOUND', name)
  return row.id
}

type SavedFeed = Extract<QueryChange, { kind: 'save-feed' }>

async function saveFeed(sql: Sql, change: SavedFeed, now: InstantMs): Promise<void> {
  const { name, title, limit, text, catchUp, first } = change
  const known = await sql.run(
    'UPDATE query_feed SET title = $2, item_limit = $3, text = $4, altered_at = $5 WHERE name = $1',
    [name, title, limit, text, now],
  )
  if (known === 0) {
    await sql.run(
      `INSERT INTO query_feed (name, title, item_limit, text, private, created_at, altered_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6)`,
      [name, title, limit, text, first?.isPrivate === true, now],
    )
    await sql.run(
      'INSERT INTO feed_owner (feed_id, user_id) SELECT id, $2 FROM query_feed WHERE name = $1 AND $2::bigint IS NOT NULL',
      [name, first?.ownerId ?? null],
    )
  }
  if (catchUp !== 'no' || known === 0) await beginCatchUp(sql, name, catchUp === 'no' ? 'from now' : catchUp)
}

async function beginCatchUp(sql: Sql, name: string, from: Exclude<CatchUpStart, 'no'>): Promise<void> {
  const upTo = await readProcessedUpTo(sql)
  const after = from === 'from now' ? upTo : Math.min(upTo, Math.max(0, from.after))
  await sql.run(
    `UPDATE query_feed SET version = version + 1, catch_up_after = $2, history_up_to = $3,
       began_after = least(began_after, $2), asks_after = $2 WHERE name = $1`,
    [name, after, upTo],
  )
  // It asks something new: what was counted is of what it asked before.
  await sql.run('DELETE FROM kept_share WHERE feed_id = $1', [await idOf(sql, name)])
}

async function clearFeed(sql: Sql, name: string, without: readonly string[]): Promise<void> {
  const id = await idOf(sql, name)
  const row = await sql.first<{ after: ItemSeq }>(
    `SELECT least(coalesce(began_after, history_up_to), catch_up_after,
       (SELECT min(item_seq) - 1 FROM publication WHERE feed_id = f.id)) AS after FROM query_feed f WHERE id = $1`,
    [id],
  )
  await beginCatchUp(sql, name, { after: row?.after ?? 0 })
  await sql.run('UPDATE query_feed SET clearing = true, without = $2 WHERE id = $1', [id, without])
}

/** Of one moment, in one statement. */
export async function readProcessedUpTo(sql: Sql): Promise<ItemSeq> {
  const row = await sql.first<{ seq: ItemSeq }>(
    `SELECT coalesce(
       (SELECT coalesce(r.item_seq, ${itemsBefore('r.cursor')}) FROM buffer_reader r WHERE r.name = $1),
       (SELECT seq FROM log_position)) AS seq`,
    [QUERY_READER],
  )
  return row?.seq ?? 0
}

async function dropFeed(sql: Sql, name: string): Promise<void> {
  const id = await idOf(sql, name)
  await dropSubscriptions(sql, id)
  for (const table of [
    'feed_token',
    'feed_owner',
    'hub_subscription',
    'publication',
    'publication_count',
    'kept_share',
  ]) {
    await sql.run(`DELETE FROM ${table} WHERE feed_id = $1`, [id])
  }
  // Made for this feed, not for the next one of its name.
  await sql.run('DELETE FROM api_token WHERE feed = $1', [name])
  await sql.run('DELETE FROM query_feed WHERE id = $1', [id])
}
