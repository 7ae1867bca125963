import type { ItemSeq, PublicationSeq, QueryFeedId } from '../../../model/index.ts'
import type { PlaceInFeed } from '../../rules/retention.ts'
import type { Connection } from '../database/connection.ts'

type PlaceRow = [
  seq: PublicationSeq,
  feedId: QueryFeedId,
  isHistory: 0 | 1,
  limit: number | null,
  deliveredUpTo: PublicationSeq | null,
]

/** Where an item is in query feeds. */
export function placesInFeeds({ sql }: Connection, itemSeq: ItemSeq): PlaceInFeed[] {
  const rows = sql(
    `SELECT p.seq, p.feed_id, p.history, f.item_limit,
       (SELECT min(s.delivered_seq) FROM subscription s WHERE s.feed_id = f.id)
     FROM publication p JOIN query_feed f ON f.id = p.feed_id WHERE p.item_seq = ?`,
  ).raw()
  const newer = sql('SELECT count(*) FROM (SELECT 1 FROM publication WHERE feed_id = ? AND seq > ? LIMIT ?)').pluck()
  return (rows.all(itemSeq) as PlaceRow[]).map(([seq, feedId, isHistory, limit, deliveredUpTo]) => ({
    seq,
    isHistory: isHistory === 1,
    limit,
    deliveredUpTo,
    countNewer: (most) => newer.get(feedId, seq, most) as number,
  }))
}
