import type { SourceState } from '../../model/index.ts'
import type { SourceSummary } from '../source-summaries.ts'
import { type FlagColumn, isSet, type ListColumn, listOf } from './columns.ts'
import { MODEL_COLUMNS, type ModelRow, modelOf } from './schedule.ts'

export interface SummaryRow extends ModelRow {
  readonly id: number
  readonly url: string
  readonly name: string | null
  readonly title: string | null
  readonly categories: ListColumn
  readonly weight: number
  readonly paused: FlagColumn
  readonly status: SourceState['status']
  readonly last_check_at: number | null
  readonly next_check_at: number | null
  readonly last_new_item_at: number | null
  readonly items: number
}

/** What stands in `rest` of a state, which each database reads in its own way. */
export type StateSigns = Pick<SourceSummary, 'isSaturated' | 'lastLosses' | 'isRefused' | 'errorCode'>

export const SUMMARY_COLUMNS = `s.id, s.url, s.name, t.title, s.categories, s.weight, s.paused, t.status, t.last_check_at,
    t.next_check_at, t.last_new_item_at, coalesce(n.items, 0) AS items, ${MODEL_COLUMNS}`

export const SUMMARY_TABLES = `source s JOIN source_state t ON t.source_id = s.id
    LEFT JOIN source_items n ON n.source_id = s.id LEFT JOIN model m ON m.source_id = s.id`

export function summaryOfRow(row: SummaryRow, signs: StateSigns): SourceSummary {
  return {
    id: row.id,
    url: row.url,
    name: row.name,
    title: row.title,
    categories: listOf(row.categories),
    weight: row.weight,
    paused: isSet(row.paused),
    status: row.status,
    ...signs,
    lastCheckAt: row.last_check_at,
    nextCheckAt: row.next_check_at,
    lastNewItemAt: row.last_new_item_at,
    items: row.items,
    model: modelOf(row),
  }
}
