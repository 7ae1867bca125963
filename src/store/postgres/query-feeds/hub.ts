import type { DurationMs, HubOutput, InstantMs, QueryFeedId } from '../../../model/index.ts'
import type { FeedSubscribers, HubCrowd, HubDelivery, HubStore, HubTopic, NewHubSubscription } from '../../hub.ts'
import { behindIds, HUB_ROWS, type HubRow, hostOfCallback, hubSubscriptionOf } from '../../rows/hub.ts'
import type { Access } from '../database/sql.ts'

export function hubVerbs(access: Access): HubStore {
  return {
    ...topicVerbs(access),
    saveHubSubscription: (subscription, now) => save(access, subscription, now),
    async endHubSubscription(feedId, { url, format }) {
      await access.run('DELETE FROM hub_subscription WHERE feed_id = $1 AND callback = $2 AND format = $3', [
        feedId,
        url,
        format,
      ])
    },
    endLapsedHubSubscriptions: (now) => endLapsed(access, now),
    async noteHubEdits(feedIds) {
      await access.run('UPDATE hub_subscription SET edits = edits + 1 WHERE feed_id = ANY($1)', [[...feedIds]])
    },
    async hubSubscriptionsBehind(now, { afterId, limit }) {
      const rows = await access.rows<HubRow>(`${HUB_ROWS} WHERE h.id IN (${BEHIND}) ORDER BY h.id`, [
        afterId,
        now,
        Math.max(0, limit),
      ])
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
        `${HUB_ROWS} WHERE h.feed_id = ANY($1) AND h.id > $2 ORDER BY h.id LIMIT $3`,
        [[...feedIds], afterId, Math.max(0, limit)],
      )
      return rows.map((row) => hubSubscriptionOf(row, access.vault.open))
    },
    hubCrowd: (feedId, output) => countCrowd(access, feedId, output),
    recordHubDelivery: (id, delivery) => record(access, id, delivery),
  }
}

const IS_LIVE = 'h.id > $1 AND h.lease_ends_at > $2 AND coalesce(h.next_attempt_at, 0) <= $2'
const BEHIND = behindIds(IS_LIVE, 'NOT p.history', '$3')

function topicVerbs(access: Access) {
  return {
    noteHubNews: (paths: readonly string[] | null) =>
      paths === null
        ? access.run('UPDATE hub_topic SET changed = true WHERE NOT changed')
        : access.run('UPDATE hub_topic SET changed = true WHERE NOT changed AND path = ANY($1)', [[...paths]]),
    async beginHubEditions(now: InstantMs, pauseMs: DurationMs) {
      // A clock that was ahead must not hold an edition back.
      await access.run(
        `UPDATE hub_topic SET changed = false, edition = greatest(edition + 1, $1)
         WHERE changed AND (edition <= $2 OR edition > $1)`,
        [now, now - pauseMs],
      )
    },
    hubTopics: () => access.rows<HubTopic>('SELECT feed_id AS "feedId", path FROM hub_topic ORDER BY path'),
  }
}

async function save(
  { transaction, vault }: Access,
  { feedId, output, secret, leaseEndsAt, path }: NewHubSubscription,
  now: InstantMs,
): Promise<void> {
  await transaction([], async ({ run }) => {
    if (path !== undefined) {
      // Written also where it is there already: that locks it, and nobody removes it before it has its subscription.
      await run(
        `INSERT INTO hub_topic (feed_id, path, changed, edition) VALUES ($1, $2, false, 0)
         ON CONFLICT (feed_id) DO UPDATE SET path = hub_topic.path`,
        [feedId, path],
      )
    }
    await run(
      `INSERT INTO hub_subscription (feed_id, callback, format, host, secret, created_at, lease_ends_at, delivered_seq)
       SELECT f.feed_id, $2, $3, $4, $5, $6, $7, f.place FROM (
         SELECT id AS feed_id, (SELECT seq FROM publication_position) AS place FROM query_feed
         UNION ALL SELECT feed_id, edition FROM hub_topic) f
       WHERE f.feed_id = $1
       ON CONFLICT (feed_id, callback, format) DO UPDATE SET secret = excluded.secret, lease_ends_at = excluded.lease_ends_at`,
      [feedId, output.url, output.format, hostOfCallback(output), vault.seal(secret), now, leaseEndsAt],
    )
  })
}

async function endLapsed(access: Access, now: InstantMs): Promise<number> {
  const lapsed = await access.run('DELETE FROM hub_subscription WHERE lease_ends_at <= $1', [now])
  const isOver = 'NOT EXISTS (SELECT 1 FROM hub_subscription h WHERE h.feed_id = t.feed_id)'
  await access.transaction([], async ({ rows, run }) => {
    const over = await rows<HubTopic>(
      `SELECT feed_id AS "feedId" FROM hub_topic t WHERE ${isOver} FOR UPDATE SKIP LOCKED`,
    )
    // Asked again under the lock: somebody may have subscribed meanwhile.
    const ids = over.map(({ feedId }) => feedId)
    if (ids.length > 0) await run(`DELETE FROM hub_topic t WHERE feed_id = ANY($1) AND ${isOver}`, [ids])
  })
  return lapsed
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
