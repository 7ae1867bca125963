import type { InstantMs, ItemSeq, QueryFeed, QueryFeedId } from '../../../model/index.ts'
import { HeadwaterError } from '../../../runtime/errors.ts'
import { type CatchUpStart, QUERY_READER, type QueryChange } from '../../query-feeds.ts'
import { type FeedRow, feedOf } from '../../rows/query-feeds.ts'
import { beginCatchUp, type CatchUpPlace, catchUpOf, clearAfter, NOT_BEGUN } from '../../rules/catch-up.ts'
import { findReader, itemsBefore } from '../buffer/reader-rows.ts'
import type { Connection } from '../database/connection.ts'
import { addToCounter, readCounter } from '../database/counters.ts'
import { lastItemSeq } from '../items/archive-order.ts'
import { addSource, changeSource, dropSource } from '../sources/source-table.ts'
import { dropSubscriptions, subscribe, unsubscribe } from './subscriptions.ts'

export function listQueryFeeds({ sql }: Connection): QueryFeed[] {
  return (sql('SELECT * FROM query_feed ORDER BY name').all() as FeedRow[]).map(feedOf)
}

export function findQueryFeed({ sql }: Connection, name: string): QueryFeed | null {
  const row = sql('SELECT * FROM query_feed WHERE name = ?').get(name) as FeedRow | undefined
  return row === undefined ? null : feedOf(row)
}

/** Whoever keeps queries in memory reads them again. */
export function markQueriesChanged(connection: Connection): void {
  addToCounter(connection, 'queries', 1)
}

export function changeQueries(
  connection: Connection,
  changes: readonly QueryChange[],
  revision: number,
  now: InstantMs,
): boolean {
  if (readCounter(connection, 'queries') !== revision) return false
  for (const change of changes) apply(connection, change, now)
  if (changes.length > 0) markQueriesChanged(connection)
  return true
}

function apply(connection: Connection, change: QueryChange, now: InstantMs): void {
  switch (change.kind) {
    case 'add-source':
      addSource(connection, change.settings, now, change.by)
      return
    case 'alter-source':
      changeSource(connection, change.sourceId, change.patch)
      return
    case 'remove-source':
      dropSource(connection, change.sourceId, now)
      return
    case 'save-feed':
      saveFeed(connection, change, now)
      return
    case 'weigh-feed':
      connection.sql('UPDATE query_feed SET weight = ? WHERE id = ?').run(change.weight, idOf(connection, change.name))
      return
    case 'drop-feed':
      dropFeed(connection, change.name)
      return
    case 'clear-feed':
      clearFeed(connection, change.name, change.without)
      return
    case 'subscribe':
      subscribe(connection, idOf(connection, change.feed), change, now)
      return
    case 'unsubscribe':
      unsubscribe(connection, idOf(connection, change.feed), change.output)
  }
}

function idOf({ sql }: Connection, name: string): QueryFeedId {
  const id = sql('SELECT id FROM query_feed WHERE name = ?').pluck().get(name)
  if (id === undefined) throw new HeadwaterError('FEED_NOT_FOUND', name)
  return id as QueryFeedId
}

type SavedFeed = Extract<QueryChange, { kind: 'save-feed' }>

function saveFeed(connection: Connection, change: SavedFeed, now: InstantMs): void {
  const { sql } = connection
  const { name, title, limit, text, catchUp, first } = change
  const isNew = sql('SELECT 1 FROM query_feed WHERE name = ?').get(name) === undefined
  if (isNew) {
    const { version, historyUpTo } = NOT_BEGUN
    sql(
      `INSERT INTO query_feed (name, title, item_limit, text, private, version, created_at, altered_at, history_up_to)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(name, title, limit, text, Number(first?.isPrivate === true), version, now, now, historyUpTo)
    if (first !== undefined && first.ownerId !== null)
      sql('INSERT OR REPLACE INTO feed_owner (feed_id, user_id) VALUES (?, ?)').run(
        idOf(connection, name),
        first.ownerId,
      )
  } else {
    sql('UPDATE query_feed SET title = ?, item_limit = ?, text = ?, altered_at = ? WHERE name = ?').run(
      title,
      limit,
      text,
      now,
      name,
    )
  }
  const from = catchUpOf(catchUp, isNew)
  if (from !== 'no') begin(connection, name, from)
}

function placeOf({ sql }: Connection, name: string): CatchUpPlace {
  return sql(
    `SELECT version, catch_up_after AS catchUpAfter, history_up_to AS historyUpTo, began_after AS beganAfter
     FROM query_feed WHERE name = ?`,
  ).get(name) as CatchUpPlace
}

function begin(connection: Connection, name: string, from: Exclude<CatchUpStart, 'no'>): void {
  const place = beginCatchUp(placeOf(connection, name), from, readProcessedUpTo(connection))
  const { version, catchUpAfter, historyUpTo, beganAfter } = place
  connection
    .sql(
      `UPDATE query_feed SET version = ?, catch_up_after = ?, history_up_to = ?, began_after = ?, asks_after = ?
       WHERE name = ?`,
    )
    .run(version, catchUpAfter, historyUpTo, beganAfter, catchUpAfter, name)
  // It asks something new: what was counted is of what it asked before.
  connection.sql('DELETE FROM kept_share WHERE feed_id = ?').run(idOf(connection, name))
}

function clearFeed(connection: Connection, name: string, without: readonly string[]): void {
  const { sql } = connection
  const id = idOf(connection, name)
  const first = sql('SELECT min(item_seq) FROM publication WHERE feed_id = ?').pluck().get(id) as ItemSeq | null
  begin(connection, name, { after: clearAfter(placeOf(connection, name), first) })
  sql('UPDATE query_feed SET clearing = 1, without = ? WHERE id = ?').run(JSON.stringify(without), id)
}

export function readProcessedUpTo(connection: Connection): ItemSeq {
  const reader = findReader(connection, QUERY_READER)
  if (reader === undefined) return lastItemSeq(connection)
  return reader.itemSeq ?? itemsBefore(connection, reader.cursor)
}

function dropFeed(connection: Connection, name: string): void {
  const { sql } = connection
  const id = idOf(connection, name)
  dropSubscriptions(connection, id)
  for (const table of ['feed_token', 'feed_owner', 'hub_subscription'])
    sql(`DELETE FROM ${table} WHERE feed_id = ?`).run(id)
  // What it has published may be very much: dropOrphans removes it, in steps.
  sql('INSERT OR IGNORE INTO publication_count (feed_id, publications) VALUES (?, 0)').run(id)
  // Made for this feed, not for the next one of its name.
  sql('DELETE FROM api_token WHERE feed = ?').run(name)
  sql('DELETE FROM query_feed WHERE id = ?').run(id)
}
