import {
  addCounts,
  type DelayCount,
  type InstantMs,
  NO_COUNTS,
  type QualityCounts,
  type QualityScope,
  type QualityTally,
  type SourceId,
} from '../../../model/index.ts'
import { COUNT_COLUMNS, COUNT_NAMES, EVER, NODE, SUMS_OF_COUNTS } from '../../rows/quality.ts'
import { hourOf, hoursWithin } from '../../rules/quality.ts'
import type { Cutoffs } from '../../rules/retention.ts'
import type { Connection } from '../database/connection.ts'

const ADD_COUNTS = `
  INSERT INTO quality_hour (hour, source_id, ${COUNT_COLUMNS.join(', ')})
  VALUES (?, ?, ${COUNT_COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT DO UPDATE SET ${COUNT_COLUMNS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`

const ADD_DELAYS = `
  INSERT INTO quality_delay (hour, source_id, bucket, items) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET items = items + excluded.items`

/**
 * What the refreshes of one transaction add to the node's rows, which every refresh would else write; the rows of the
 * sources are written at once.
 */
export class QualityWriter {
  readonly #connection: Connection
  #hours = new Map<number, { counts: QualityCounts; delays: Map<number, number> }>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** At the start of a transaction: what one that was rolled back has left is void. */
  begin(): void {
    this.#hours.clear()
  }

  add(sourceId: SourceId, at: InstantMs, tally: QualityTally): void {
    const hour = hourOf(at)
    this.#write(hour, sourceId, tally, tally.delays)
    const node = this.#hours.get(hour)
    const delays = node?.delays ?? new Map<number, number>()
    for (const { bucket, items } of tally.delays) delays.set(bucket, (delays.get(bucket) ?? 0) + items)
    this.#hours.set(hour, { counts: addCounts(node?.counts ?? NO_COUNTS, tally), delays })
  }

  /** At its end. */
  end(): void {
    for (const [hour, { counts, delays }] of this.#hours) {
      const list = [...delays].map(([bucket, items]) => ({ bucket, items }))
      this.#write(hour, NODE, counts, list)
      this.#write(EVER, NODE, counts, list)
      this.#written(hour)
    }
    this.#hours.clear()
  }

  /** Of an hour that is over, cached sums may no longer be right. */
  #written(hour: number): void {
    this.#connection.sql('DELETE FROM quality_folder WHERE hour = ?').run(hour)
  }

  #write(hour: number, sourceId: SourceId, counts: QualityCounts, delays: readonly DelayCount[]): void {
    const { sql } = this.#connection
    sql(ADD_COUNTS).run(hour, sourceId, ...COUNT_NAMES.map((name) => counts[name]))
    for (const { bucket, items } of delays) sql(ADD_DELAYS).run(hour, sourceId, bucket, items)
  }
}

/** Up to so many sources are looked up hour by hour; of more, all that the hours hold is read. */
const FEW_SOURCES = 50

/** Hours that begin in [since, until). */
export function readQuality(
  connection: Connection,
  scope: Exclude<QualityScope, { readonly kind: 'category' }>,
  since: InstantMs,
  until: InstantMs,
): QualityTally {
  const { from, to } = hoursWithin(since, until)
  if (scope.kind === 'node') return readFew(connection, [NODE], from, to)
  if (scope.ids.length <= FEW_SOURCES) return readFew(connection, scope.ids, from, to)
  return readMany(connection, 'SELECT value FROM json_each(?)', JSON.stringify(scope.ids), from, to)
}

export function readQualityEver(connection: Connection): QualityTally {
  return readMany(connection, 'SELECT ?', NODE, EVER, EVER + 1)
}

export function readMany(
  { sql }: Connection,
  members: string,
  parameter: unknown,
  from: number,
  to: number,
): QualityTally {
  const rows = `WHERE hour >= ? AND hour < ? AND source_id IN (${members})`
  return {
    ...(sql(`SELECT ${SUMS_OF_COUNTS} FROM quality_hour ${rows}`).get(from, to, parameter) as QualityCounts),
    delays: sql(`SELECT bucket, sum(items) AS items FROM quality_delay ${rows} GROUP BY bucket ORDER BY bucket`).all(
      from,
      to,
      parameter,
    ) as DelayCount[],
  }
}

/** With both ends. */
function hoursBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

/** A row per source and hour is found by its key, however many others the hour has. */
function readFew({ sql }: Connection, ids: readonly SourceId[], from: number, to: number): QualityTally {
  const first = sql<number | null>('SELECT min(hour) FROM quality_hour WHERE hour >= ?').pluck().get(from) ?? null
  const last = sql<number | null>('SELECT max(hour) FROM quality_hour WHERE hour < ?').pluck().get(to) ?? null
  const hours = first === null || last === null ? [] : hoursBetween(first, last)
  const rows = (table: string) =>
    `json_each(?) AS s CROSS JOIN json_each(?) AS h CROSS JOIN ${table} AS q ON q.hour = h.value AND q.source_id = s.value`
  const parameters = [JSON.stringify(ids), JSON.stringify(hours)]
  return {
    ...(sql(`SELECT ${SUMS_OF_COUNTS} FROM ${rows('quality_hour')}`).get(...parameters) as QualityCounts),
    delays: sql(`SELECT bucket, sum(items) AS items FROM ${rows('quality_delay')} GROUP BY bucket ORDER BY bucket`).all(
      ...parameters,
    ) as DelayCount[],
  }
}

/** Of rows that are too old, at most so many of each kind; false: those were all. */
export function forgetOldQuality({ sql }: Connection, cutoffs: Cutoffs, most: number): boolean {
  const { sourceQualityBeforeHour, nodeQualityBeforeHour } = cutoffs
  sql('DELETE FROM quality_folder WHERE hour < ?').run(sourceQualityBeforeHour)
  let isMore = false
  for (const table of ['quality_hour', 'quality_delay']) {
    sql(`DELETE FROM ${table} WHERE hour > ${EVER} AND hour < ? AND source_id = ${NODE}`).run(nodeQualityBeforeHour)
    const oldest = sql<number | null>(
      `SELECT min(hour) FROM ${table} WHERE hour > ${EVER} AND hour < ? AND source_id <> ${NODE}`,
    )
    const hour = oldest.pluck().get(sourceQualityBeforeHour) ?? null
    if (hour === null) continue
    isMore = true
    // Without the row of the node, which is kept for longer.
    const its = `${table} WHERE hour = :hour AND source_id > ${NODE}`
    sql(
      `DELETE FROM ${its} AND source_id <= coalesce(
         (SELECT source_id FROM ${its} ORDER BY source_id LIMIT 1 OFFSET ${most - 1}), ${Number.MAX_SAFE_INTEGER})`,
    ).run({ hour })
  }
  return isMore
}
