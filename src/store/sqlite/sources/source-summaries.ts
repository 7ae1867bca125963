import { SUMMARY_COLUMNS, SUMMARY_TABLES, type SummaryRow, summaryOfRow } from '../../rows/source-summaries.ts'
import type { SourceSummary, SummaryStore } from '../../source-summaries.ts'
import type { DatabaseAccess } from '../database/access.ts'

interface Row extends SummaryRow {
  readonly saturated: number
  readonly refused: number
  readonly error_code: string | null
}

const SUMMARIES = `
  SELECT ${SUMMARY_COLUMNS},
    t.rest IS NOT NULL AND json_type(t.rest, '$.saturation') = 'object' AS saturated,
    t.rest IS NOT NULL AND json_type(t.rest, '$.refusal') = 'object' AS refused,
    json_extract(t.rest, '$.lastError.code') AS error_code
  FROM ${SUMMARY_TABLES} WHERE s.id > ? ORDER BY s.id LIMIT ?`

export function summaryVerbs({ connection, read }: DatabaseAccess): SummaryStore {
  return {
    sourceNames: () =>
      read(
        () =>
          connection
            .sql('SELECT DISTINCT name FROM source WHERE name IS NOT NULL ORDER BY name')
            .pluck()
            .all() as string[],
      ),
    sourceSummaries: ({ afterId, limit }) =>
      read(() => (connection.sql(SUMMARIES).all(afterId, Math.max(0, limit)) as Row[]).map(signedSummaryOf)),
  }
}

function signedSummaryOf(row: Row): SourceSummary {
  return summaryOfRow(row, {
    isSaturated: row.saturated === 1,
    isRefused: row.refused === 1,
    errorCode: row.error_code,
  })
}
