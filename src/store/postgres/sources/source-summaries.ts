import type { SourceState } from '../../../model/index.ts'
import {
  type StateSigns,
  SUMMARY_COLUMNS,
  SUMMARY_TABLES,
  type SummaryRow,
  summaryOfRow,
} from '../../rows/source-summaries.ts'
import type { SummaryStore } from '../../source-summaries.ts'
import type { Access } from '../database/sql.ts'

interface Row extends SummaryRow {
  readonly rest: string | null
}

const SUMMARIES = `
  SELECT ${SUMMARY_COLUMNS}, t.rest FROM ${SUMMARY_TABLES} WHERE s.id > $1 ORDER BY s.id LIMIT $2`

export function summaryVerbs(access: Access): SummaryStore {
  return {
    async sourceNames() {
      const rows = await access.rows<{ name: string }>(
        'SELECT DISTINCT name FROM source WHERE name IS NOT NULL ORDER BY 1',
      )
      return rows.map(({ name }) => name)
    },
    async sourceSummaries({ afterId, limit }) {
      const rows = await access.rows<Row>(SUMMARIES, [afterId, Math.max(0, limit)])
      return rows.map((row) => summaryOfRow(row, signsOf(row.rest)))
    },
  }
}

function signsOf(packed: string | null): StateSigns {
  const rest: Partial<Pick<SourceState, 'saturation' | 'refusal' | 'lastError'>> =
    packed === null ? {} : JSON.parse(packed)
  return {
    isSaturated: rest.saturation != null,
    isRefused: rest.refusal != null,
    errorCode: rest.lastError?.code ?? null,
  }
}
