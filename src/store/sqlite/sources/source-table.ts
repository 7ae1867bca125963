import type { InstantMs, Source, SourceId, SourceSettings, UserId } from '../../../model/index.ts'
import { withLogInApart, withoutLogIn } from '../../address-log-in.ts'
import { NEW_SOURCE_STATE, stateAtNewUrl } from '../../defaults.ts'
import { packRequest, repackLockedRequest, SETTINGS_COLUMNS } from '../../rows/sources.ts'
import { addressToMoveTo, refuseTaken } from '../../rules/addresses.ts'
import { foldersOf, normalCategories } from '../../rules/categories.ts'
import { isReadOtherwise } from '../../rules/listings.ts'
import { matchesFilter } from '../../rules/source-filter.ts'
import type { SourceFilter } from '../../store.ts'
import type { Connection } from '../database/connection.ts'
import { addToCounter, addToSourceItems, nextRevision } from '../database/counters.ts'
import {
  listedSourceOf,
  SELECT_SOURCE,
  type SourceTableRow,
  stateValues,
  storedSettings,
  WRITE_STATE,
  wholeSourceOf,
} from '../database/source-rows.ts'
import { forgetCategorySums } from '../quality/category-quality.ts'

// A constant: a text put together at each call would be hashed at each call.
const SELECT_SOURCE_BY_ID = `${SELECT_SOURCE} WHERE s.id = ?`

export function findSource(connection: Connection, id: SourceId): Source | null {
  const row = connection.sql(SELECT_SOURCE_BY_ID).get(id) as SourceTableRow | undefined
  return row === undefined ? null : wholeSourceOf(row, connection.vault)
}

export function findSources(connection: Connection, ids: readonly SourceId[]): Map<SourceId, Source> {
  const select = connection.sql(SELECT_SOURCE_BY_ID)
  const found = new Map<SourceId, Source>()
  for (const id of ids) {
    const row = select.get(id) as SourceTableRow | undefined
    if (row !== undefined) found.set(id, listedSourceOf(row, connection.vault))
  }
  return found
}

export function findSourceByUrl(connection: Connection, soughtUrl: string): Source | null {
  const url = withoutLogIn(soughtUrl)
  const known =
    ownerOf(connection, url) ?? connection.sql('SELECT source_id FROM former_url WHERE url = ?').pluck().get(url)
  return known === undefined ? null : findSource(connection, known as SourceId)
}

export function listSources(connection: Connection, filter: SourceFilter): Source[] {
  const clauses = ['s.id > ?']
  const values: unknown[] = [filter.afterId ?? 0]
  if (filter.category !== undefined) {
    clauses.push('s.id IN (SELECT source_id FROM source_folder WHERE folder = ?)')
    values.push(filter.category)
  }
  if (filter.status !== undefined) {
    clauses.push('t.status = ?')
    values.push(filter.status)
  }
  if (filter.names !== undefined) {
    clauses.push('s.name IN (SELECT value FROM json_each(?))')
    values.push(JSON.stringify(filter.names))
  }
  const limit = filter.limit ?? Number.POSITIVE_INFINITY
  const found: Source[] = []
  if (limit <= 0) return found
  const statement = connection.sql(`${SELECT_SOURCE} WHERE ${clauses.join(' AND ')} ORDER BY s.id`)
  for (const row of statement.iterate(...values) as IterableIterator<SourceTableRow>) {
    if (!matchesFilter(filter, row)) continue
    found.push(listedSourceOf(row, connection.vault))
    if (found.length >= limit) break
  }
  return found
}

export function addSource(
  connection: Connection,
  newSettings: SourceSettings,
  now: InstantMs,
  by: UserId | null,
): { source: Source; added: boolean } {
  const settings = withLogInApart(newSettings)
  const known = findSourceByUrl(connection, settings.url)
  if (known !== null) return { source: known, added: false }
  const normal = { ...settings, categories: normalCategories(settings.categories) }
  const { lastInsertRowid } = connection
    .sql(`INSERT INTO source (${SETTINGS_COLUMNS}, added_at, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(...storedSettings(normal, packRequest(normal, connection.vault)), now, nextRevision(connection))
  const id = Number(lastInsertRowid)
  connection.sql(WRITE_STATE).run(...stateValues(id, NEW_SOURCE_STATE))
  writeFolders(connection, id, normal.categories)
  if (by !== null) connection.sql('INSERT INTO source_adder (source_id, user_id) VALUES (?, ?)').run(id, by)
  const source = findSource(connection, id)
  if (source === null) throw new Error(`source ${id} was written and is not there`)
  return { source, added: true }
}

export function changeSource(connection: Connection, id: SourceId, changes: Partial<SourceSettings>): Source | null {
  const before = findSource(connection, id)
  if (before === null) return null
  const patch = withLogInApart(changes)
  const after: Source = { ...before, ...patch }
  const categories = normalCategories(after.categories)
  refuseTaken(id, after.url, (url) => ownerOf(connection, url))
  connection
    .sql(`UPDATE source SET (${SETTINGS_COLUMNS}, revision) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`)
    .run(
      ...storedSettings({ ...after, categories }, requestAfter(connection, before, patch)),
      nextRevision(connection),
      id,
    )
  writeFolders(connection, id, categories)
  if (after.url !== before.url) {
    takeAddress(connection, after.url)
    connection.sql(WRITE_STATE).run(...stateValues(id, stateAtNewUrl(before.state)))
  } else if (isReadOtherwise(before, after)) {
    connection.sql(WRITE_STATE).run(...stateValues(id, stateAtNewUrl(before.state)))
    connection.sql('DELETE FROM source_window WHERE source_id = ?').run(id)
  }
  return findSource(connection, id)
}

/** Credentials that cannot be opened stay as they are until somebody gives others. */
function requestAfter(connection: Connection, before: Source, patch: Partial<SourceSettings>): string | null {
  const after = { ...before, ...patch }
  const isGivenAnew = 'headers' in patch || 'basicAuth' in patch || 'proxyUrl' in patch
  if (!before.isLocked || isGivenAnew) return packRequest(after, connection.vault)
  const request = connection.sql('SELECT request FROM source WHERE id = ?').pluck().get(before.id) as string
  return repackLockedRequest(request, after)
}

/** The source that has an address now. */
function ownerOf({ sql }: Connection, url: string): SourceId | undefined {
  return sql('SELECT id FROM source WHERE url = ?').pluck().get(url) as SourceId | undefined
}

/** Moves a source to its new address, if it may. */
export function moveSource(connection: Connection, id: SourceId, movedTo: string): void {
  const present = connection.sql('SELECT url FROM source WHERE id = ?').pluck().get(id) as string | undefined
  if (present === undefined) return
  const url = addressToMoveTo({ url: present }, movedTo, (one) => ownerOf(connection, one))
  if (url === null) return
  connection.sql('UPDATE source SET url = ?, revision = ? WHERE id = ?').run(url, nextRevision(connection), id)
  takeAddress(connection, url)
  connection.sql('INSERT OR REPLACE INTO former_url (url, source_id) VALUES (?, ?)').run(present, id)
}

/** As `formerWithout` of src/store/rules says, for all sources. */
function takeAddress(connection: Connection, url: string): void {
  connection.sql('DELETE FROM former_url WHERE url = ?').run(url)
}

/** Items that go with their source in the end; more are removed before, the oldest first, so many at a time. */
const ITEMS_IN_THE_END = 500
const ITEMS_AT_A_TIME = 200

/**
 * Before a source with many items is dropped: removes some of the oldest; returns how many, 0: few are left. In a
 * transaction. What feeds still hold is among the newest, so that a refresh under way brings nothing back.
 */
export function dropOldItems(connection: Connection, id: SourceId): number {
  const { sql } = connection
  const count = (sql('SELECT items FROM source_items WHERE source_id = ?').pluck().get(id) ?? 0) as number
  const surplus = Math.min(count - ITEMS_IN_THE_END, ITEMS_AT_A_TIME)
  if (surplus <= 0) return 0
  const oldest = sql('SELECT seq FROM item WHERE source_id = ? ORDER BY sort_at, seq LIMIT ?').pluck().all(id, surplus)
  const removed = removeItems(connection, JSON.stringify(oldest))
  addToSourceItems(connection, id, -removed)
  return removed
}

/** With all their rows in other tables. */
function removeItems(connection: Connection, seqs: string): number {
  const { sql } = connection
  const these = '(SELECT value FROM json_each(?))'
  sql(`DELETE FROM publication WHERE item_seq IN ${these}`).run(seqs)
  sql(`DELETE FROM buffer_entry WHERE seq IN ${these}`).run(seqs)
  sql(`DELETE FROM stale_text WHERE seq IN ${these}`).run(seqs)
  sql(`DELETE FROM item_text WHERE rowid IN ${these}`).run(seqs)
  sql(`DELETE FROM item_page WHERE seq IN ${these}`).run(seqs)
  const { changes } = sql(`DELETE FROM item WHERE seq IN ${these}`).run(seqs)
  addToCounter(connection, 'items', -changes)
  return changes
}

export function dropSource(connection: Connection, id: SourceId, now: InstantMs): boolean {
  const { sql } = connection
  if (sql('DELETE FROM source WHERE id = ?').run(id).changes === 0) return false
  sql('INSERT INTO removed_source (revision, source_id, removed_at) VALUES (?, ?, ?)').run(
    nextRevision(connection),
    id,
    now,
  )
  forgetCategorySums(connection)
  for (const table of [
    'source_state',
    'source_window',
    'model',
    'source_folder',
    'refresh_request',
    'push_subscription',
    'source_icon',
    'removed_item',
    'source_adder',
    'source_day',
  ]) {
    sql(`DELETE FROM ${table} WHERE source_id = ?`).run(id)
  }
  for (const table of ['former_url', 'looked_at', 'kept_share', 'source_items', 'trust', 'read_up_to'])
    sql(`DELETE FROM ${table} WHERE source_id = ?`).run(id)
  const items = sql('SELECT seq FROM item WHERE source_id = ?').pluck().all(id)
  removeItems(connection, JSON.stringify(items))
  addToCounter(connection, 'observations', -sql('DELETE FROM observation WHERE source_id = ?').run(id).changes)
  return true
}

export function listCategories(connection: Connection): { category: string; sources: number }[] {
  return connection
    .sql('SELECT folder AS category, count(*) AS sources FROM source_folder GROUP BY folder ORDER BY folder')
    .all() as { category: string; sources: number }[]
}

function writeFolders(connection: Connection, id: SourceId, categories: readonly string[]): void {
  const folders = foldersOf(categories)
  const before = connection.sql('SELECT folder FROM source_folder WHERE source_id = ?').pluck().all(id) as string[]
  if (before.length === folders.length && before.every((folder) => folders.includes(folder))) return
  forgetCategorySums(connection)
  connection.sql('DELETE FROM source_folder WHERE source_id = ?').run(id)
  const insert = connection.sql('INSERT INTO source_folder (folder, source_id) VALUES (?, ?)')
  for (const folder of folders) insert.run(folder, id)
}
