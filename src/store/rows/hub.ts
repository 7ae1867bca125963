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
}

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
  }
}

/** Whom a callback belongs to, as far as its address says. */
export function hostOfCallback({ url }: HubOutput): string {
  return new URL(url).hostname
}
