import type { SourceState } from '../../../model/index.ts'
import type { SourceSummary, SummaryStore } from '../../source-summaries.ts'
import type { DatabaseAccess } from '../database/access.ts'

interface Row {
  readonly id: number
  readonly url: string
  readonly name: string | null
  readonly title: string | null
  readonly categories: string | null
  readonly weight: number
  readonly paused: number
  readonly status: SourceState['status']
  readonly saturated: number
  readonly refused: number
  readonly error_code: string | null
  readonly last_check_at: number | null
  readonly next_check_at: number | null
  readonly last_new_item_at: number | null
  readonly items: number | null
  readonly form: string | null
  readonly window_size: number
  readonly cost: number
  readonly learnt_at: number
  readonly relearnt_at: number | null
  readonly state: Uint8Array
}

const SUMMARIES = `
  SELECT s.id, s.url, s.name, t.title, s.categories, s.weight, s.paused, t.status,
    t.rest IS NOT NULL AND json_type(t.rest, '$.saturation') = 'object' AS saturated,
    t.rest IS NOT NULL AND json_type(t.rest, '$.refusal') = 'object' AS refused,
    json_extract(t.rest, '$.lastError.code') AS error_code,
    t.last_check_at, t.next_check_at, t.last_new_item_at, n.items,
    m.form, m.window_size, m.cost, m.learnt_at, m.relearnt_at, m.state
  FROM source s JOIN source_state t ON t.source_id = s.id
    LEFT JOIN source_items n ON n.source_id = s.id LEFT JOIN model m ON m.source_id = s.id
  WHERE s.id > ? ORDER BY s.id LIMIT ?`

export function summaryVerbs({ connection, read }: DatabaseAccess): SummaryStore {
  return {
    sourceNames: () =>
      read(() =>
        connection.sql<string>('SELECT DISTINCT name FROM source WHERE name IS NOT NULL ORDER BY name').pluck().all(),
      ),
    sourceSummaries: ({ afterId, limit }) =>
      read(() => connection.sql<Row>(SUMMARIES).all(afterId, Math.max(0, limit)).map(summaryOf)),
  }
}

function summaryOf(row: Row): SourceSummary {
  return {
    id: row.id,
    url: row.url,
    name: row.name,
    title: row.title,
    categories: row.categories === null ? [] : (JSON.parse(row.categories) as string[]),
    weight: row.weight,
    paused: row.paused === 1,
    status: row.status,
    isSaturated: row.saturated === 1,
    isRefused: row.refused === 1,
    errorCode: row.error_code,
    lastCheckAt: row.last_check_at,
    nextCheckAt: row.next_check_at,
    lastNewItemAt: row.last_new_item_at,
    items: row.items ?? 0,
    model:
      row.form === null
        ? null
        : {
            form: row.form,
            windowSize: row.window_size,
            cost: row.cost,
            learntAt: row.learnt_at,
            relearntAt: row.relearnt_at,
            state: row.state,
          },
  }
}
