import type { DurationMs, HubOutput, InstantMs, QueryFeedId } from '../../../model/index.ts'
import type { FeedSubscribers, HubCrowd, HubDelivery, HubStore, HubTopic, NewHubSubscription } from '../../hub.ts'
import { behindIds, HUB_ROWS, type HubRow, hostOfCallback, hubSubscriptionOf } from '../../rows/hub.ts'
import type { DatabaseAccess } from '../database/access.ts'
import type { Connection } from '../database/connection.ts'

export function hubVerbs(access: DatabaseAccess): HubStore {
  const { connection, read, write } = access
  const { sql, vault } = connection
  return {
    ...topicVerbs(access),
    saveHubSubscription: (subscription, now) => write(() => save(connection, subscription, now)),
    endHubSubscription: (feedId, { url, format }) =>
      write(() => {
        sql('DELETE FROM hub_subscription WHERE feed_id = ? AND callback = ? AND format = ?').run(feedId, url, format)
      }),
    endLapsedHubSubscriptions: (now) =>
      write(() => {
        const { changes } = sql('DELETE FROM hub_subscription WHERE lease_ends_at <= ?').run(now)
        sql('DELETE FROM hub_topic WHERE feed_id NOT IN (SELECT feed_id FROM hub_subscription)').run()
        return changes
      }),
    noteHubEdits: (feedIds) =>
      write(() => {
        const note = sql('UPDATE hub_subscription SET edits = edits + 1 WHERE feed_id = ?')
        for (const feedId of feedIds) note.run(feedId)
      }),
    hubSubscriptionsBehind: (now, { afterId, limit }) =>
      read(() =>
        sql<HubRow>(`${HUB_ROWS} WHERE h.id IN (${BEHIND}) ORDER BY h.id`)
          .all(afterId, now, now, afterId, now, now, Math.max(0, limit))
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
          `${HUB_ROWS} WHERE h.feed_id IN (SELECT value FROM json_each(?)) AND h.id > ? ORDER BY h.id LIMIT ?`,
        )
          .all(JSON.stringify(feedIds), afterId, Math.max(0, limit))
          .map((row) => hubSubscriptionOf(row, vault.open)),
      ),
    hubCrowd: (feedId, output) => read(() => countCrowd(connection, feedId, output)),
    recordHubDelivery: (id, delivery) => write(() => record(connection, id, delivery)),
  }
}

const IS_LIVE = '+h.id > ? AND h.lease_ends_at > ? AND coalesce(h.next_attempt_at, 0) <= ?'
const BEHIND = behindIds(IS_LIVE, 'p.history = 0', '?')

function topicVerbs({ connection: { sql }, read, write }: DatabaseAccess) {
  const someChange = (where: string, values: readonly unknown[]) =>
    read(() => sql(`SELECT 1 FROM hub_topic WHERE ${where} LIMIT 1`).get(...values) !== undefined)
  return {
    async noteHubNews(paths: readonly string[] | null) {
      const where = `changed = 0${paths === null ? '' : ' AND path IN (SELECT value FROM json_each(?))'}`
      const values = paths === null ? [] : [JSON.stringify(paths)]
      // Nearly always there is nothing to write.
      if (!(await someChange(where, values))) return 0
      return write(() => sql(`UPDATE hub_topic SET changed = 1 WHERE ${where}`).run(...values).changes)
    },
    async beginHubEditions(now: InstantMs, pauseMs: DurationMs) {
      // A clock that was ahead must not hold an edition back.
      const where = 'changed = 1 AND (edition <= ? OR edition > ?)'
      const values = [now - pauseMs, now]
      if (!(await someChange(where, values))) return
      const begin = `UPDATE hub_topic SET changed = 0, edition = max(edition + 1, ?) WHERE ${where}`
      await write(() => void sql(begin).run(now, ...values))
    },
    hubTopics: () => read(() => sql<HubTopic>('SELECT feed_id AS feedId, path FROM hub_topic ORDER BY path').all()),
  }
}

function save(
  { sql, vault }: Connection,
  { feedId, output, secret, leaseEndsAt, path }: NewHubSubscription,
  now: InstantMs,
): void {
  if (path !== undefined) {
    sql('INSERT OR IGNORE INTO hub_topic (feed_id, path, changed, edition) VALUES (?, ?, 0, 0)').run(feedId, path)
  }
  sql(
    `INSERT INTO hub_subscription (feed_id, callback, format, host, secret, created_at, lease_ends_at, delivered_seq, failure_count)
     SELECT f.feed_id, ?, ?, ?, ?, ?, ?, f.place, 0 FROM (
       SELECT id AS feed_id, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'publication'), 0) AS place FROM query_feed
       UNION ALL SELECT feed_id, edition FROM hub_topic) f
     WHERE f.feed_id = ?
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
