import type { SourceState } from '../../../model/index.ts'
import type { ListedSource, SourceSummary, SummaryStore } from '../../source-summaries.ts'
import type { Access } from '../database/sql.ts'
import { MODEL_COLUMNS, modelOf } from './schedule.ts'

interface Row {
  readonly id: number
  readonly url: string
  readonly name: string | null
  readonly title: string | null
  readonly categories: readonly string[]
  readonly weight: number
  readonly paused: boolean
  readonly status: SourceState['status']
  readonly rest: string | null
  readonly last_check_at: number | null
  readonly next_check_at: number | null
  readonly last_new_item_at: number | null
  readonly items: number
  readonly form: string | null
  readonly window_size: number
  readonly cost: number
  readonly learnt_at: number
  readonly relearnt_at: number | null
  readonly model: Uint8Array
}

const SUMMARIES = `
  SELECT s.id, s.url, s.name, t.title, s.categories, s.weight, s.paused, t.status, t.rest, t.last_check_at,
    t.next_check_at, t.last_new_item_at, coalesce(n.items, 0) AS items, ${MODEL_COLUMNS}
  FROM source s JOIN source_state t ON t.source_id = s.id
    LEFT JOIN source_items n ON n.source_id = s.id LEFT JOIN model m ON m.source_id = s.id
  WHERE s.id > $1 ORDER BY s.id LIMIT $2`

const listed = (where: string) => `
  SELECT s.id, s.url, s.name, t.title, t.site_url AS "siteUrl", s.categories
  FROM source s JOIN source_state t ON t.source_id = s.id WHERE s.id > $1 ${where} ORDER BY s.id LIMIT $2`
const ALL_LISTED = listed('')
const CATEGORY_LISTED = listed('AND s.id IN (SELECT source_id FROM source_folder WHERE folder = $3)')

export function summaryVerbs(access: Access): SummaryStore {
  return {
    async sourceNames() {
      const rows = await access.rows<{ name: string }>(
        'SELECT DISTINCT name FROM source WHERE name IS NOT NULL ORDER BY 1',
      )
      return rows.map(({ name }) => name)
    },
    listedSources({ afterId, limit, category }) {
      const page = [afterId, Math.max(0, limit)]
      return category === undefined
        ? access.rows<ListedSource>(ALL_LISTED, page)
        : access.rows<ListedSource>(CATEGORY_LISTED, [...page, category])
    },
    async sourceSummaries({ afterId, limit }) {
      return (await access.rows<Row>(SUMMARIES, [afterId, Math.max(0, limit)])).map(summaryOf)
    },
  }
}

function summaryOf(row: Row): SourceSummary {
  const rest: Partial<Pick<SourceState, 'saturation' | 'refusal' | 'lastError'>> =
    row.rest === null ? {} : JSON.parse(row.rest)
  return {
    id: row.id,
    url: row.url,
    name: row.name,
    title: row.title,
    categories: row.categories,
    weight: row.weight,
    paused: row.paused,
    status: row.status,
    isSaturated: rest.saturation != null,
    isRefused: rest.refusal != null,
    errorCode: rest.lastError?.code ?? null,
    lastCheckAt: row.last_check_at,
    nextCheckAt: row.next_check_at,
    lastNewItemAt: row.last_new_item_at,
    items: row.items,
    model: modelOf(row),
  }
}
