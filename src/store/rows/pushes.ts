import type { PushKind, PushStatus, PushSubscription } from '../../model/index.ts'
import type { PushPatch } from '../pushes.ts'
import type { PushCounts } from '../rules/pushes.ts'

/** A row of `push_subscription`, alike in both databases. */
export interface PushRow {
  readonly source_id: number
  readonly kind: PushKind
  readonly hub: string
  readonly topic: string
  readonly key: string
  readonly secret: string
  readonly status: PushStatus
  readonly lease_ends_at: number | null
  readonly next_at: number
  readonly failures: number
  readonly last_error: string | null
  readonly pushed_at: number | null
  readonly pushes: number
  readonly refused: number
  readonly repeated: number
  readonly digests: string
  readonly changed_at: number
}

export const PUSH_COLUMNS = `p.source_id, p.kind, p.hub, p.topic, p.key, p.secret, p.status, p.lease_ends_at, p.next_at,
    p.failures, p.last_error, p.pushed_at, p.pushes, p.refused, p.repeated, p.digests, p.changed_at`

export function pushOf(row: PushRow, open: (sealed: string) => string | null): PushSubscription {
  return {
    sourceId: row.source_id,
    kind: row.kind,
    hub: row.hub,
    topic: row.topic,
    key: row.key,
    secret: open(row.secret),
    status: row.status,
    leaseEndsAt: row.lease_ends_at,
    nextAt: row.next_at,
    failures: row.failures,
    lastError: row.last_error,
    pushedAt: row.pushed_at,
    pushes: row.pushes,
    refused: row.refused,
    repeated: row.repeated,
    changedAt: row.changed_at,
  }
}

export function countsOf(row: PushRow): PushCounts {
  const { pushes, refused, repeated, pushed_at: pushedAt, digests } = row
  return { pushes, refused, repeated, pushedAt, digests: JSON.parse(digests) as string[] }
}

const PATCH_COLUMN = {
  status: 'status',
  leaseEndsAt: 'lease_ends_at',
  nextAt: 'next_at',
  failures: 'failures',
  lastError: 'last_error',
} as const satisfies Record<keyof PushPatch, string>

/** Columns with their values. */
export function patchColumns(patch: PushPatch): readonly (readonly [string, string | number | null])[] {
  return Object.entries(patch).flatMap(([name, value]) =>
    value === undefined ? [] : [[PATCH_COLUMN[name as keyof PushPatch], value] as const],
  )
}
