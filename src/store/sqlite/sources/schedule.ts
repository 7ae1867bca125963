import type { InstantMs, SourceId } from '../../../model/index.ts'
import { type Asker, askerOf, numberOfAsker } from '../../askers.ts'
import type { StateName } from '../../node-state.ts'
import { type EntryRow, entryOf, MODEL_COLUMNS, type ModelRow, modelOf, SCHEDULE_ENTRIES } from '../../rows/schedule.ts'
import {
  type FeedRead,
  type Fetch,
  MOST_FETCHERS,
  type PastDecision,
  type RefreshRequest,
  type SavedModel,
  type StoredModel,
} from '../../scheduling.ts'
import { isInPart, type SourcePart } from '../../shards.ts'
import type { ScheduleChanges, ScheduleEntry } from '../../store.ts'
import type { Connection } from '../database/connection.ts'
import { nextRevision, readCounter } from '../database/counters.ts'

/** Within a read transaction: revision and rows must be of the same moment, also when another process writes. */
export function readScheduleChanges(connection: Connection, since: number, part?: SourcePart): ScheduleChanges {
  const revision = readCounter(connection, 'revision')
  if (revision === since) return { revision, changed: [], removed: [] }
  const rows =
    since === 0
      ? connection.sql<EntryRow>(`${SCHEDULE_ENTRIES} ORDER BY s.id`).iterate()
      : connection.sql<EntryRow>(`${SCHEDULE_ENTRIES} WHERE s.revision > ? ORDER BY s.id`).iterate(since)
  const changed: ScheduleEntry[] = []
  const outside: SourceId[] = []
  for (const row of rows) {
    if (isInPart(row.url, part)) changed.push(entryOf(row))
    else if (since > 0) outside.push(row.id)
  }
  const gone = since === 0 ? [] : removedSince(connection, since)
  return { revision, changed, removed: [...gone, ...outside].sort((a, b) => a - b) }
}

function removedSince({ sql }: Connection, since: number): SourceId[] {
  return sql<SourceId>('SELECT source_id FROM removed_source WHERE revision > ?').pluck().all(since)
}

/** A model that another process rebuilt is announced like a changed setting. */
export function writeModels(connection: Connection, given: readonly SavedModel[], part?: SourcePart): void {
  const models =
    part === undefined ? given : given.filter(({ sourceId }) => isInPart(urlOf(connection, sourceId), part))
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

/** Of one that is gone: ''. */
function urlOf({ sql }: Connection, id: SourceId): string {
  return sql<string>('SELECT url FROM source WHERE id = ?').pluck().get(id) ?? ''
}

export function readModels({ sql }: Connection, sourceIds: readonly SourceId[]): Map<SourceId, StoredModel> {
  const select = sql(`SELECT ${MODEL_COLUMNS} FROM model m WHERE m.source_id = ?`)
  const models = new Map<SourceId, StoredModel>()
  for (const id of sourceIds) {
    const row = select.get(id) as ModelRow | undefined
    const model = row === undefined ? null : modelOf(row)
    if (model !== null) models.set(id, model)
  }
  return models
}

export function readState({ sql }: Connection, name: StateName): string | null {
  return sql<string>('SELECT value FROM node_state WHERE key = ?').pluck().get(name) ?? null
}

export function writeState({ sql }: Connection, name: StateName, text: string): void {
  sql('INSERT OR REPLACE INTO node_state (key, value) VALUES (?, ?)').run(name, text)
}

export function readDecisions(connection: Connection, sourceId: SourceId, limit: number): PastDecision[] {
  return connection
    .sql<PastDecision>(`SELECT at, cause, price, expected, new_items AS newItems FROM observation
      WHERE source_id = ? AND cause IS NOT NULL ORDER BY at DESC LIMIT ?`)
    .all(sourceId, Math.max(0, limit))
}

export function writeFeedReads(connection: Connection, reads: readonly FeedRead[]): void {
  const insert = connection.sql(
    'INSERT INTO feed_read (feed, at) VALUES (?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)',
  )
  for (const { feed, at } of reads) insert.run(feed, at)
}

export function readFeedReads(connection: Connection): FeedRead[] {
  return connection.sql<FeedRead>('SELECT feed, at FROM feed_read ORDER BY feed').all()
}

export function writeFetches(connection: Connection, fetches: readonly Fetch[], forgetBefore: InstantMs): void {
  connection.sql('DELETE FROM feed_fetch WHERE at < ?').run(forgetBefore)
  const insert = connection.sql(
    `INSERT INTO feed_fetch (feed, reader, at, subscribers) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET subscribers = iif(excluded.at >= at, excluded.subscribers, subscribers),
        at = max(at, excluded.at)`,
  )
  for (const { feed, reader, at, subscribers } of fetches) insert.run(feed, reader, at, subscribers)
  const count = connection.sql<number>('SELECT count(*) FROM feed_fetch WHERE feed = ?').pluck()
  const forget = connection.sql(
    `DELETE FROM feed_fetch WHERE feed = ? AND reader IN
      (SELECT reader FROM feed_fetch WHERE feed = ? ORDER BY at DESC, reader LIMIT -1 OFFSET ?)`,
  )
  for (const feed of new Set(fetches.map((one) => one.feed))) {
    if ((count.get(feed) ?? 0) > MOST_FETCHERS) forget.run(feed, feed, MOST_FETCHERS)
  }
}

export function readFetches(connection: Connection): Fetch[] {
  return connection.sql<Fetch>('SELECT feed, reader, at, subscribers FROM feed_fetch ORDER BY feed, reader').all()
}

/** Of several by one the last counts: a refresh that begins before it does not serve it. A source that is gone is not requested. */
export function writeRefreshRequests(
  connection: Connection,
  ids: readonly SourceId[],
  now: InstantMs,
  by: Asker = null,
): void {
  const insert = connection.sql(
    `INSERT INTO refresh_request (source_id, user_id, at) SELECT id, ?, ? FROM source WHERE id = ?
     ON CONFLICT (source_id, user_id) DO UPDATE SET at = max(at, excluded.at)`,
  )
  for (const id of ids) insert.run(numberOfAsker(by), now, id)
}

export function hasRefreshRequests(connection: Connection): boolean {
  return connection.sql('SELECT 1 FROM refresh_request LIMIT 1').get() !== undefined
}

export function takeRefreshRequests(connection: Connection, part?: SourcePart): RefreshRequest[] {
  const rows = connection
    .sql<{ sourceId: SourceId; userId: number; at: InstantMs }>(
      'SELECT source_id AS sourceId, user_id AS userId, at FROM refresh_request ORDER BY at, source_id, user_id',
    )
    .all()
  const taken = part === undefined ? rows : rows.filter(({ sourceId }) => isInPart(urlOf(connection, sourceId), part))
  // Everything at once where everything is taken: somebody may have requested a million.
  if (taken.length === rows.length) connection.sql('DELETE FROM refresh_request').run()
  else {
    const remove = connection.sql('DELETE FROM refresh_request WHERE source_id = ? AND user_id = ?')
    for (const { sourceId, userId } of taken) remove.run(sourceId, userId)
  }
  return taken.map(({ sourceId, userId, at }) => ({ sourceId, by: askerOf(userId), at }))
}
