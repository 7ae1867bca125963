import type { InstantMs, SourceId, SourceState, UserId } from '../../../model/index.ts'
import {
  type FeedRead,
  type Fetch,
  MOST_FETCHERS,
  type PastDecision,
  type RefreshRequest,
  type SavedModel,
  type StoredModel,
} from '../../scheduling.ts'
import type { ScheduleChanges, ScheduleEntry } from '../../store.ts'
import type { Connection } from '../database/connection.ts'
import { nextRevision, readCounter } from '../database/counters.ts'

/** Who asks where nobody says so: whoever runs the node. */
const NODE = 0

interface EntryRow {
  readonly id: number
  readonly url: string
  readonly weight: number
  readonly interval_ms: number | null
  readonly min_interval_ms: number | null
  readonly max_interval_ms: number | null
  readonly paused: number
  readonly status: SourceState['status']
  readonly failure_count: number
  readonly added_at: number
  readonly last_check_at: number | null
  readonly last_success_at: number | null
  readonly next_check_at: number | null
  readonly form: string | null
  readonly window_size: number
  readonly cost: number
  readonly learnt_at: number
  readonly relearnt_at: number | null
  readonly model: Uint8Array
}

/** All that a restart reads; `headwater bench schedule` times it alone. */
export const SCHEDULE_ENTRIES = `
  SELECT s.id, s.url, s.weight, s.interval_ms, s.min_interval_ms, s.max_interval_ms, s.paused, t.status, t.failure_count,
    s.added_at, t.last_check_at, t.last_success_at, t.next_check_at,
    m.form, m.window_size, m.cost, m.learnt_at, m.relearnt_at, m.state AS model
  FROM source s JOIN source_state t ON t.source_id = s.id LEFT JOIN model m ON m.source_id = s.id`

/** Within a read transaction: revision and rows must be of the same moment, also when another process writes. */
export function readScheduleChanges(connection: Connection, since: number): ScheduleChanges {
  const revision = readCounter(connection, 'revision')
  if (revision === since) return { revision, changed: [], removed: [] }
  const rows =
    since === 0
      ? connection.sql(`${SCHEDULE_ENTRIES} ORDER BY s.id`).iterate()
      : connection.sql(`${SCHEDULE_ENTRIES} WHERE s.revision > ? ORDER BY s.id`).iterate(since)
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
    minIntervalMs: row.min_interval_ms,
    maxIntervalMs: row.max_interval_ms,
    paused: row.paused === 1,
    status: row.status,
    failureCount: row.failure_count,
    addedAt: row.added_at,
    lastCheckAt: row.last_check_at,
    lastSuccessAt: row.last_success_at,
    nextCheckAt: row.next_check_at,
    model: row.form === null ? null : modelOf({ ...row, form: row.form }),
  }
}

interface ModelRow {
  readonly form: string
  readonly window_size: number
  readonly cost: number
  readonly learnt_at: number
  readonly relearnt_at: number | null
  readonly model: Uint8Array
}

function modelOf(row: ModelRow): StoredModel {
  return {
    form: row.form,
    windowSize: row.window_size,
    cost: row.cost,
    learntAt: row.learnt_at,
    relearntAt: row.relearnt_at,
    state: row.model,
  }
}

/** A model that another process rebuilt is announced like a changed setting. */
export function writeModels(connection: Connection, models: readonly SavedModel[]): void {
  const insert = connection.sql(`
    INSERT INTO model (source_id, form, window_size, cost, learnt_at, relearnt_at, state)
    SELECT id, ?, ?, ?, ?, ?, ? FROM source WHERE id = ?
    ON CONFLICT DO UPDATE SET form = excluded.form, window_size = excluded.window_size, cost = excluded.cost,
      learnt_at = excluded.learnt_at, relearnt_at = coalesce(excluded.relearnt_at, relearnt_at), state = excluded.state`)
  for (const { sourceId, form, windowSize, cost, learntAt, relearntAt, state } of models) {
    insert.run(form, windowSize, cost, learntAt, relearntAt, state, sourceId)
    if (relearntAt === null) continue
    connection.sql('UPDATE source SET revision = ? WHERE id = ?').run(nextRevision(connection), sourceId)
  }
}

export function readModel(connection: Connection, sourceId: SourceId): StoredModel | null {
  const row = connection
    .sql('SELECT form, window_size, cost, learnt_at, relearnt_at, state AS model FROM model WHERE source_id = ?')
    .get(sourceId) as ModelRow | undefined
  return row === undefined ? null : modelOf(row)
}

export function readDecisions(connection: Connection, sourceId: SourceId, limit: number): PastDecision[] {
  return connection
    .sql(`SELECT at, cause, price, expected, new_items AS newItems FROM observation
      WHERE source_id = ? AND cause IS NOT NULL ORDER BY at DESC LIMIT ?`)
    .all(sourceId, Math.max(0, limit)) as PastDecision[]
}

export function writeFeedReads(connection: Connection, reads: readonly FeedRead[]): void {
  const insert = connection.sql(
    'INSERT INTO feed_read (feed, at) VALUES (?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)',
  )
  for (const { feed, at } of reads) insert.run(feed, at)
}

export function readFeedReads(connection: Connection): FeedRead[] {
  return connection.sql('SELECT feed, at FROM feed_read ORDER BY feed').all() as FeedRead[]
}

export function writeFetches(connection: Connection, fetches: readonly Fetch[], forgetBefore: InstantMs): void {
  connection.sql('DELETE FROM feed_fetch WHERE at < ?').run(forgetBefore)
  const insert = connection.sql(
    `INSERT INTO feed_fetch (feed, reader, at, subscribers) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET subscribers = iif(excluded.at >= at, excluded.subscribers, subscribers),
        at = max(at, excluded.at)`,
  )
  for (const { feed, reader, at, subscribers } of fetches) insert.run(feed, reader, at, subscribers)
  const count = connection.sql('SELECT count(*) AS count FROM feed_fetch WHERE feed = ?')
  const forget = connection.sql(
    `DELETE FROM feed_fetch WHERE feed = ? AND reader IN
      (SELECT reader FROM feed_fetch WHERE feed = ? ORDER BY at DESC, reader LIMIT -1 OFFSET ?)`,
  )
  for (const feed of new Set(fetches.map((one) => one.feed))) {
    if ((count.get(feed) as { count: number }).count > MOST_FETCHERS) forget.run(feed, feed, MOST_FETCHERS)
  }
}

export function readFetches(connection: Connection): Fetch[] {
  return connection.sql('SELECT feed, reader, at, subscribers FROM feed_fetch ORDER BY feed, reader').all() as Fetch[]
}

/** Asking twice keeps the first moment; a source that is gone is not asked for. */
export function writeRefreshRequests(
  connection: Connection,
  ids: readonly SourceId[],
  now: InstantMs,
  by: UserId = NODE,
): void {
  const insert = connection.sql(
    'INSERT OR IGNORE INTO refresh_request (source_id, user_id, at) SELECT id, ?, ? FROM source WHERE id = ?',
  )
  for (const id of ids) insert.run(by, now, id)
}

export function hasRefreshRequests(connection: Connection): boolean {
  return connection.sql('SELECT 1 FROM refresh_request LIMIT 1').get() !== undefined
}

export function takeRefreshRequests(connection: Connection): RefreshRequest[] {
  const rows = connection
    .sql('SELECT source_id AS sourceId, user_id AS userId FROM refresh_request ORDER BY at, source_id, user_id')
    .all() as { sourceId: SourceId; userId: UserId }[]
  connection.sql('DELETE FROM refresh_request').run()
  return rows.map(({ sourceId, userId }) => ({ sourceId, by: userId === NODE ? null : userId }))
}
