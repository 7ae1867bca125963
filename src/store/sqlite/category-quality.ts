import { addCounts, HOUR_MS, type InstantMs, NO_COUNTS, type QualityTally } from '../../model/index.ts'
import type { Connection } from './connection.ts'
import { joinDelays, readMany } from './quality.ts'

/** How the store runs what it is asked for. */
interface Access {
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
  { connection, read, write }: Access,
  category: string,
  since: InstantMs,
  until: InstantMs,
): Promise<QualityTally> {
  const from = Math.max(0, Math.ceil(since / HOUR_MS))
  const to = Math.ceil(until / HOUR_MS)
  const { first, last } = await read(() => hoursWithin(connection, from, to))
  let sum: QualityTally = { ...NO_COUNTS, delays: [] }
  for (let hour = first; hour <= last; hour++) {
    const kept = await read(() => keptSum(connection, category, hour))
    const isOver = hour < last
    const ofHour = () => sumOf(connection, category, hour)
    sum = joined(sum, kept ?? (await (isOver ? write(() => keep(connection, category, hour, ofHour())) : read(ofHour))))
    if (kept === null) await new Promise((resolve) => setImmediate(resolve))
  }
  return sum
}

/** Some category has other sources now. */
export function forgetCategorySums({ sql }: Connection): void {
  sql('DELETE FROM quality_folder').run()
}

function hoursWithin({ sql }: Connection, from: number, to: number): { readonly first: number; readonly last: number } {
  const row = sql('SELECT min(hour) FROM quality_hour WHERE hour >= ?').pluck().get(from) as number | null
  const last = sql('SELECT max(hour) FROM quality_hour WHERE hour < ?').pluck().get(to) as number | null
  return row === null || last === null ? { first: 0, last: -1 } : { first: row, last }
}

function keptSum({ sql }: Connection, category: string, hour: number): QualityTally | null {
  const text = sql('SELECT tally FROM quality_folder WHERE folder = ? AND hour = ?').pluck().get(category, hour)
  return text === undefined ? null : (JSON.parse(text as string) as QualityTally)
}

function sumOf(connection: Connection, category: string, hour: number): QualityTally {
  return readMany(connection, 'SELECT source_id FROM source_folder WHERE folder = ?', category, hour, hour + 1)
}

function keep({ sql }: Connection, category: string, hour: number, tally: QualityTally): QualityTally {
  // Nothing was written in it: that is quickly seen again.
  if (tally.requests === 0) return tally
  const text = JSON.stringify(tally)
  sql('INSERT OR REPLACE INTO quality_folder (folder, hour, tally) VALUES (?, ?, ?)').run(category, hour, text)
  return tally
}

function joined(a: QualityTally, b: QualityTally): QualityTally {
  return { ...addCounts(a, b), delays: joinDelays(a.delays, b.delays) }
}
