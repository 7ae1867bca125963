import type {
  Decision,
  InstantMs,
  Item,
  ItemKey,
  ItemSeq,
  Observation,
  ParsedItem,
  SourceId,
  WindowEntry,
} from '../../../model/index.ts'
import { type PackedHash, packHash, unpackHash } from '../../rows/hashes.ts'
import { packRest, textValues } from '../../rows/items.ts'
import { packWindow } from '../../rows/windows.ts'
import {
  countedAt,
  hasWindow,
  idAfterEdit,
  isNews,
  isRepeated,
  itemsToAdd,
  type Renaming,
  renamingsToMake,
} from '../../rules/refreshes.ts'
import type { ChangedItem, NewItem, RefreshRecord } from '../../store.ts'
import type { Connection } from '../database/connection.ts'
import { addToCounter, addToSourceItems } from '../database/counters.ts'
import { stateValues, UPDATE_STATE } from '../database/source-rows.ts'
import type { QualityWriter } from '../quality/quality.ts'
import { moveSource } from '../sources/source-table.ts'
import { noteEdit } from '../text-index/phrase-blocks.ts'
import { markStale } from '../text-index/text-index.ts'
import { writeIntake } from './intake.ts'
import { queuePage } from './item-pages.ts'

/** An item as it was written, for the text index. */
export interface WrittenItem {
  readonly seq: ItemSeq
  readonly item: ParsedItem & Pick<Item, 'article'>
}

export interface RefreshResult {
  readonly added: readonly WrittenItem[]
  readonly changed: readonly WrittenItem[]
}

/** What the refreshes of one transaction add to the counters, written once at its end. */
export interface RefreshSums {
  items: number
  observations: number
}

export function writeSums(connection: Connection, sums: RefreshSums): void {
  addToCounter(connection, 'items', sums.items)
  addToCounter(connection, 'observations', sums.observations)
}

const NOTHING: RefreshResult = { added: [], changed: [] }

const INSERT_ITEM = `
  INSERT INTO item (source_id, key, sort_at, first_seen_at, changed_at, content_hash,
    published, updated, id, link, title, rest, summary, content)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const INSERT_OBSERVATION = `
  INSERT OR IGNORE INTO observation (source_id, at, previous_at, new_items, window_size, overlap, lost_at_least,
    not_modified, bytes, latency_ms, item_times, loss, cause, price, expected)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Within the caller's transaction. */
export function writeRefresh(
  connection: Connection,
  quality: QualityWriter,
  sums: RefreshSums,
  record: RefreshRecord,
): RefreshResult {
  const { sql } = connection
  const { sourceId, state } = record
  // Only a failure needs it: the others are recognised by their observation, which is written if it is not there.
  const lastCheckAt = record.observation === null ? lastCheckOf(connection, sourceId) : null
  if (sql(UPDATE_STATE).run(...stateValues(sourceId, state), sourceId).changes === 0) return NOTHING
  // Packing and comparing a window would cost a tenth of a refresh that found nothing new.
  if (hasWindow(record)) writeWindow(connection, sourceId, state.window)
  if (record.movedTo !== null) moveSource(connection, sourceId, record.movedTo)
  const hasObservation =
    record.observation !== null && !writeObservation(connection, record.observation, record.decision)
  if (!isRepeated(record, { lastCheckAt, hasObservation })) countRefresh(connection, quality, sums, record)
  renameItems(connection, sourceId, record.renamedItems)
  const added = writeNewItems(connection, record)
  const changed: WrittenItem[] = []
  for (const item of record.changedItems) {
    const seq = writeChange(connection, sourceId, item)
    if (seq !== null) changed.push({ seq, item })
  }
  sums.items += added.length
  addToSourceItems(connection, sourceId, added.length)
  return { added, changed }
}

function countRefresh(connection: Connection, quality: QualityWriter, sums: RefreshSums, record: RefreshRecord): void {
  if (record.observation !== null) sums.observations += 1
  if (record.quality !== undefined) quality.add(record.sourceId, countedAt(record), record.quality)
  if (record.intake !== null) writeIntake(connection, record.sourceId, record.intake)
}

function lastCheckOf({ sql }: Connection, sourceId: SourceId): InstantMs | null {
  const at = sql('SELECT last_check_at FROM source_state WHERE source_id = ?').pluck().get(sourceId)
  return (at ?? null) as InstantMs | null
}

function writeWindow(connection: Connection, sourceId: SourceId, window: readonly WindowEntry[]): void {
  connection
    .sql(
      `INSERT INTO source_window (source_id, entries) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET entries = excluded.entries WHERE entries IS NOT excluded.entries`,
    )
    .run(sourceId, packWindow(window))
}

/** False where it is there already: the record is a repetition. */
function writeObservation(connection: Connection, observation: Observation, decision: Decision | undefined): boolean {
  const { changes } = connection
    .sql(INSERT_OBSERVATION)
    .run(
      observation.sourceId,
      observation.at,
      observation.previousAt,
      observation.newItems,
      observation.windowSize,
      observation.overlap,
      observation.lostAtLeast,
      observation.notModified ? 1 : 0,
      observation.bytes,
      observation.latencyMs,
      observation.itemTimes.length === 0 ? null : JSON.stringify(observation.itemTimes),
      observation.loss === undefined ? null : JSON.stringify(observation.loss),
      decision?.cause ?? null,
      decision?.price ?? null,
      decision?.expected ?? null,
    )
  return changes > 0
}

/** Archived or remembered. */
function renameItems(connection: Connection, sourceId: SourceId, renamings: readonly Renaming[]): void {
  if (renamings.length === 0) return
  const isTaken = (key: ItemKey) => isKnown(connection, sourceId, packHash(key))
  for (const { from, to } of renamingsToMake(renamings, isTaken)) {
    for (const table of ['item', 'removed_item']) {
      const rename = connection.sql(`UPDATE ${table} SET key = ? WHERE source_id = ? AND key = ?`)
      rename.run(packHash(to), sourceId, packHash(from))
    }
  }
}

/** Archived, or removed and remembered. */
function isKnown({ sql }: Connection, sourceId: SourceId, key: PackedHash): boolean {
  const known = sql(
    `SELECT 1 FROM item WHERE source_id = ? AND key = ?
     UNION ALL SELECT 1 FROM removed_item WHERE source_id = ? AND key = ?`,
  )
  return known.get(sourceId, key, sourceId, key) !== undefined
}

function writeNewItems(connection: Connection, record: RefreshRecord): WrittenItem[] {
  const { sourceId, newItems: items } = record
  const added: WrittenItem[] = []
  if (items.length === 0) return added
  // At the first refresh of a source, the one with most items, nothing can be known: checked once, not for every item.
  const hasAny =
    connection
      .sql(
        `SELECT EXISTS (SELECT 1 FROM item WHERE source_id = ?) OR EXISTS (SELECT 1 FROM removed_item WHERE source_id = ?)`,
      )
      .pluck()
      .get(sourceId, sourceId) === 1
  const isThere = (key: ItemKey) => hasAny && isKnown(connection, sourceId, packHash(key))
  for (const item of itemsToAdd(items, isThere)) added.push({ seq: writeNew(connection, sourceId, item), item })
  if (record.fetchesPages === true) {
    for (const { seq, item } of added) queuePage(connection, { seq, sourceId, link: item.link })
  }
  const first = added[0]
  const last = added.at(-1)
  // In this transaction nobody else writes, so the numbers between belong to these items too.
  if (first !== undefined && last !== undefined) {
    const handOutAll =
      'INSERT INTO buffer_entry (seq, changed) SELECT seq, 0 FROM item WHERE seq BETWEEN ? AND ? ORDER BY seq'
    connection.sql(handOutAll).run(first.seq, last.seq)
  }
  return added
}

function writeNew(connection: Connection, sourceId: SourceId, item: NewItem): ItemSeq {
  const key = packHash(item.key)
  const hash = packHash(item.contentHash)
  // Each value by itself: spread from a list they take a fifth longer.
  const { lastInsertRowid } = connection
    .sql(INSERT_ITEM)
    .run(
      sourceId,
      key,
      item.sortAt,
      item.firstSeenAt,
      item.firstSeenAt,
      hash,
      item.published,
      item.updated,
      item.id,
      item.link,
      item.title,
      packRest(item),
      item.summary,
      item.content,
    )
  return Number(lastInsertRowid)
}

type EditedRow = [seq: ItemSeq, id: string | null, contentHash: PackedHash, changedAt: InstantMs]

/** null: it is not there, or the edit is none. */
function writeChange(connection: Connection, sourceId: SourceId, edit: ChangedItem): ItemSeq | null {
  const row = connection
    .sql('SELECT seq, id, content_hash, changed_at FROM item WHERE source_id = ? AND key = ?')
    .raw()
    .get(sourceId, packHash(edit.key)) as EditedRow | undefined
  if (row === undefined) return null
  const [seq, id, contentHash, changedAt] = row
  const before = { id, contentHash: unpackHash(contentHash), changedAt }
  if (!isNews(before, edit)) return null
  connection
    .sql(
      `UPDATE item SET changed_at = ?, content_hash = ?, published = ?, updated = ?, id = ?, link = ?, title = ?,
         rest = ?, summary = ?, content = ? WHERE seq = ?`,
    )
    .run(edit.changedAt, packHash(edit.contentHash), ...textValues({ ...edit, id: idAfterEdit(before, edit) }), seq)
  connection.sql('INSERT INTO buffer_entry (seq, changed) VALUES (?, 1)').run(seq)
  markStale(connection, seq)
  noteEdit(connection, seq)
  return seq
}

export function readKnownItems(
  connection: Connection,
  sourceId: SourceId,
  keys: readonly ItemKey[],
): Map<ItemKey, string> {
  const known = new Map<ItemKey, string>()
  const archived = connection.sql('SELECT content_hash FROM item WHERE source_id = ? AND key = ?').pluck()
  const removed = connection.sql('SELECT content_hash FROM removed_item WHERE source_id = ? AND key = ?').pluck()
  for (const key of keys) {
    const packed = packHash(key)
    const hash = archived.get(sourceId, packed) ?? removed.get(sourceId, packed)
    if (hash !== undefined) known.set(key, unpackHash(hash as PackedHash))
  }
  return known
}
