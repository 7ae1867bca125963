import type { SourceState } from '../../../model/index.ts'
import {
  type StateSigns,
  SUMMARY_COLUMNS,
  SUMMARY_TABLES,
  type SummaryRow,
  summaryOfRow,
} from '../../rows/source-summaries.ts'
import type { ListedSource, SummaryStore } from '../../source-summaries.ts'
import type { Access } from '../database/sql.ts'

interface Row extends SummaryRow {
  readonly rest: string | null
}

const SUMMARIES = `
  SELECT ${SUMMARY_COLUMNS}, t.rest FROM ${SUMMARY_TABLES} WHERE s.id > $1 ORDER BY s.id LIMIT $2`

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
      const rows = await access.rows<Row>(SUMMARIES, [afterId, Math.max(0, limit)])
      return rows.map((row) => summaryOfRow(row, signsOf(row.rest)))
    },
  }
}

function signsOf(packed: string | null): StateSigns {
  const rest: Partial<Pick<SourceState, 'saturation' | 'lastLosses' | 'refusal' | 'lastError'>> =
    packed === null ? {} : JSON.parse(packed)
  return {
    isSaturated: rest.saturation != null,
    lastLosses: rest.lastLosses ?? [],
    isRefused: rest.refusal != null,
    errorCode: rest.lastError?.code ?? null,
  }
}
