import type { InstantMs, SourceId } from '../../../model/index.ts'
import { type Asker, askerOf, numberOfAsker } from '../../askers.ts'
import { type EntryRow, entryOf, MODEL_COLUMNS, type ModelRow, modelOf, SCHEDULE_ENTRIES } from '../../rows/schedule.ts'
import type { PastDecision, RefreshRequest, SavedModel, StoredModel } from '../../scheduling.ts'
import { isInPart, type SourcePart, shardOf } from '../../shards.ts'
import type { ScheduleChanges } from '../../store.ts'
import { currentPart } from '../cluster/current-part.ts'
import { nextRevision, readCounter } from '../database/counters.ts'
import type { Access, Sql } from '../database/sql.ts'

const CHANGED = `${SCHEDULE_ENTRIES} WHERE s.revision > $1 ORDER BY s.id`
const CHOSEN = `${SCHEDULE_ENTRIES} WHERE s.id = ANY ($1::bigint[]) ORDER BY s.id`

/** Addresses of all sources are read for a part of them, so many at once: their shard is known here alone. */
const SITES_AT_ONCE = 20_000

/** In a snapshot: revision and rows must be of the same moment. */
export async function readScheduleChanges(sql: Sql, since: number, part?: SourcePart): Promise<ScheduleChanges> {
  const revision = await readCounter(sql, 'revision')
  if (revision === since) return { revision, changed: [], removed: [] }
  const sites = part === undefined ? null : await sitesSince(sql, since, part)
  const rows =
    sites === null ? await sql.rows<EntryRow>(CHANGED, [since]) : await sql.rows<EntryRow>(CHOSEN, [sites.inside])
  const removed =
    since === 0
      ? []
      : await sql.rows<{ source_id: SourceId }>(
          'SELECT source_id FROM removed_source WHERE revision > $1 ORDER BY source_id',
          [since],
        )
  const outside = since === 0 ? [] : (sites?.outside ?? [])
  return {
    revision,
    changed: rows.map(entryOf),
    removed: [...removed.map(({ source_id }) => source_id), ...outside].sort((a, b) => a - b),
  }
}

async function sitesSince(
  sql: Sql,
  since: number,
  part: SourcePart,
): Promise<{ readonly inside: readonly SourceId[]; readonly outside: readonly SourceId[] }> {
  const inside: SourceId[] = []
  const outside: SourceId[] = []
  for (let page = await sitesAfter(sql, since, 0); ; page = await sitesAfter(sql, since, page.at(-1)?.id ?? 0)) {
    for (const { id, url } of page) (isInPart(url, part) ? inside : outside).push(id)
    if (page.length < SITES_AT_ONCE) return { inside, outside }
  }
}

function sitesAfter(sql: Sql, since: number, afterId: SourceId): Promise<Site[]> {
  const text = 'SELECT id, url FROM source WHERE revision > $1 AND id > $2 ORDER BY id LIMIT $3'
  return sql.rows<Site>(text, [since, afterId, SITES_AT_ONCE])
}

/** A model that another process rebuilt is announced like a changed setting, and needs the lock "settings". */
export async function writeModels(sql: Sql, given: readonly SavedModel[], part?: SourcePart): Promise<void> {
  const models = part === undefined ? given : await ofPart(sql, given, part)
  const column = (of: (model: SavedModel) => unknown) => models.map(of)
  await sql.run(
    `INSERT INTO model AS m (source_id, form, window_size, cost, learnt_at, relearnt_at, state)
     SELECT u.* FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::double precision[], $5::bigint[], $6::bigint[],
         $7::bytea[]) AS u (source_id, form, window_size, cost, learnt_at, relearnt_at, state)
       JOIN source s ON s.id = u.source_id ORDER BY u.source_id
     ON CONFLICT (source_id) DO UPDATE SET form = excluded.form, window_size = excluded.window_size,
       cost = excluded.cost, learnt_at = excluded.learnt_at, relearnt_at = coalesce(excluded.relearnt_at, m.relearnt_at),
       state = excluded.state`,
    [
      column(({ sourceId }) => sourceId),
      column(({ form }) => form),
      column(({ windowSize }) => windowSize),
      column(({ cost }) => cost),
      column(({ learntAt }) => learntAt),
      column(({ relearntAt }) => relearntAt),
      column(({ state }) => Buffer.from(state)),
    ],
  )
  for (const { sourceId, relearntAt } of models) {
    if (relearntAt === null) continue
    await sql.run('UPDATE source SET revision = $1 WHERE id = $2', [await nextRevision(sql), sourceId])
  }
}

async function ofPart<One extends { readonly sourceId: SourceId }>(
  sql: Sql,
  given: readonly One[],
  part: SourcePart,
): Promise<One[]> {
  const rows = await sql.rows<{ id: SourceId; url: string }>(
    'SELECT id, url FROM source WHERE id = ANY ($1::bigint[])',
    [given.map(({ sourceId }) => sourceId)],
  )
  const inside = new Set(rows.filter(({ url }) => isInPart(url, part)).map(({ id }) => id))
  return given.filter(({ sourceId }) => inside.has(sourceId))
}

export async function readModels(sql: Sql, sourceIds: readonly SourceId[]): Promise<Map<SourceId, StoredModel>> {
  const rows = await sql.rows<ModelRow & { source_id: SourceId }>(
    `SELECT m.source_id, ${MODEL_COLUMNS} FROM model m WHERE m.source_id = ANY ($1::bigint[])`,
    [sourceIds],
  )
  return new Map(
    rows.flatMap((row) => {
      const model = modelOf(row)
      return model === null ? [] : [[row.source_id, model] as const]
    }),
  )
}

export function readDecisions(sql: Sql, sourceId: SourceId, limit: number): Promise<PastDecision[]> {
  return sql.rows(
    `SELECT at, cause, price, expected, new_items AS "newItems" FROM observation
     WHERE source_id = $1 AND cause IS NOT NULL ORDER BY at DESC LIMIT $2`,
    [sourceId, Math.max(0, limit)],
  )
}

/** Of several by one the last counts: a refresh that begins before it does not serve it. A source that is gone is not requested. */
export async function writeRefreshRequests(
  sql: Sql,
  ids: readonly SourceId[],
  now: InstantMs,
  by: Asker = null,
): Promise<void> {
  await sql.run(
    `INSERT INTO refresh_request AS r (source_id, user_id, at)
     SELECT id, $2, $3 FROM source WHERE id = ANY ($1::bigint[]) ORDER BY id
     ON CONFLICT (source_id, user_id) DO UPDATE SET at = greatest(r.at, excluded.at)`,
    [ids, numberOfAsker(by), now],
  )
}

/** Each is taken by one process alone: who comes second waits for the first, and finds them gone. */
export async function takeRefreshRequests(access: Access, part?: SourcePart): Promise<RefreshRequest[]> {
  if (part === undefined) return deleteRequests(access, null)
  const sites = (await access.rows<Site>(SITES)).filter(({ url }) => isInPart(url, part))
  // Nearly always: nobody has asked, and no lease need be looked at.
  if (sites.length === 0) return []
  const narrowed = { ...part, shards: new Set(sites.map(({ url }) => shardOf(url, part.of))) }
  return access.transaction([], async (sql) => {
    const current = await currentPart(sql, narrowed)
    return deleteRequests(
      sql,
      sites.filter(({ url }) => isInPart(url, current)).map(({ id }) => id),
    )
  })
}

/** null: all. */
async function deleteRequests(sql: Sql, ids: readonly SourceId[] | null): Promise<RefreshRequest[]> {
  const rows = await sql.rows<{ source_id: SourceId; user_id: number; at: InstantMs }>(
    `WITH taken AS (
       DELETE FROM refresh_request WHERE $1::bigint[] IS NULL OR source_id = ANY ($1) RETURNING source_id, user_id, at
     ) SELECT source_id, user_id, at FROM taken ORDER BY at, source_id, user_id`,
    [ids],
  )
  return rows.map(({ source_id, user_id, at }) => ({ sourceId: source_id, by: askerOf(user_id), at }))
}

interface Site {
  readonly id: SourceId
  readonly url: string
}

const SITES = 'SELECT DISTINCT s.id, s.url FROM refresh_request r JOIN source s ON s.id = r.source_id'
