import type {
  DeadLetter,
  FeedToken,
  InstantMs,
  QueryFeedId,
  Subscription,
  SubscriptionOutput,
} from '../../../model/index.ts'
import type { Vault } from '../../../runtime/vault.ts'
import type { Delivery, QueryChange } from '../../query-feeds.ts'
import { packOutput } from '../../rows/query-feeds.ts'
import type { Sql } from '../database/sql.ts'

interface SubscriptionRow extends Omit<Subscription, 'output' | 'secret'> {
  readonly output: string
  readonly secret: string
}

export async function listSubscriptions(
  sql: Sql,
  vault: Vault,
  feedId: QueryFeedId | undefined,
): Promise<Subscription[]> {
  const rows = await sql.rows<SubscriptionRow>(
    `SELECT id, feed_id AS "feedId", output, every_ms AS "everyMs", secret, created_at AS "createdAt",
       delivered_seq AS "deliveredSeq", delivered_at AS "deliveredAt", failure_count AS "failureCount",
       next_attempt_at AS "nextAttemptAt", last_error AS "lastError"
     FROM subscription WHERE $1::bigint IS NULL OR feed_id = $1 ORDER BY id`,
    [feedId ?? null],
  )
  return rows.map((row) => ({
    ...row,
    output: JSON.parse(row.output) as SubscriptionOutput,
    secret: vault.open(row.secret),
  }))
}

/** One per feed and output: subscribing again changes how often, and keeps the cursor, and the secret if it can be read. */
export async function subscribe(
  sql: Sql,
  vault: Vault,
  feedId: QueryFeedId,
  { output, everyMs, secret }: Extract<QueryChange, { kind: 'subscribe' }>,
  now: InstantMs,
): Promise<void> {
  const known = await sql.first<{ secret: string }>(
    'SELECT secret FROM subscription WHERE feed_id = $1 AND output = $2',
    [feedId, packOutput(output)],
  )
  const sealed = known !== null && vault.open(known.secret) !== null ? known.secret : vault.seal(secret)
  await sql.run(
    `INSERT INTO subscription (feed_id, output, every_ms, secret, created_at, delivered_seq)
     VALUES ($1, $2, $3, $4, $5, (SELECT seq FROM publication_position))
     ON CONFLICT (feed_id, output) DO UPDATE SET every_ms = excluded.every_ms, secret = excluded.secret`,
    [feedId, packOutput(output), everyMs, sealed, now],
  )
}

export async function unsubscribe(sql: Sql, feedId: QueryFeedId, output: SubscriptionOutput | null): Promise<void> {
  await sql.run(
    `WITH gone AS (
       DELETE FROM subscription WHERE feed_id = $1 AND ($2::text IS NULL OR output = $2) RETURNING id
     ) DELETE FROM dead_letter WHERE subscription_id IN (SELECT id FROM gone)`,
    [feedId, output === null ? null : packOutput(output)],
  )
}

export function dropSubscriptions(sql: Sql, feedId: QueryFeedId): Promise<void> {
  return unsubscribe(sql, feedId, null)
}

/** In a transaction. */
export async function recordDelivery(sql: Sql, id: number, delivery: Delivery): Promise<void> {
  switch (delivery.kind) {
    case 'delivered':
      await sql.run(
        `UPDATE subscription SET delivered_seq = greatest(delivered_seq, $2), delivered_at = $3, failure_count = 0,
           next_attempt_at = NULL, last_error = NULL WHERE id = $1`,
        [id, delivery.upTo, delivery.at],
      )
      return
    case 'failed':
      await sql.run(
        `UPDATE subscription SET failure_count = failure_count + 1, next_attempt_at = $2, last_error = $3 WHERE id = $1`,
        [id, delivery.nextAttemptAt, delivery.error],
      )
      return
    case 'dead':
      await bury(sql, id, delivery)
  }
}

async function bury(sql: Sql, id: number, delivery: Extract<Delivery, { kind: 'dead' }>): Promise<void> {
  for (const seq of delivery.publications) {
    await sql.run(
      `INSERT INTO dead_letter (subscription_id, publication_seq, item_seq, at, reason)
       SELECT s.id, p.seq, p.item_seq, $2, $3 FROM publication p, subscription s
       WHERE s.id = $1 AND p.seq = $4 AND p.seq > s.delivered_seq`,
      [id, delivery.at, delivery.reason, seq],
    )
    await sql.run('UPDATE subscription SET delivered_seq = greatest(delivered_seq, $2) WHERE id = $1', [id, seq])
  }
  await sql.run('UPDATE subscription SET failure_count = 0, next_attempt_at = NULL, last_error = $2 WHERE id = $1', [
    id,
    delivery.reason,
  ])
}

const LETTER = `id, subscription_id AS "subscriptionId", publication_seq AS "publicationSeq", item_seq AS "itemSeq", at,
  reason, requeued AS "isRequeued"`

export function listDeadLetters(
  sql: Sql,
  { subscriptionId, limit }: { readonly subscriptionId?: number; readonly limit: number },
): Promise<DeadLetter[]> {
  return sql.rows(
    `SELECT ${LETTER} FROM dead_letter WHERE $1::bigint IS NULL OR subscription_id = $1 ORDER BY id DESC LIMIT $2`,
    [subscriptionId ?? null, Math.max(0, limit)],
  )
}

export function requeueDeadLetters(
  sql: Sql,
  which: { readonly ids: readonly number[] } | { readonly subscriptionId: number },
): Promise<number> {
  if ('ids' in which) {
    return sql.run('UPDATE dead_letter SET requeued = true WHERE id = ANY ($1::bigint[])', [which.ids])
  }
  return sql.run('UPDATE dead_letter SET requeued = true WHERE subscription_id = $1', [which.subscriptionId])
}

export function listRequeued(sql: Sql, limit: number): Promise<DeadLetter[]> {
  return sql.rows(`SELECT ${LETTER} FROM dead_letter WHERE requeued ORDER BY publication_seq, id LIMIT $1`, [
    Math.max(0, limit),
  ])
}

export async function settleDeadLetter(
  sql: Sql,
  id: number,
  failure: { readonly reason: string; readonly at: InstantMs } | null,
): Promise<void> {
  if (failure === null) await sql.run('DELETE FROM dead_letter WHERE id = $1', [id])
  else {
    const change = 'UPDATE dead_letter SET requeued = false, reason = $2, at = $3 WHERE id = $1'
    await sql.run(change, [id, failure.reason, failure.at])
  }
}

const TOKEN = 'id, feed_id AS "feedId", hash, label, created_at AS "createdAt"'

export async function addToken(
  sql: Sql,
  feedId: QueryFeedId,
  { hash, label }: Pick<FeedToken, 'hash' | 'label'>,
  now: InstantMs,
): Promise<FeedToken> {
  const token = await sql.first<FeedToken>(
    `INSERT INTO feed_token (feed_id, hash, label, created_at) VALUES ($1, $2, $3, $4) RETURNING ${TOKEN}`,
    [feedId, hash, label, now],
  )
  if (token === null) throw new Error('a token that was added is not there')
  return token
}

export async function removeToken(sql: Sql, id: number): Promise<boolean> {
  return (await sql.run('DELETE FROM feed_token WHERE id = $1', [id])) > 0
}

export function listTokens(sql: Sql, feedId: QueryFeedId): Promise<FeedToken[]> {
  return sql.rows(`SELECT ${TOKEN} FROM feed_token WHERE feed_id = $1 ORDER BY id`, [feedId])
}
