import type { HubOutput, InstantMs, QueryFeedId } from '../../../model/index.ts'
import type { FeedSubscribers, HubCrowd, HubDelivery, HubStore, NewHubSubscription } from '../../hub.ts'
import { type HubRow, hostOfCallback, hubSubscriptionOf } from '../../rows/hub.ts'
import type { DatabaseAccess } from '../database/access.ts'
import type { Connection } from '../database/connection.ts'

export function hubVerbs({ connection, read, write }: DatabaseAccess): HubStore {
  const { sql, vault } = connection
  return {
    saveHubSubscription: (subscription, now) => write(() => save(connection, subscription, now)),
    endHubSubscription: (feedId, { url, format }) =>
      write(() => {
        sql('DELETE FROM hub_subscription WHERE feed_id = ? AND callback = ? AND format = ?').run(feedId, url, format)
      }),
    endLapsedHubSubscriptions: (now) =>
      write(() => sql('DELETE FROM hub_subscription WHERE lease_ends_at <= ?').run(now).changes),
    noteHubEdits: (feedIds) =>
      write(() => {
        const note = sql('UPDATE hub_subscription SET edits = edits + 1 WHERE feed_id = ?')
        for (const feedId of feedIds) note.run(feedId)
      }),
    hubSubscriptionsBehind: (now, { afterId, limit }) =>
      read(() =>
        sql<HubRow>(
          `SELECT * FROM hub_subscription h WHERE id > ? AND lease_ends_at > ? AND coalesce(next_attempt_at, 0) <= ?
             AND (edits > delivered_edits OR EXISTS (
               SELECT 1 FROM publication p WHERE p.feed_id = h.feed_id AND p.seq > h.delivered_seq AND p.history = 0))
           ORDER BY id LIMIT ?`,
        )
          .all(afterId, now, now, Math.max(0, limit))
          .map((row) => hubSubscriptionOf(row, vault.open)),
      ),
    hubSubscribers: (feedIds) =>
      read(() =>
        sql<FeedSubscribers>(
          `SELECT feed_id AS feedId, count(*) AS subscribers, sum(failure_count > 0) AS failing FROM hub_subscription
           WHERE feed_id IN (SELECT value FROM json_each(?)) GROUP BY feed_id ORDER BY feed_id`,
        ).all(JSON.stringify(feedIds)),
      ),
    hubSubscriptions: ({ feedIds, afterId, limit }) =>
      read(() =>
        sql<HubRow>(
          `SELECT * FROM hub_subscription WHERE feed_id IN (SELECT value FROM json_each(?)) AND id > ? ORDER BY id LIMIT ?`,
        )
          .all(JSON.stringify(feedIds), afterId, Math.max(0, limit))
          .map((row) => hubSubscriptionOf(row, vault.open)),
      ),
    hubCrowd: (feedId, output) => read(() => countCrowd(connection, feedId, output)),
    recordHubDelivery: (id, delivery) => write(() => record(connection, id, delivery)),
  }
}

function save(
  { sql, vault }: Connection,
  { feedId, output, secret, leaseEndsAt }: NewHubSubscription,
  now: InstantMs,
): void {
  sql(
    `INSERT INTO hub_subscription (feed_id, callback, format, host, secret, created_at, lease_ends_at, delivered_seq, failure_count)
     SELECT id, ?, ?, ?, ?, ?, ?, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'publication'), 0), 0
     FROM query_feed WHERE id = ?
     ON CONFLICT (feed_id, callback, format) DO UPDATE SET secret = excluded.secret, lease_ends_at = excluded.lease_ends_at`,
  ).run(output.url, output.format, hostOfCallback(output), vault.seal(secret), now, leaseEndsAt, feedId)
}

function countCrowd({ sql }: Connection, feedId: QueryFeedId, output: HubOutput): HubCrowd {
  const count = (where: string, ...values: (string | number)[]) =>
    sql(`SELECT count(*) FROM hub_subscription WHERE ${where}`)
      .pluck()
      .get(...values) as number
  return {
    ofFeed: count('feed_id = ?', feedId),
    ofHost: count('host = ?', hostOfCallback(output)),
    isKnown: count('feed_id = ? AND callback = ? AND format = ?', feedId, output.url, output.format) > 0,
  }
}

function record({ sql }: Connection, id: number, delivery: HubDelivery): void {
  if (delivery.kind === 'failed') {
    sql(
      'UPDATE hub_subscription SET failure_count = failure_count + 1, next_attempt_at = ?, last_error = ? WHERE id = ?',
    ).run(delivery.nextAttemptAt, delivery.error, id)
    return
  }
  sql(
    `UPDATE hub_subscription SET delivered_seq = max(delivered_seq, ?), delivered_edits = max(delivered_edits, ?),
       delivered_at = ?, failure_count = 0, next_attempt_at = NULL, last_error = NULL WHERE id = ?`,
  ).run(delivery.upTo, delivery.edits, delivery.at, id)
}
