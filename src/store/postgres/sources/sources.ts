import type { InstantMs, Source, SourceId, SourceSettings, UserId } from '../../../model/index.ts'
import { HeadwaterError } from '../../../runtime/errors.ts'
import type { Vault } from '../../../runtime/vault.ts'
import { withLogInApart, withoutLogIn } from '../../address-log-in.ts'
import { NEW_SOURCE_STATE } from '../../defaults.ts'
import { packRequest, repackLockedRequest, SETTINGS_COLUMNS, withoutMove } from '../../rows/sources.ts'
import { foldersOf, normalCategories } from '../../rules/categories.ts'
import { isReadOtherwise } from '../../rules/listings.ts'
import { matchesFilter } from '../../rules/source-filter.ts'
import type { SourceFilter } from '../../store.ts'
import { nextRevision } from '../database/counters.ts'
import { SELECT_SOURCE, type SourceTableRow, storedSettings, wholeSourceOf } from '../database/source-rows.ts'
import type { Sql } from '../database/sql.ts'

export async function findSource(sql: Sql, vault: Vault, id: SourceId): Promise<Source | null> {
  const row = await sql.first<SourceTableRow>(`${SELECT_SOURCE} WHERE s.id = $1`, [id])
  return row === null ? null : wholeSourceOf(row, vault)
}

export async function findSources(sql: Sql, vault: Vault, ids: readonly SourceId[]): Promise<Map<SourceId, Source>> {
  const rows = await sql.rows<SourceTableRow>(`${SELECT_SOURCE} WHERE s.id = ANY ($1::bigint[])`, [ids])
  return new Map(rows.map((row) => [row.id, wholeSourceOf(row, vault)]))
}

export async function findSourceByUrl(sql: Sql, vault: Vault, given: string): Promise<Source | null> {
  const row = await sql.first<SourceTableRow>(
    `${SELECT_SOURCE} WHERE s.id = coalesce(
       (SELECT id FROM source WHERE url = $1), (SELECT source_id FROM former_url WHERE url = $1))`,
    [withoutLogIn(given)],
  )
  return row === null ? null : wholeSourceOf(row, vault)
}

/** Rows read at once where words are compared here, so that case is folded as everywhere. */
const ROWS_AT_ONCE = 1_000

export async function listSources(sql: Sql, vault: Vault, filter: SourceFilter): Promise<Source[]> {
  const limit = filter.limit ?? Number.POSITIVE_INFINITY
  const found: Source[] = []
  for (let afterId = filter.afterId ?? 0; found.length < limit; ) {
    const rows = await someSources(sql, filter, afterId)
    for (const row of rows) {
      if (found.length < limit && matchesFilter(filter, row)) found.push(wholeSourceOf(row, vault))
    }
    const last = rows[ROWS_AT_ONCE - 1]
    if (last === undefined) break
    afterId = last.id
  }
  return found
}

function someSources(sql: Sql, filter: SourceFilter, afterId: SourceId): Promise<SourceTableRow[]> {
  const values: unknown[] = [afterId]
  const clauses = ['s.id > $1']
  const add = (clause: (place: string) => string, value: unknown) => {
    if (value === undefined) return
    values.push(value)
    clauses.push(clause(`$${values.length}`))
  }
  add((place) => `s.id IN (SELECT source_id FROM source_folder WHERE folder = ${place})`, filter.category)
  add((place) => `t.status = ${place}`, filter.status)
  add((place) => `s.name = ANY (${place}::text[])`, filter.names)
  const most = filter.text === undefined ? Math.min(ROWS_AT_ONCE, filter.limit ?? ROWS_AT_ONCE) : ROWS_AT_ONCE
  return sql.rows<SourceTableRow>(`${SELECT_SOURCE} WHERE ${clauses.join(' AND ')} ORDER BY s.id LIMIT ${most}`, values)
}

/** Within a transaction that holds the lock "settings", as all that follow. */
export async function addSource(
  sql: Sql,
  vault: Vault,
  given: SourceSettings,
  now: InstantMs,
  by: UserId | null,
): Promise<{ source: Source; added: boolean }> {
  const settings = withLogInApart(given)
  const known = await findSourceByUrl(sql, vault, settings.url)
  if (known !== null) return { source: known, added: false }
  const normal = { ...settings, categories: normalCategories(settings.categories) }
  const row = await sql.first<{ id: SourceId }>(
    `INSERT INTO source (${SETTINGS_COLUMNS}, added_at, revision)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id`,
    [...storedSettings(normal, packRequest(normal, vault)), now, await nextRevision(sql)],
  )
  if (row === null) throw new Error('a source that was added has no number')
  const { status, failureCount, datesCredible } = NEW_SOURCE_STATE
  await sql.run('INSERT INTO source_state (source_id, status, failure_count, dates_credible) VALUES ($1, $2, $3, $4)', [
    row.id,
    status,
    failureCount,
    datesCredible,
  ])
  await writeFolders(sql, row.id, normal.categories)
  if (by !== null) await sql.run('INSERT INTO source_adder (source_id, user_id) VALUES ($1, $2)', [row.id, by])
  const source = await findSource(sql, vault, row.id)
  if (source === null) throw new Error(`source ${row.id} was written and is not there`)
  return { source, added: true }
}

export async function changeSource(
  sql: Sql,
  vault: Vault,
  id: SourceId,
  given: Partial<SourceSettings>,
): Promise<Source | null> {
  const before = await findSource(sql, vault, id)
  if (before === null) return null
  const patch = withLogInApart(given)
  const after: Source = { ...before, ...patch }
  const categories = normalCategories(after.categories)
  const taken = await sql.first('SELECT 1 FROM source WHERE url = $1 AND id <> $2', [after.url, id])
  if (taken !== null) throw new HeadwaterError('SOURCE_EXISTS', after.url)
  const request = await requestAfter(sql, vault, before, patch)
  await sql.run(
    `UPDATE source SET (${SETTINGS_COLUMNS}, revision) = ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     WHERE id = $13`,
    [...storedSettings({ ...after, categories }, request), await nextRevision(sql), id],
  )
  await writeFolders(sql, id, categories)
  if (after.url !== before.url) {
    // Who has an address now is meant by it, not who had it before.
    await sql.run('DELETE FROM former_url WHERE url = $1', [after.url])
    await forgetDocument(sql, id)
  } else if (isReadOtherwise(before, after)) {
    await forgetDocument(sql, id)
    await sql.run('DELETE FROM source_window WHERE source_id = $1', [id])
  }
  return findSource(sql, vault, id)
}

/** As stateAtNewUrl (defaults.ts), beside refreshes that may write the rest of the state. */
async function forgetDocument(sql: Sql, id: SourceId): Promise<void> {
  const row = await sql.first<{ rest: string | null }>(
    'SELECT rest FROM source_state WHERE source_id = $1 FOR UPDATE',
    [id],
  )
  await sql.run(
    'UPDATE source_state SET etag = NULL, last_modified = NULL, body_hash = NULL, rest = $2 WHERE source_id = $1',
    [id, withoutMove(row?.rest ?? null)],
  )
}

/** Credentials that cannot be opened stay as they are until somebody gives others. */
async function requestAfter(
  sql: Sql,
  vault: Vault,
  before: Source,
  patch: Partial<SourceSettings>,
): Promise<string | null> {
  const after = { ...before, ...patch }
  const isGivenAnew = 'headers' in patch || 'basicAuth' in patch || 'proxyUrl' in patch
  if (!before.isLocked || isGivenAnew) return packRequest(after, vault)
  const row = await sql.first<{ request: string | null }>('SELECT request FROM source WHERE id = $1', [before.id])
  return row === null || row.request === null ? null : repackLockedRequest(row.request, after)
}

async function writeFolders(sql: Sql, id: SourceId, categories: readonly string[]): Promise<void> {
  const folders = foldersOf(categories)
  await sql.run('DELETE FROM source_folder WHERE source_id = $1 AND folder <> ALL ($2::text[])', [id, folders])
  await sql.run(
    'INSERT INTO source_folder (folder, source_id) SELECT folder, $1 FROM unnest($2::text[]) AS folder ON CONFLICT DO NOTHING',
    [id, folders],
  )
}

export function listCategories(sql: Sql): Promise<{ category: string; sources: number }[]> {
  return sql.rows('SELECT folder AS category, count(*) AS sources FROM source_folder GROUP BY folder ORDER BY folder')
}
