import {
  HOUR_MS,
  type InstantMs,
  type QualityCounts,
  type QualityScope,
  type QualityTally,
  type SourceId,
} from '../../../model/index.ts'
import { KEEP_NODE_QUALITY_MS, KEEP_SOURCE_QUALITY_MS } from '../../defaults.ts'
import { EVER, SUMS_OF_COUNTS } from '../../rows/quality.ts'
import type { Sql } from '../database/sql.ts'

/** Hours that begin in [since, until). In a snapshot. */
export function readQuality(sql: Sql, scope: QualityScope, since: InstantMs, until: InstantMs): Promise<QualityTally> {
  const from = Math.max(0, Math.ceil(since / HOUR_MS))
  const to = Math.ceil(until / HOUR_MS)
  if (scope.kind === 'node') return sumOf(sql, 'source_id <= 0', from, to, [])
  if (scope.kind === 'sources') return sumOf(sql, 'source_id = ANY ($3::bigint[])', from, to, [scope.ids])
  const members = 'source_id IN (SELECT source_id FROM source_folder WHERE folder = $3)'
  return sumOf(sql, members, from, to, [scope.category])
}

/** A sum for each group, in order. In a snapshot. */
export async function readQualities(
  sql: Sql,
  groups: readonly (readonly SourceId[])[],
  since: InstantMs,
  until: InstantMs,
): Promise<QualityTally[]> {
  const sums: QualityTally[] = []
  for (const ids of groups) sums.push(await readQuality(sql, { kind: 'sources', ids }, since, until))
  return sums
}

export function readQualityEver(sql: Sql): Promise<QualityTally> {
  return sumOf(sql, 'source_id <= 0', EVER, EVER + 1, [])
}

async function sumOf(
  sql: Sql,
  members: string,
  from: number,
  to: number,
  more: readonly unknown[],
): Promise<QualityTally> {
  const rows = `WHERE hour >= $1 AND hour < $2 AND ${members}`
  const counts = await sql.first<QualityCounts>(`SELECT ${SUMS_OF_COUNTS} FROM quality_hour ${rows}`, [
    from,
    to,
    ...more,
  ])
  if (counts === null) throw new Error('a sum is always there')
  const delays = await sql.rows<{ bucket: number; items: number }>(
    `SELECT bucket, sum(items) AS items FROM quality_delay ${rows} GROUP BY bucket ORDER BY bucket`,
    [from, to, ...more],
  )
  return { ...counts, delays }
}

export async function forgetOldQuality(sql: Sql, now: InstantMs): Promise<void> {
  const hourBefore = (keepMs: number) => Math.floor((now - keepMs) / HOUR_MS)
  for (const table of ['quality_hour', 'quality_delay']) {
    await sql.run(`DELETE FROM ${table} WHERE hour < $1 AND source_id > 0`, [hourBefore(KEEP_SOURCE_QUALITY_MS)])
    await sql.run(`DELETE FROM ${table} WHERE hour > ${EVER} AND hour < $1 AND source_id <= 0`, [
      hourBefore(KEEP_NODE_QUALITY_MS),
    ])
  }
}
