import { SUMMARY_COLUMNS, SUMMARY_TABLES, type SummaryRow, summaryOfRow } from '../../rows/source-summaries.ts'
import type { ListedSource, ListPage, SourceSummary, SummaryStore } from '../../source-summaries.ts'
import type { DatabaseAccess } from '../database/access.ts'
import type { Connection } from '../database/connection.ts'

interface Row extends SummaryRow {
  readonly saturated: number
  /** JSON. */
  readonly losses: string | null
  readonly refused: number
  readonly error_code: string | null
}

const SUMMARIES = `
  SELECT ${SUMMARY_COLUMNS},
    t.rest IS NOT NULL AND json_type(t.rest, '$.saturation') = 'object' AS saturated,
    json_extract(t.rest, '$.lastLosses') AS losses,
    t.rest IS NOT NULL AND json_type(t.rest, '$.refusal') = 'object' AS refused,
    json_extract(t.rest, '$.lastError.code') AS error_code
  FROM ${SUMMARY_TABLES} WHERE s.id > ? ORDER BY s.id LIMIT ?`

type ListedRow = [
  id: number,
  url: string,
  name: string | null,
  title: string | null,
  siteUrl: string | null,
  categories: string | null,
]

const listed = (where: string) => `
  SELECT s.id, s.url, s.name, t.title, t.site_url, s.categories
  FROM source s CROSS JOIN source_state t ON t.source_id = s.id WHERE ${where} ORDER BY s.id LIMIT ?`
const ALL_LISTED = listed('s.id > ?')
const CATEGORY_LISTED = listed('s.id > ? AND s.id IN (SELECT source_id FROM source_folder WHERE folder = ?)')

function readListed({ sql }: Connection, { afterId, limit, category }: ListPage): ListedSource[] {
  const most = Math.max(0, limit)
  const rows =
    category === undefined
      ? sql(ALL_LISTED).raw().all(afterId, most)
      : sql(CATEGORY_LISTED).raw().all(afterId, category, most)
  return (rows as ListedRow[]).map(([id, url, name, title, siteUrl, categories]) => {
    return {
      id,
      url,
      name,
      title,
      siteUrl,
      categories: categories === null ? [] : (JSON.parse(categories) as string[]),
    }
  })
}

export function summaryVerbs({ connection, read }: DatabaseAccess): SummaryStore {
  return {
    sourceNames: () =>
      read(() =>
        connection.sql<string>('SELECT DISTINCT name FROM source WHERE name IS NOT NULL ORDER BY name').pluck().all(),
      ),
    listedSources: (page) => read(() => readListed(connection, page)),
    sourceSummaries: ({ afterId, limit }) =>
      read(() => (connection.sql(SUMMARIES).all(afterId, Math.max(0, limit)) as Row[]).map(signedSummaryOf)),
  }
}

function signedSummaryOf(row: Row): SourceSummary {
  return summaryOfRow(row, {
    isSaturated: row.saturated === 1,
    lastLosses: row.losses === null ? [] : (JSON.parse(row.losses) as number[]),
    isRefused: row.refused === 1,
    errorCode: row.error_code,
  })
}
