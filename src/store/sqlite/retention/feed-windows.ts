import type { ItemSeq, QueryFeedId } from '../../../model/index.ts'
import type { Connection } from '../database/connection.ts'

/** Whether an item is in the present window of a query feed, or a subscription still has to deliver it. */
export function standsInFeed(connection: Connection, seq: ItemSeq, feedWindow: number): boolean {
  const rows = connection
    .sql(
      `SELECT p.seq, p.feed_id, f.item_limit,
         EXISTS (SELECT 1 FROM subscription s WHERE s.feed_id = f.id AND s.delivered_seq < p.seq) AND NOT p.history
       FROM publication p JOIN query_feed f ON f.id = p.feed_id WHERE p.item_seq = ?`,
    )
    .raw()
    .all(seq) as [number, QueryFeedId, number | null, number][]
  return rows.some(([publication, feedId, limit, isAwaited]) => {
    return isAwaited === 1 || isAmongLast(connection, feedId, publication, limit ?? feedWindow)
  })
}

function isAmongLast({ sql }: Connection, feedId: QueryFeedId, publication: number, window: number): boolean {
  const newer = sql('SELECT count(*) FROM (SELECT 1 FROM publication WHERE feed_id = ? AND seq > ? LIMIT ?)')
  return (newer.pluck().get(feedId, publication, window) as number) < window
}
