import type { SourceState } from '../../model/index.ts'
import type { StoredModel } from '../scheduling.ts'
import type { ScheduleEntry } from '../store.ts'
import { type FlagColumn, isSet } from './columns.ts'

export interface ModelRow {
  /** null: none was learnt yet, where others are joined with it. */
  readonly form: string | null
  readonly window_size: number
  readonly cost: number
  readonly learnt_at: number
  readonly relearnt_at: number | null
  readonly model: Uint8Array
}

export interface EntryRow extends ModelRow {
  readonly id: number
  readonly url: string
  readonly weight: number
  readonly interval_ms: number | null
  readonly min_interval_ms: number | null
  readonly max_interval_ms: number | null
  readonly paused: FlagColumn
  readonly status: SourceState['status']
  readonly failure_count: number
  readonly added_at: number
  readonly last_check_at: number | null
  readonly last_success_at: number | null
  readonly next_check_at: number | null
}

export const MODEL_COLUMNS = 'm.form, m.window_size, m.cost, m.learnt_at, m.relearnt_at, m.state AS model'

/** All that a restart reads; `headwater bench schedule` times it alone. */
export const SCHEDULE_ENTRIES = `
  SELECT s.id, s.url, s.weight, s.interval_ms, s.min_interval_ms, s.max_interval_ms, s.paused, t.status, t.failure_count,
    s.added_at, t.last_check_at, t.last_success_at, t.next_check_at, ${MODEL_COLUMNS}
  FROM source s JOIN source_state t ON t.source_id = s.id LEFT JOIN model m ON m.source_id = s.id`

export function entryOf(row: EntryRow): ScheduleEntry {
  return {
    id: row.id,
    url: row.url,
    weight: row.weight,
    intervalMs: row.interval_ms,
    minIntervalMs: row.min_interval_ms,
    maxIntervalMs: row.max_interval_ms,
    paused: isSet(row.paused),
    status: row.status,
    failureCount: row.failure_count,
    addedAt: row.added_at,
    lastCheckAt: row.last_check_at,
    lastSuccessAt: row.last_success_at,
    nextCheckAt: row.next_check_at,
    model: modelOf(row),
  }
}

export function modelOf(row: ModelRow): StoredModel | null {
  if (row.form === null) return null
  return {
    form: row.form,
    windowSize: row.window_size,
    cost: row.cost,
    learntAt: row.learnt_at,
    relearntAt: row.relearnt_at,
    state: row.model,
  }
}
