import type { InstantMs, SourceId, SourceState } from '../../model/index.ts'
import type { ScheduleChanges, ScheduleEntry } from '../store.ts'
import type { Connection } from './connection.ts'
import { readCounter } from './counters.ts'

interface EntryRow {
  readonly id: number
  readonly url: string
  readonly weight: number
  readonly interval_ms: number | null
  readonly paused: number
  readonly status: SourceState['status']
  readonly failure_count: number
  readonly added_at: number
  readonly last_check_at: number | null
  readonly next_check_at: number | null
}

const ENTRIES = `
  SELECT s.id, s.url, s.weight, s.interval_ms, s.paused, t.status, t.failure_count, s.added_at,
    t.last_check_at, t.next_check_at
  FROM source s JOIN source_state t ON t.source_id = s.id`

/** Within a read transaction: revision and rows must be of the same moment, also when another process writes. */
export function readScheduleChanges(connection: Connection, since: number): ScheduleChanges {
  const revision = readCounter(connection, 'revision')
  if (revision === since) return { revision, changed: [], removed: [] }
  const rows =
    since === 0
      ? connection.sql(`${ENTRIES} ORDER BY s.id`).iterate()
      : connection.sql(`${ENTRIES} WHERE s.revision > ? ORDER BY s.id`).iterate(since)
  const changed: ScheduleEntry[] = []
  for (const row of rows as IterableIterator<EntryRow>) changed.push(entryOf(row))
  const removed =
    since === 0
      ? []
      : connection.sql('SELECT source_id FROM removed_source WHERE revision > ? ORDER BY source_id').pluck().all(since)
  return { revision, changed, removed: removed as SourceId[] }
}

function entryOf(row: EntryRow): ScheduleEntry {
  return {
    id: row.id,
    url: row.url,
    weight: row.weight,
    intervalMs: row.interval_ms,
    paused: row.paused === 1,
    status: row.status,
    failureCount: row.failure_count,
    addedAt: row.added_at,
    lastCheckAt: row.last_check_at,
    nextCheckAt: row.next_check_at,
  }
}

/** Asking twice keeps the first moment; a source that is gone is not asked for. */
export function writeRefreshRequests(connection: Connection, ids: readonly SourceId[], now: InstantMs): void {
  const insert = connection.sql(
    'INSERT OR IGNORE INTO refresh_request (source_id, at) SELECT id, ? FROM source WHERE id = ?',
  )
  for (const id of ids) insert.run(now, id)
}

export function hasRefreshRequests(connection: Connection): boolean {
  return connection.sql('SELECT 1 FROM refresh_request LIMIT 1').get() !== undefined
}

export function takeRefreshRequests(connection: Connection): SourceId[] {
  const ids = connection.sql('SELECT source_id FROM refresh_request ORDER BY at, source_id').pluck().all()
  connection.sql('DELETE FROM refresh_request').run()
  return ids as SourceId[]
}
