import type { ItemPage } from '../../model/index.ts'

/** A row of `item_page`, alike in both databases. */
export interface ItemPageRow {
  readonly seq: number
  readonly source_id: number
  readonly shard: number
  readonly due_at: number | null
  readonly attempts: number
  readonly fetched_at: number | null
  readonly status: number | null
  readonly failure: string | null
  readonly url: string
  readonly final_url: string | null
  readonly facts: string | null
  readonly body_bytes: number
}

export const ITEM_PAGE_COLUMNS = `seq, source_id, shard, due_at, attempts, fetched_at, status, failure, url, final_url, facts,
    coalesce(length(body), 0) AS body_bytes`

export const DUE_PAGE_COLUMNS = 'seq, source_id AS "sourceId", url, shard, attempts'

/** Of one source; `failed` are settled too. */
export const PAGE_SUM_COLUMNS = `count(due_at) AS waiting,
    count(CASE WHEN due_at IS NULL AND failure IS NULL THEN 1 END) AS fetched,
    count(CASE WHEN due_at IS NULL AND failure IS NOT NULL THEN 1 END) AS failed,
    coalesce(sum(length(body)), 0) AS "bodyBytes"`

export function itemPageOf(row: ItemPageRow): ItemPage {
  return {
    seq: row.seq,
    sourceId: row.source_id,
    url: row.url,
    shard: row.shard,
    attempts: row.attempts,
    dueAt: row.due_at,
    fetchedAt: row.fetched_at,
    status: row.status,
    finalUrl: row.final_url,
    failure: row.failure,
    facts: row.facts === null ? null : (JSON.parse(row.facts) as ItemPage['facts']),
    bodyBytes: row.body_bytes,
  }
}
