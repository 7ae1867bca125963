import type { InstantMs, ItemSeq, PublicationSeq, PublishedEntry, QueryFeedId } from '../../../model/index.ts'
import type { PublicationPage } from '../../query-feeds.ts'
import { itemOf } from '../../rows/items.ts'
import type { Sql } from '../database/sql.ts'
import { type PlacedRow, rowsInRoom } from '../items/in-room.ts'

interface Publication {
  readonly publication_seq: PublicationSeq
  readonly feed_id: QueryFeedId
  readonly item_seq: ItemSeq
  readonly published_at: InstantMs
  readonly history: boolean
  readonly joined: readonly ItemSeq[] | null
}

const COLUMNS = 'seq AS publication_seq, feed_id, item_seq, published_at, history, joined'

export async function readNewest(
  sql: Sql,
  feedId: QueryFeedId,
  { limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: PublicationSeq },
): Promise<PublishedEntry[]> {
  const places = `SELECT -seq AS place, ${COLUMNS} FROM publication WHERE feed_id = $1 AND seq < $2
    ORDER BY seq DESC LIMIT $3`
  return (await rowsInRoom<Publication>(sql, places, [feedId, before, Math.max(0, limit)], 'labels beyond')).map(
    entryOf,
  )
}

export async function readAfter(
  sql: Sql,
  feedId: QueryFeedId,
  { after, limit, withHistory = false, whole = false }: PublicationPage,
): Promise<PublishedEntry[]> {
  const places = `SELECT seq AS place, ${COLUMNS} FROM publication WHERE feed_id = $1 AND seq > $2
    AND (NOT history OR $4) ORDER BY seq LIMIT $3`
  const values = [feedId, after, Math.max(0, limit), withHistory]
  return (await rowsInRoom<Publication>(sql, places, values, whole ? 'first' : 'labels beyond')).map(entryOf)
}

function entryOf(row: PlacedRow<Publication>): PublishedEntry {
  return {
    seq: row.publication_seq,
    feedId: row.feed_id,
    itemSeq: row.item_seq,
    publishedAt: row.published_at,
    isHistory: row.history,
    joined: row.joined ?? [],
    item: itemOf(row),
  }
}

/** Numbers grow with time: what comes before the last that is too old is not read. */
export async function countBetween(sql: Sql, feedId: QueryFeedId, since: InstantMs, until: InstantMs): Promise<number> {
  const row = await sql.first<{ count: number }>(
    `SELECT count(*) AS count FROM publication WHERE feed_id = $1 AND NOT history AND published_at >= $2
       AND published_at < $3 AND seq > coalesce((
         SELECT seq FROM publication WHERE feed_id = $1 AND published_at < $2 ORDER BY seq DESC LIMIT 1), 0)`,
    [feedId, since, until],
  )
  return row?.count ?? 0
}

export async function readPublicationState(
  sql: Sql,
  feedId: QueryFeedId,
): Promise<{ readonly count: number; readonly lastSeq: PublicationSeq }> {
  const row = await sql.first<{ count: number; lastSeq: PublicationSeq }>(
    `SELECT coalesce((SELECT publications FROM publication_count WHERE feed_id = $1), 0) AS count,
       coalesce((SELECT max(seq) FROM publication WHERE feed_id = $1), 0) AS "lastSeq"`,
    [feedId],
  )
  return row ?? { count: 0, lastSeq: 0 }
}

export async function readPublishedIn(sql: Sql, seqs: readonly ItemSeq[]): Promise<Map<ItemSeq, QueryFeedId[]>> {
  const rows = await sql.rows<{ item_seq: ItemSeq; ids: QueryFeedId[] }>(
    `SELECT item_seq, array_agg(feed_id ORDER BY feed_id) AS ids FROM publication
     WHERE item_seq = ANY ($1::bigint[]) GROUP BY item_seq`,
    [seqs],
  )
  return new Map(rows.map(({ item_seq, ids }) => [item_seq, ids]))
}

/** The last ones within (after, upTo], in order. */
export async function readPublishedSeqs(
  sql: Sql,
  feedId: QueryFeedId,
  { after, upTo, limit }: { readonly after: ItemSeq; readonly upTo: ItemSeq; readonly limit: number },
): Promise<ItemSeq[]> {
  const rows = await sql.rows<{ item_seq: ItemSeq }>(
    `SELECT item_seq FROM publication WHERE feed_id = $1 AND item_seq > $2 AND item_seq <= $3
     ORDER BY item_seq DESC LIMIT $4`,
    [feedId, after, upTo, Math.max(0, limit)],
  )
  return rows.map(({ item_seq }) => item_seq).reverse()
}
