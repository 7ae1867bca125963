import type {
  DeadLetter,
  FeedToken,
  InstantMs,
  PublicationSeq,
  QueryFeedId,
  Subscription,
  SubscriptionOutput,
} from '../../../model/index.ts'
import type { Delivery, QueryChange } from '../../query-feeds.ts'
import { packOutput } from '../../rows/query-feeds.ts'
import { afterDelivery, type DeliveryState, lettersToBury, newDeliveryState } from '../../rules/deliveries.ts'
import type { Connection } from '../database/connection.ts'

interface SubscriptionRow {
  readonly id: number
  readonly feed_id: number
  readonly output: string
  readonly every_ms: number | null
  readonly secret: string
  readonly created_at: number
  readonly delivered_seq: number
  readonly delivered_at: number | null
  readonly failure_count: number
  readonly next_attempt_at: number | null
  readonly last_error: string | null
}

export function listSubscriptions({ sql, vault }: Connection, feedId: QueryFeedId | undefined): Subscription[] {
  const rows =
    feedId === undefined
      ? sql('SELECT * FROM subscription ORDER BY id').all()
      : sql('SELECT * FROM subscription WHERE feed_id = ? ORDER BY id').all(feedId)
  return (rows as SubscriptionRow[]).map((row) => ({
    id: row.id,
    feedId: row.feed_id,
    output: JSON.parse(row.output) as SubscriptionOutput,
    everyMs: row.every_ms,
    secret: vault.open(row.secret),
    createdAt: row.created_at,
    deliveredSeq: row.delivered_seq,
    deliveredAt: row.delivered_at,
    failureCount: row.failure_count,
    nextAttemptAt: row.next_attempt_at,
    lastError: row.last_error,
  }))
}

/** One per feed and output: subscribing again changes how often, and keeps the cursor, and the secret if it can be read. */
export function subscribe(
  { sql, vault }: Connection,
  feedId: QueryFeedId,
  { output, everyMs, secret }: Extract<QueryChange, { kind: 'subscribe' }>,
  now: InstantMs,
): void {
  const known = sql('SELECT secret FROM subscription WHERE feed_id = ? AND output = ?')
    .pluck()
    .get(feedId, packOutput(output)) as string | undefined
  const sealed = known !== undefined && vault.open(known) !== null ? known : vault.seal(secret)
  const last = sql("SELECT seq FROM sqlite_sequence WHERE name = 'publication'").pluck().get() ?? 0
  const { deliveredSeq, failureCount } = newDeliveryState(last as PublicationSeq)
  sql(
    `INSERT INTO subscription (feed_id, output, every_ms, secret, created_at, delivered_seq, failure_count)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (feed_id, output) DO UPDATE SET every_ms = excluded.every_ms, secret = excluded.secret`,
  ).run(feedId, packOutput(output), everyMs, sealed, now, deliveredSeq, failureCount)
}

export function unsubscribe(connection: Connection, feedId: QueryFeedId, output: SubscriptionOutput | null): void {
  const { sql } = connection
  if (output === null) {
    dropSubscriptions(connection, feedId)
    return
  }
  const one = '(SELECT id FROM subscription WHERE feed_id = ? AND output = ?)'
  sql(`DELETE FROM dead_letter WHERE subscription_id IN ${one}`).run(feedId, packOutput(output))
  sql(`DELETE FROM subscription WHERE id IN ${one}`).run(feedId, packOutput(output))
}

export function dropSubscriptions({ sql }: Connection, feedId: QueryFeedId): void {
  sql('DELETE FROM dead_letter WHERE subscription_id IN (SELECT id FROM subscription WHERE feed_id = ?)').run(feedId)
  sql('DELETE FROM subscription WHERE feed_id = ?').run(feedId)
}

export function recordDelivery({ sql }: Connection, id: number, delivery: Delivery): void {
  const before = sql(
    `SELECT delivered_seq AS deliveredSeq, delivered_at AS deliveredAt, failure_count AS failureCount,
       next_attempt_at AS nextAttemptAt, last_error AS lastError FROM subscription WHERE id = ?`,
  ).get(id) as DeliveryState | undefined
  if (before === undefined) return
  if (delivery.kind === 'dead') {
    const bury = sql(
      `INSERT INTO dead_letter (subscription_id, publication_seq, item_seq, at, reason)
       SELECT ?, seq, item_seq, ?, ? FROM publication WHERE seq = ?`,
    )
    for (const seq of lettersToBury(before, delivery.publications)) bury.run(id, delivery.at, delivery.reason, seq)
  }
  const { deliveredSeq, deliveredAt, failureCount, nextAttemptAt, lastError } = afterDelivery(before, delivery)
  sql(
    `UPDATE subscription SET delivered_seq = ?, delivered_at = ?, failure_count = ?, next_attempt_at = ?, last_error = ?
     WHERE id = ?`,
  ).run(deliveredSeq, deliveredAt, failureCount, nextAttemptAt, lastError, id)
}

export function listDeadLetters(
  { sql }: Connection,
  { subscriptionId, limit }: { readonly subscriptionId?: number; readonly limit: number },
): DeadLetter[] {
  return sql(
    `SELECT ${LETTER} FROM dead_letter WHERE subscription_id = coalesce(?, subscription_id) ORDER BY id DESC LIMIT ?`,
  )
    .all(subscriptionId ?? null, Math.max(0, limit))
    .map(letterOf)
}

const LETTER =
  'id, subscription_id AS subscriptionId, publication_seq AS publicationSeq, item_seq AS itemSeq, at, reason, requeued'

function letterOf(row: unknown): DeadLetter {
  const { requeued, ...letter } = row as Omit<DeadLetter, 'isRequeued'> & { readonly requeued: number }
  return { ...letter, isRequeued: requeued === 1 }
}

export function requeueDeadLetters(
  { sql }: Connection,
  which: { readonly ids: readonly number[] } | { readonly subscriptionId: number },
): number {
  if ('subscriptionId' in which) {
    return sql('UPDATE dead_letter SET requeued = 1 WHERE subscription_id = ?').run(which.subscriptionId).changes
  }
  const found = [...new Set(which.ids)].map((id) => sql('UPDATE dead_letter SET requeued = 1 WHERE id = ?').run(id))
  return found.reduce((sum, { changes }) => sum + changes, 0)
}

export function listRequeuedLetters({ sql }: Connection, limit: number): DeadLetter[] {
  return sql(`SELECT ${LETTER} FROM dead_letter WHERE requeued = 1 ORDER BY publication_seq, id LIMIT ?`)
    .all(Math.max(0, limit))
    .map(letterOf)
}

export function settleDeadLetter(
  { sql }: Connection,
  id: number,
  failure: { readonly reason: string; readonly at: InstantMs } | null,
): void {
  if (failure === null) sql('DELETE FROM dead_letter WHERE id = ?').run(id)
  else sql('UPDATE dead_letter SET requeued = 0, reason = ?, at = ? WHERE id = ?').run(failure.reason, failure.at, id)
}

const TOKEN = 'id, feed_id AS feedId, hash, label, created_at AS createdAt'

export function addToken(
  { sql }: Connection,
  feedId: QueryFeedId,
  { hash, label }: Pick<FeedToken, 'hash' | 'label'>,
  now: InstantMs,
): FeedToken {
  const { lastInsertRowid } = sql('INSERT INTO feed_token (feed_id, hash, label, created_at) VALUES (?, ?, ?, ?)').run(
    feedId,
    hash,
    label,
    now,
  )
  return sql(`SELECT ${TOKEN} FROM feed_token WHERE id = ?`).get(lastInsertRowid) as FeedToken
}

export function removeToken({ sql }: Connection, id: number): boolean {
  return sql('DELETE FROM feed_token WHERE id = ?').run(id).changes > 0
}

export function listTokens({ sql }: Connection, feedId: QueryFeedId): FeedToken[] {
  return sql(`SELECT ${TOKEN} FROM feed_token WHERE feed_id = ? ORDER BY id`).all(feedId) as FeedToken[]
}
