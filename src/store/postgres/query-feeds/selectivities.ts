import type { QueryFeedId, Selectivity, SourceId } from '../../../model/index.ts'
import type { PublishRecord } from '../../query-feeds.ts'
import {
  addMatches,
  type MatchShare,
  NO_SELECTIVITY_COUNTS,
  type SelectivityCounts,
  shareOf,
} from '../../rules/selectivity.ts'
import type { Sql } from '../database/sql.ts'
import { readProcessedUpTo } from './query-feeds.ts'

interface Pair {
  readonly feedId: QueryFeedId
  readonly sourceId: SourceId
}

const nameOf = ({ feedId, sourceId }: Pair) => `${feedId} ${sourceId}`

/** After the reader was moved to where the record ends, and its publications were written. In their transaction. */
export async function writeSelectivities(
  sql: Sql,
  { itemCounts, matches }: PublishRecord,
  countsItems: boolean,
): Promise<void> {
  const totals = await countItems(sql, countsItems ? itemCounts : new Map([...itemCounts.keys()].map((id) => [id, 0])))
  const asking = await sql.rows<{ id: QueryFeedId; version: number }>(
    'SELECT id, version FROM query_feed WHERE id = ANY ($1::bigint[])',
    [matches.map(({ feedId }) => feedId)],
  )
  const versions = new Map(asking.map(({ id, version }) => [id, version]))
  const counted = matches.filter(
    ({ feedId, version, sourceId }) => versions.get(feedId) === version && totals.has(sourceId),
  )
  const before = await readShares(sql, counted)
  const beginning = counted.filter((pair) => !before.has(nameOf(pair)))
  const earlier = beginning.length === 0 ? new Map<string, SelectivityCounts>() : await askedSoFar(sql, beginning)
  const shares = new Map<string, Pair & { share: MatchShare }>()
  for (const { feedId, sourceId, items } of counted) {
    const name = nameOf({ feedId, sourceId })
    const batch = { items: itemCounts.get(sourceId) ?? 0, matches: items }
    const known = shares.get(name)?.share ?? before.get(name)
    const share = addMatches(known, totals.get(sourceId) ?? 0, batch, () => earlier.get(name) ?? NO_SELECTIVITY_COUNTS)
    shares.set(name, { feedId, sourceId, share })
  }
  await writeShares(sql, [...shares.values()])
}

/** How many items of each source queries were asked about by now; sources that are gone are missing. */
async function countItems(sql: Sql, itemCounts: ReadonlyMap<SourceId, number>): Promise<Map<SourceId, number>> {
  if (itemCounts.size === 0) return new Map()
  const rows = await sql.rows<{ source_id: SourceId; items: number }>(
    `INSERT INTO looked_at AS l (source_id, items)
     SELECT u.source_id, u.items FROM unnest($1::bigint[], $2::bigint[]) AS u (source_id, items)
       JOIN source s ON s.id = u.source_id ORDER BY u.source_id
     ON CONFLICT (source_id) DO UPDATE SET items = l.items + excluded.items RETURNING source_id, items`,
    [[...itemCounts.keys()], [...itemCounts.values()]],
  )
  return new Map(rows.map(({ source_id, items }) => [source_id, items]))
}

async function readShares(sql: Sql, pairs: readonly Pair[]): Promise<Map<string, MatchShare>> {
  const rows = await sql.rows<Pair & MatchShare>(
    `SELECT k.feed_id AS "feedId", k.source_id AS "sourceId", k.weight, k.at_items AS "atItems",
       k.since_items AS "sinceItems"
     FROM unnest($1::bigint[], $2::bigint[]) AS u (feed_id, source_id) JOIN kept_share k USING (feed_id, source_id)`,
    columnsOf(pairs),
  )
  return new Map(rows.map((row) => [nameOf(row), row]))
}

async function writeShares(sql: Sql, shares: readonly (Pair & { readonly share: MatchShare })[]): Promise<void> {
  if (shares.length === 0) return
  await sql.run(
    `INSERT INTO kept_share (feed_id, source_id, weight, at_items, since_items)
     SELECT u.* FROM unnest($1::bigint[], $2::bigint[], $3::double precision[], $4::bigint[], $5::bigint[])
       AS u (feed_id, source_id, weight, at_items, since_items) JOIN query_feed f ON f.id = u.feed_id
     ORDER BY u.feed_id, u.source_id
     ON CONFLICT (feed_id, source_id) DO UPDATE SET weight = excluded.weight, at_items = excluded.at_items,
       since_items = excluded.since_items`,
    [
      ...columnsOf(shares),
      shares.map(({ share }) => share.weight),
      shares.map(({ share }) => share.atItems),
      shares.map(({ share }) => share.sinceItems),
    ],
  )
}

const columnsOf = (pairs: readonly Pair[]) => [pairs.map(({ feedId }) => feedId), pairs.map(({ sourceId }) => sourceId)]

/** Of a feed that is still catching up nobody can say. */
async function askedSoFar(sql: Sql, pairs: readonly Pair[]): Promise<Map<string, SelectivityCounts>> {
  const rows = await sql.rows<Pair & SelectivityCounts>(
    `SELECT u.feed_id AS "feedId", u.source_id AS "sourceId", count(*) AS items, count(p.seq) AS matches
     FROM (SELECT DISTINCT * FROM unnest($1::bigint[], $2::bigint[]) AS u (feed_id, source_id)) u
       JOIN query_feed f ON f.id = u.feed_id AND f.catch_up_after IS NULL
       JOIN item i ON i.source_id = u.source_id AND i.seq <= $3
         AND i.seq > coalesce(f.asks_after, f.began_after, f.history_up_to)
       LEFT JOIN publication p ON p.feed_id = f.id AND p.item_seq = i.seq
     GROUP BY u.feed_id, u.source_id`,
    [...columnsOf(pairs), await readProcessedUpTo(sql)],
  )
  return new Map(rows.map((row) => [nameOf(row), { items: row.items, matches: row.matches }]))
}

/** Sources are looked for in so many of the newest publications: what is left out begins with its first new item. */
const MOST_FOUND = 5_000

/**
 * What a query found in the archive starts its counts. In the transaction in which it has caught up, which holds the lock
 * "publications".
 */
export async function beginCounts(sql: Sql, feedId: QueryFeedId): Promise<void> {
  const found = await sql.rows<Pair>(
    `SELECT DISTINCT $1::bigint AS "feedId", i.source_id AS "sourceId" FROM item i
     WHERE i.seq IN (SELECT item_seq FROM publication WHERE feed_id = $1 ORDER BY seq DESC LIMIT ${MOST_FOUND})
       AND NOT EXISTS (SELECT 1 FROM kept_share k WHERE k.feed_id = $1 AND k.source_id = i.source_id)`,
    [feedId],
  )
  if (found.length === 0) return
  const counted = await askedSoFar(sql, found)
  const begun = found.filter((pair) => (counted.get(nameOf(pair))?.matches ?? 0) > 0)
  const totals = await countItems(sql, new Map(begun.map(({ sourceId }) => [sourceId, 0])))
  const shares = begun.flatMap((pair) => {
    const total = totals.get(pair.sourceId)
    if (total === undefined) return []
    return [
      {
        ...pair,
        share: addMatches(
          undefined,
          total,
          NO_SELECTIVITY_COUNTS,
          () => counted.get(nameOf(pair)) ?? NO_SELECTIVITY_COUNTS,
        ),
      },
    ]
  })
  await writeShares(sql, shares)
}

export async function readSelectivities(sql: Sql): Promise<Selectivity[]> {
  const rows = await sql.rows<Pair & MatchShare & { items: number }>(
    `SELECT k.feed_id AS "feedId", k.source_id AS "sourceId", k.weight, k.at_items AS "atItems",
       k.since_items AS "sinceItems", l.items
     FROM kept_share k JOIN looked_at l USING (source_id) ORDER BY k.feed_id, k.source_id`,
  )
  return rows.map((row) => ({ feedId: row.feedId, sourceId: row.sourceId, ...shareOf(row, row.items) }))
}
