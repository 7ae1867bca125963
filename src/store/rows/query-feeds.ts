import type { QualityWish, QueryFeed, SubscriptionOutput } from '../../model/index.ts'
import { type FlagColumn, isSet, type ListColumn, listOf } from './columns.ts'

/** A row of `query_feed`. */
export interface FeedRow {
  readonly id: number
  readonly name: string
  readonly title: string | null
  readonly item_limit: number | null
  readonly text: string
  readonly private: FlagColumn
  readonly weight: number
  readonly wish: string | null
  readonly version: number
  readonly created_at: number
  readonly altered_at: number
  readonly catch_up_after: number | null
  readonly history_up_to: number
  readonly without: ListColumn
  readonly clearing: FlagColumn
}

export function feedOf(row: FeedRow): QueryFeed {
  const without = listOf(row.without)
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    limit: row.item_limit,
    text: row.text,
    isPrivate: isSet(row.private),
    weight: row.weight,
    wish: row.wish === null ? null : (JSON.parse(row.wish) as QualityWish),
    version: row.version,
    createdAt: row.created_at,
    alteredAt: row.altered_at,
    catchUpAfter: row.catch_up_after,
    historyUpTo: row.history_up_to,
    ...(without.length === 0 ? {} : { without }),
    ...(isSet(row.clearing) ? { isClearing: true } : {}),
  }
}

/** The same output must be the same text. */
export function packOutput(output: SubscriptionOutput): string {
  switch (output.kind) {
    case 'webhook':
      return JSON.stringify({ kind: output.kind, url: output.url })
    case 'file':
      return JSON.stringify({ kind: output.kind, path: output.path })
    case 'mail':
      return JSON.stringify({ kind: output.kind, address: output.address })
    case 'webpush':
      return JSON.stringify({ kind: output.kind, endpoint: output.endpoint })
  }
}
