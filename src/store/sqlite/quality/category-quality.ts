import type { InstantMs, QualityTally, SourceId } from '../../../model/index.ts'
import { NODE } from '../../rows/quality.ts'
import { addTallies, hoursWithin, NO_TALLY } from '../../rules/quality.ts'
import type { Connection } from '../database/connection.ts'
import { readCounter } from '../database/counters.ts'
import { readMany } from './quality.ts'

/** How the store runs its calls. */
interface QualityAccess {
  readonly connection: Connection
  readonly read: <T>(action: () => T) => Promise<T>
  readonly write: <T>(action: () => T) => Promise<T>
}

/**
 * Sums of a category. Adding up the rows of a thousand sources over a week takes most of a second, so each hour that is
 * over is summed once, at the first question, an hour at a time with others between; what is written later into such an
 * hour, or another source in the category, makes it be summed again.
 */
export async function readCategoryQuality(
  { connection, read, write }: QualityAccess,
  category: string,
  since: InstantMs,
  until: InstantMs,
): Promise<QualityTally> {
  const { from, to } = hoursWithin(since, until)
  const { first, last } = await read(() => writtenHours(connection, from, to))
  let sum = NO_TALLY
  for (let hour = first; hour <= last; hour++) {
    const { cachedSum, stamp } = await read(() => ({
      cachedSum: cachedTally(connection, category, hour),
      stamp: stampOf(connection, hour),
    }))
    const ofHour = cachedSum ?? (await sumOfHour({ connection, read }, category, hour))
    sum = addTallies(sum, ofHour)
    // Nothing was written in it: that is quickly seen again.
    if (cachedSum !== null || hour === last || ofHour.requests === 0) continue
    await write(() => {
      if (stampOf(connection, hour) === stamp) keep(connection, category, hour, ofHour)
    })
  }
  return sum
}

/** Changes with what is written into an hour, and with the sources of categories: earlier sums are then dropped. */
function stampOf(connection: Connection, hour: number): string {
  const requests = connection.sql(`SELECT requests FROM quality_hour WHERE hour = ? AND source_id = ${NODE}`)
  return `${requests.pluck().get(hour)} ${readCounter(connection, 'revision')}`
}

/** Sources summed in one go: some ten milliseconds. */
const SOURCES = 2_000

async function sumOfHour(
  { connection, read }: Pick<QualityAccess, 'connection' | 'read'>,
  category: string,
  hour: number,
): Promise<QualityTally> {
  let sum = NO_TALLY
  for (let after: SourceId | null = 0; after !== null; ) {
    const from: SourceId = after
    const part = await read(() => sumOfSome(connection, category, hour, from))
    sum = addTallies(sum, part.tally)
    after = part.last
  }
  return sum
}

/** Some category has other sources now. */
export function forgetCategorySums({ sql }: Connection): void {
  sql('DELETE FROM quality_folder').run()
}

function writtenHours(
  { sql }: Connection,
  from: number,
  to: number,
): { readonly first: number; readonly last: number } {
  const row = sql<number | null>('SELECT min(hour) FROM quality_hour WHERE hour >= ?').pluck().get(from) ?? null
  const last = sql<number | null>('SELECT max(hour) FROM quality_hour WHERE hour < ?').pluck().get(to) ?? null
  return row === null || last === null ? { first: 0, last: -1 } : { first: row, last }
}

function cachedTally({ sql }: Connection, category: string, hour: number): QualityTally | null {
  const text = sql<string>('SELECT tally FROM quality_folder WHERE folder = ? AND hour = ?').pluck().get(category, hour)
  return text === undefined ? null : JSON.parse(text)
}

/** Of the next sources after one; `last` null: there are no more. */
function sumOfSome(
  connection: Connection,
  category: string,
  hour: number,
  after: SourceId,
): { readonly tally: QualityTally; readonly last: SourceId | null } {
  const next = 'SELECT source_id FROM source_folder WHERE folder = ? AND source_id > ? ORDER BY source_id LIMIT ?'
  const ids = connection.sql<SourceId>(next).pluck().all(category, after, SOURCES)
  const tally = readMany(connection, 'SELECT value FROM json_each(?)', JSON.stringify(ids), hour, hour + 1)
  return { tally, last: ids[SOURCES - 1] ?? null }
}

function keep({ sql }: Connection, category: string, hour: number, tally: QualityTally): void {
  const text = JSON.stringify(tally)
  sql('INSERT OR REPLACE INTO quality_folder (folder, hour, tally) VALUES (?, ?, ?)').run(category, hour, text)
}
