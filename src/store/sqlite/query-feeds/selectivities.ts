import type { QueryFeedId, Selectivity, SourceId } from '../../../model/index.ts'
import type { PublishRecord } from '../../query-feeds.ts'
import {
  addMatches,
  type MatchShare,
  MOST_SEARCHED,
  NO_SELECTIVITY_COUNTS,
  type SelectivityCounts,
  shareOf,
} from '../../rules/selectivity.ts'
import type { Connection } from '../database/connection.ts'
import { readProcessedUpTo } from './query-feeds.ts'

/** After the reader was moved to where the record ends, and its publications were written. */
export function writeSelectivities(connection: Connection, { itemCounts, matches }: PublishRecord): void {
  const items = new Map<number, number>()
  for (const [sourceId, more] of itemCounts) {
    const total = countEvaluated(connection, sourceId, more)
    if (total !== undefined) items.set(sourceId, total)
  }
  const currentVersion = connection.sql('SELECT 1 FROM query_feed WHERE id = ? AND version = ?')
  for (const { feedId, version, sourceId, items: more } of matches) {
    const total = items.get(sourceId)
    const evaluatedItems = itemCounts.get(sourceId)
    if (total === undefined || evaluatedItems === undefined || currentVersion.get(feedId, version) === undefined)
      continue
    const pair = { feedId, sourceId }
    const batch = { items: evaluatedItems, matches: more }
    const since = () => countsSoFar(connection, pair)
    writeShare(connection, pair, addMatches(readShare(connection, pair), total, batch, since))
  }
}

interface Pair {
  readonly feedId: QueryFeedId
  readonly sourceId: SourceId
}

function countEvaluated({ sql }: Connection, sourceId: SourceId, more: number): number | undefined {
  return sql(
    `INSERT INTO looked_at (source_id, items) SELECT id, ? FROM source WHERE id = ?
     ON CONFLICT DO UPDATE SET items = items + excluded.items RETURNING items`,
  )
    .pluck()
    .get(more, sourceId) as number | undefined
}

function readShare({ sql }: Connection, { feedId, sourceId }: Pair): MatchShare | undefined {
  return sql(
    `SELECT weight, at_items AS atItems, since_items AS sinceItems FROM kept_share WHERE feed_id = ? AND source_id = ?`,
  ).get(feedId, sourceId) as MatchShare | undefined
}

function writeShare({ sql }: Connection, { feedId, sourceId }: Pair, share: MatchShare): void {
  sql(
    `INSERT OR REPLACE INTO kept_share (feed_id, source_id, weight, at_items, since_items)
     SELECT id, ?, ?, ?, ? FROM query_feed WHERE id = ?`,
  ).run(sourceId, share.weight, share.atItems, share.sinceItems, feedId)
}

/** Reads an index of the source's items once for each pair. Of a feed that is still catching up nobody can say. */
function countsSoFar(connection: Connection, pair: Pair): SelectivityCounts {
  return connection
    .sql(
      `SELECT count(*) AS items, count(p.seq) AS matches
       FROM query_feed f JOIN item i ON i.source_id = :sourceId AND i.seq <= :upTo
         AND i.seq > coalesce(f.asks_after, f.began_after, f.history_up_to)
       LEFT JOIN publication p ON p.feed_id = f.id AND p.item_seq = i.seq
       WHERE f.id = :feedId AND f.catch_up_after IS NULL`,
    )
    .get({ ...pair, upTo: readProcessedUpTo(connection) }) as SelectivityCounts
}

/** Sources of which a feed that has caught up found something in the archive. */
export function findSourcesOfFeed({ sql }: Connection, feedId: QueryFeedId): SourceId[] {
  return sql(
    `SELECT DISTINCT source_id FROM item WHERE seq IN
     (SELECT item_seq FROM publication WHERE feed_id = ? ORDER BY seq DESC LIMIT ${MOST_SEARCHED})`,
  )
    .pluck()
    .all(feedId) as SourceId[]
}

/**
 * What a query found in the archive starts its counts. Right at any moment, and done once more by the first new item that
 * is stored: a kill in between costs nothing.
 */
export function beginCounts(connection: Connection, feedId: QueryFeedId, sourceIds: readonly SourceId[]): void {
  for (const sourceId of sourceIds) beginCount(connection, { feedId, sourceId })
}

function beginCount(connection: Connection, pair: Pair): void {
  if (readShare(connection, pair) !== undefined) return
  const since = countsSoFar(connection, pair)
  const total = since.matches === 0 ? undefined : countEvaluated(connection, pair.sourceId, 0)
  if (total === undefined) return
  const share = addMatches(undefined, total, NO_SELECTIVITY_COUNTS, () => since)
  writeShare(connection, pair, share)
}

/** How far a reading of selectivities is; both 0: at the beginning. */
export type SelectivityPosition = Pair

const SELECTIVITIES_AT_A_TIME = 2_000

/** The next ones after a place, by feed and source; fewer than asked for: those were the last. */
export function readSelectivities(
  { sql }: Connection,
  after: SelectivityPosition,
): {
  readonly some: Selectivity[]
  readonly next: SelectivityPosition | null
} {
  const rows = sql(
    `SELECT feed_id AS feedId, k.source_id AS sourceId, weight, at_items AS atItems, since_items AS sinceItems, items
     FROM kept_share k LEFT JOIN looked_at l ON l.source_id = k.source_id
     WHERE (feed_id, k.source_id) > (?, ?) ORDER BY feed_id, k.source_id LIMIT ${SELECTIVITIES_AT_A_TIME}`,
  ).all(after.feedId, after.sourceId) as (MatchShare & { feedId: number; sourceId: number; items: number | null })[]
  const feeds = new Set(sql('SELECT id FROM query_feed').pluck().all() as QueryFeedId[])
  const some = rows.flatMap(({ items, ...row }) =>
    items === null || !feeds.has(row.feedId)
      ? []
      : [{ feedId: row.feedId, sourceId: row.sourceId, ...shareOf(row, items) }],
  )
  return { some, next: rows[SELECTIVITIES_AT_A_TIME - 1] ?? null }
}
