import type { HubOutput, HubSubscription } from '../../model/index.ts'

/** A row of `hub_subscription`. */
export interface HubRow {
  readonly id: number
  readonly feed_id: number
  readonly callback: string
  readonly format: HubOutput['format']
  readonly secret: string
  readonly created_at: number
  readonly lease_ends_at: number
  readonly delivered_seq: number
  readonly edits: number
  readonly delivered_edits: number
  readonly delivered_at: number | null
  readonly failure_count: number
  readonly next_attempt_at: number | null
  readonly last_error: string | null
  /** Of `hub_topic`; null: of a query feed. */
  readonly path: string | null
  readonly edition: number | null
}

/**
 * Numbers of those that are behind. `isLive`: of a page, with a lease that runs and no pause; `noHistory`: of a publication that was news when it
 * came; as the database writes it. Of built-in feeds nothing is looked at but those that are behind (`hub_subscription_place`).
 */
export function behindIds(isLive: string, noHistory: string, limit: string): string {
  return `SELECT h.id FROM hub_topic t CROSS JOIN hub_subscription h
    WHERE h.feed_id = t.feed_id AND h.delivered_seq < t.edition AND ${isLive}
    UNION ALL SELECT h.id FROM hub_subscription h WHERE h.feed_id > 0 AND ${isLive} AND (h.edits > h.delivered_edits OR EXISTS (
      SELECT 1 FROM publication p WHERE p.feed_id = h.feed_id AND p.seq > h.delivered_seq AND ${noHistory}))
    ORDER BY 1 LIMIT ${limit}`
}

export const HUB_ROWS =
  'SELECT h.*, t.path, t.edition FROM hub_subscription h LEFT JOIN hub_topic t ON t.feed_id = h.feed_id'

/** `open`: reads a secret that was sealed. */
export function hubSubscriptionOf(row: HubRow, open: (sealed: string) => string | null): HubSubscription {
  return {
    id: row.id,
    feedId: row.feed_id,
    output: { kind: 'websub', url: row.callback, format: row.format },
    everyMs: null,
    secret: open(row.secret),
    createdAt: row.created_at,
    leaseEndsAt: row.lease_ends_at,
    deliveredSeq: row.delivered_seq,
    edits: row.edits,
    deliveredEdits: row.delivered_edits,
    deliveredAt: row.delivered_at,
    failureCount: row.failure_count,
    nextAttemptAt: row.next_attempt_at,
    lastError: row.last_error,
    builtIn: row.path === null ? null : { path: row.path, edition: row.edition ?? 0 },
  }
}

/** Whom a callback belongs to, as far as its address says. */
export function hostOfCallback({ url }: HubOutput): string {
  return new URL(url).hostname
}
