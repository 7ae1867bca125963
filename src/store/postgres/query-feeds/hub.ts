import type { HubOutput, InstantMs, QueryFeedId } from '../../../model/index.ts'
import type { FeedSubscribers, HubCrowd, HubDelivery, HubStore, NewHubSubscription } from '../../hub.ts'
import { type HubRow, hostOfCallback, hubSubscriptionOf } from '../../rows/hub.ts'
import type { Access } from '../database/sql.ts'

export function hubVerbs(access: Access): HubStore {
  return {
    saveHubSubscription: (subscription, now) => save(access, subscription, now),
    async endHubSubscription(feedId, { url, format }) {
      await access.run('DELETE FROM hub_subscription WHERE feed_id = $1 AND callback = $2 AND format = $3', [
        feedId,
        url,
        format,
      ])
    },
    endLapsedHubSubscriptions: (now) => access.run('DELETE FROM hub_subscription WHERE lease_ends_at <= $1', [now]),
    async noteHubEdits(feedIds) {
      await access.run('UPDATE hub_subscription SET edits = edits + 1 WHERE feed_id = ANY($1)', [[...feedIds]])
    },
    async hubSubscriptionsBehind(now, { afterId, limit }) {
      const rows = await access.rows<HubRow>(
        `SELECT * FROM hub_subscription h WHERE id > $1 AND lease_ends_at > $2 AND coalesce(next_attempt_at, 0) <= $2
           AND (edits > delivered_edits OR EXISTS (
             SELECT 1 FROM publication p WHERE p.feed_id = h.feed_id AND p.seq > h.delivered_seq AND NOT p.history))
         ORDER BY id LIMIT $3`,
        [afterId, now, Math.max(0, limit)],
      )
      return rows.map((row) => hubSubscriptionOf(row, access.vault.open))
    },
    hubSubscribers: (feedIds) =>
      access.rows<FeedSubscribers>(
        `SELECT feed_id AS "feedId", count(*) AS subscribers, count(*) FILTER (WHERE failure_count > 0) AS failing
         FROM hub_subscription WHERE feed_id = ANY($1) GROUP BY feed_id ORDER BY feed_id`,
        [[...feedIds]],
      ),
    async hubSubscriptions({ feedIds, afterId, limit }) {
      const rows = await access.rows<HubRow>(
        'SELECT * FROM hub_subscription WHERE feed_id = ANY($1) AND id > $2 ORDER BY id LIMIT $3',
        [[...feedIds], afterId, Math.max(0, limit)],
      )
      return rows.map((row) => hubSubscriptionOf(row, access.vault.open))
    },
    hubCrowd: (feedId, output) => countCrowd(access, feedId, output),
    recordHubDelivery: (id, delivery) => record(access, id, delivery),
  }
}

async function save(
  { run, vault }: Access,
  { feedId, output, secret, leaseEndsAt }: NewHubSubscription,
  now: InstantMs,
): Promise<void> {
  await run(
    `INSERT INTO hub_subscription (feed_id, callback, format, host, secret, created_at, lease_ends_at, delivered_seq)
     SELECT id, $2, $3, $4, $5, $6, $7, (SELECT seq FROM publication_position) FROM query_feed WHERE id = $1
     ON CONFLICT (feed_id, callback, format) DO UPDATE SET secret = excluded.secret, lease_ends_at = excluded.lease_ends_at`,
    [feedId, output.url, output.format, hostOfCallback(output), vault.seal(secret), now, leaseEndsAt],
  )
}

async function countCrowd(access: Access, feedId: QueryFeedId, output: HubOutput): Promise<HubCrowd> {
  const row = await access.first<HubCrowd>(
    `SELECT (SELECT count(*) FROM hub_subscription WHERE feed_id = $1) AS "ofFeed",
       (SELECT count(*) FROM hub_subscription WHERE host = $4) AS "ofHost",
       EXISTS (SELECT 1 FROM hub_subscription WHERE feed_id = $1 AND callback = $2 AND format = $3) AS "isKnown"`,
    [feedId, output.url, output.format, hostOfCallback(output)],
  )
  return row ?? { ofFeed: 0, ofHost: 0, isKnown: false }
}

async function record({ run }: Access, id: number, delivery: HubDelivery): Promise<void> {
  if (delivery.kind === 'failed') {
    await run(
      'UPDATE hub_subscription SET failure_count = failure_count + 1, next_attempt_at = $2, last_error = $3 WHERE id = $1',
      [id, delivery.nextAttemptAt, delivery.error],
    )
    return
  }
  await run(
    `UPDATE hub_subscription SET delivered_seq = greatest(delivered_seq, $2), delivered_edits = greatest(delivered_edits, $3),
       delivered_at = $4, failure_count = 0, next_attempt_at = NULL, last_error = NULL WHERE id = $1`,
    [id, delivery.upTo, delivery.edits, delivery.at],
  )
}
