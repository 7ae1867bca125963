import type { InstantMs, ItemSeq, QueryFeedId } from '../../../model/index.ts'
import type { CatchUpRecord, NewPublication, PublishRecord, PublishResult } from '../../query-feeds.ts'
import { nextRevision } from '../database/counters.ts'
import type { Sql } from '../database/sql.ts'
import { beginCounts, writeSelectivities } from './selectivities.ts'

/**
 * After the reader was moved to where the record ends, in the same transaction, which holds the lock "publications". Of
 * several parts of the queries, which are evaluated on the same items, one counts these.
 */
export async function writePublishRecord(
  sql: Sql,
  record: PublishRecord,
  { countsItems }: { readonly countsItems: boolean },
): Promise<PublishResult> {
  const published = await insertPublications(sql, record.publications, record.at)
  await writeSelectivities(sql, record, countsItems)
  return published
}

/** Within a transaction that holds the locks "settings" and "publications". */
export async function writeCatchUpRecord(sql: Sql, record: CatchUpRecord): Promise<PublishResult> {
  const { ids, ...published } = await writeCatchUp(sql, record)
  if (record.isEnd) for (const id of ids) await beginCounts(sql, id)
  return published
}

/**
 * Once for each feed and item, of items that are there and feeds that still ask what was asked. Within a transaction that
 * holds the lock "publications": numbers become visible in their order.
 */
async function insertPublications(
  sql: Sql,
  publications: readonly NewPublication[],
  at: InstantMs,
): Promise<PublishResult> {
  if (publications.length === 0) return { feedIds: [], added: 0 }
  const added = await sql.rows<{ feed_id: QueryFeedId }>(
    `WITH given AS (
       SELECT DISTINCT ON (f.id, i.seq) f.id AS feed_id, i.seq AS item_seq, u.place, i.seq <= f.history_up_to AS history,
         u.joined, u.origin
       FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $6::text[], $7::boolean[]) WITH ORDINALITY
           AS u (feed_id, version, item_seq, joined, origin, claimed, place)
         JOIN query_feed f ON f.id = u.feed_id AND f.version = u.version
         JOIN item i ON i.seq = u.item_seq
       WHERE NOT EXISTS (SELECT 1 FROM publication p WHERE p.feed_id = u.feed_id AND p.item_seq = u.item_seq)
         AND NOT EXISTS (
           SELECT 1 FROM publication p JOIN item o ON o.seq = p.item_seq
           WHERE p.feed_id = u.feed_id AND p.origin = u.origin AND (u.claimed OR o.title IS NOT DISTINCT FROM i.title))
       ORDER BY f.id, i.seq, u.place
     ), numbered AS (
       SELECT given.*, (SELECT seq FROM publication_position) + row_number() OVER (ORDER BY place) AS seq FROM given
     ), written AS (
       INSERT INTO publication (seq, feed_id, item_seq, published_at, history, joined, origin)
       SELECT seq, feed_id, item_seq, $5, history, joined::bigint[], origin FROM numbered
       ON CONFLICT DO NOTHING RETURNING seq, feed_id
     ), counted AS (
       INSERT INTO publication_count AS c (feed_id, publications)
       SELECT feed_id, count(*) FROM written GROUP BY feed_id ORDER BY feed_id
       ON CONFLICT (feed_id) DO UPDATE SET publications = c.publications + excluded.publications
     ), moved AS (
       UPDATE publication_position SET seq = (SELECT max(seq) FROM written) WHERE EXISTS (SELECT 1 FROM written)
     )
     SELECT feed_id FROM written ORDER BY seq`,
    [
      publications.map(({ feedId }) => feedId),
      publications.map(({ version }) => version),
      publications.map(({ itemSeq }) => itemSeq),
      publications.map(({ joined }) => (joined.length === 0 ? null : `{${joined.join(',')}}`)),
      at,
      publications.map(({ origin }) => origin?.id ?? null),
      publications.map(({ origin }) => origin?.isClaimed ?? false),
    ],
  )
  return { feedIds: [...new Set(added.map(({ feed_id }) => feed_id))], added: added.length }
}

async function writeCatchUp(sql: Sql, record: CatchUpRecord): Promise<PublishResult & { ids: QueryFeedId[] }> {
  const { after, upTo, isEnd } = record
  const present = await sql.rows<{ id: QueryFeedId; clearing: boolean }>(
    `SELECT f.id, f.clearing FROM unnest($1::bigint[], $2::bigint[]) AS u (id, version)
       JOIN query_feed f ON f.id = u.id AND f.version = u.version AND f.catch_up_after = $3`,
    [record.feeds.map(({ feedId }) => feedId), record.feeds.map(({ version }) => version), after],
  )
  const ids = [...new Set(present.map(({ id }) => id))]
  const publications = record.publications.filter(({ feedId }) => ids.includes(feedId))
  const changed = await withdrawOthers(sql, ids, after, upTo, publications)
  // Who has caught up holds nothing that it must not.
  await sql.run(
    'UPDATE query_feed SET catch_up_after = $2, clearing = clearing AND NOT $3 WHERE id = ANY ($1::bigint[])',
    [ids, isEnd ? null : upTo, isEnd],
  )
  // Who keeps in memory what may be shown learns that it may be again.
  if (isEnd && present.some(({ clearing }) => clearing)) await nextRevision(sql, 'queries')
  const { feedIds, added } = await insertPublications(sql, publications, record.at)
  return { feedIds: [...new Set([...changed, ...feedIds])], added, ids }
}

async function withdrawOthers(
  sql: Sql,
  ids: readonly QueryFeedId[],
  after: ItemSeq,
  upTo: ItemSeq,
  publications: readonly NewPublication[],
): Promise<QueryFeedId[]> {
  const rows = await sql.rows<{ feed_id: QueryFeedId }>(
    `WITH gone AS (
       DELETE FROM publication p WHERE p.feed_id = ANY ($1::bigint[]) AND p.item_seq > $2 AND p.item_seq <= $3
         AND NOT EXISTS (
           SELECT 1 FROM unnest($4::bigint[], $5::bigint[]) AS u (feed_id, item_seq)
           WHERE u.feed_id = p.feed_id AND u.item_seq = p.item_seq)
       RETURNING p.feed_id
     ) UPDATE publication_count c SET publications = c.publications - g.count
       FROM (SELECT feed_id, count(*) AS count FROM gone GROUP BY feed_id) g WHERE g.feed_id = c.feed_id
       RETURNING c.feed_id`,
    [ids, after, upTo, publications.map(({ feedId }) => feedId), publications.map(({ itemSeq }) => itemSeq)],
  )
  return rows.map(({ feed_id }) => feed_id)
}
