import type { DuePage, ItemPage, Shard, SourceId } from '../../model/index.ts'

/** Columns by which a page is found that is to be fetched, alike in both databases. */
export interface DuePageRow {
  readonly seq: number
  readonly source_id: SourceId
  readonly shard: Shard
  readonly attempts: number
  readonly url: string
  readonly is_known: number | boolean
  readonly etag: string | null
  readonly last_modified: string | null
}

/** A row of `item_page`. */
export interface ItemPageRow extends DuePageRow {
  readonly due_at: number | null
  readonly fetched_at: number | null
  readonly status: number | null
  readonly failure: string | null
  readonly final_url: string | null
  readonly content_type: string | null
  readonly facts: string | null
  readonly body_bytes: number
}

export const DUE_PAGE_COLUMNS =
  'seq, source_id, shard, attempts, url, facts IS NOT NULL AS is_known, etag, last_modified'

export const ITEM_PAGE_COLUMNS = `${DUE_PAGE_COLUMNS}, due_at, fetched_at, status, failure, final_url, content_type, facts,
    coalesce(length(body), 0) AS body_bytes`

/** Of one source; `failed` are settled too. */
export const PAGE_SUM_COLUMNS = `count(CASE WHEN facts IS NULL AND due_at IS NOT NULL THEN 1 END) AS waiting,
    count(facts) AS fetched,
    count(CASE WHEN facts IS NULL AND due_at IS NULL THEN 1 END) AS failed,
    coalesce(sum(length(body)), 0) AS "bodyBytes"`

/** Of pages that nobody has asked for yet. */
export const IS_FIRST_AWAITED = 'due_at IS NOT NULL AND attempts = 0 AND facts IS NULL'

export function duePageOf(row: DuePageRow): DuePage {
  const { seq, source_id, url, shard, attempts, is_known, etag, last_modified } = row
  const known = is_known ? { etag, lastModified: last_modified } : null
  return { seq, sourceId: source_id, url, shard, attempts, known }
}

export function itemPageOf(row: ItemPageRow): ItemPage {
  return {
    ...duePageOf(row),
    dueAt: row.due_at,
    fetchedAt: row.fetched_at,
    status: row.status,
    finalUrl: row.final_url,
    contentType: row.content_type,
    failure: row.failure,
    facts: row.facts === null ? null : (JSON.parse(row.facts) as ItemPage['facts']),
    bodyBytes: row.body_bytes,
  }
}
