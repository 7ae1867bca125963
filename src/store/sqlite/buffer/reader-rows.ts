import type { Cursor, ReaderState, ReaderTerms, Registration } from '../../../buffer/buffer.ts'
import {
  demandAlive,
  demandFree,
  type EntriesLeft,
  isExpired,
  isRenewalDue,
  missedBy,
  type StoredReader,
} from '../../../buffer/reader.ts'
import type { InstantMs, ItemSeq } from '../../../model/index.ts'
import { processedUpTo } from '../../rules/catch-up.ts'
import type { Connection } from '../database/connection.ts'
import { lastItemSeq } from '../items/archive-order.ts'
import { countEntries, dropUpTo, lastCursor } from './buffer-rows.ts'

const COLUMNS = 'cursor, owner, expires_after_ms AS expiresAfterMs, seen_at AS seenAt, item_seq AS itemSeq'

/** As `isExpired` has it. */
const SLOWEST = `SELECT min(cursor) FROM buffer_reader
  WHERE expires_after_ms IS NULL OR abs(? - seen_at) < expires_after_ms`

/** Of those that are waited for; null: there is none. */
export function slowestCursor({ sql }: Connection, now: InstantMs): Cursor | null {
  return sql<Cursor | null>(SLOWEST).pluck().get(now) ?? null
}

export function findReader({ sql }: Connection, name: string): StoredReader | undefined {
  return sql<StoredReader>(`SELECT ${COLUMNS} FROM buffer_reader WHERE name = ?`).get(name)
}

/** Whether a reader that is used now has to be written down as seen. */
export function needsRenewal(connection: Connection, name: string, now: InstantMs): boolean {
  return isRenewalDue(demandAlive(name, findReader(connection, name), now), now)
}

export function writeSeen({ sql }: Connection, name: string, now: InstantMs): void {
  sql('UPDATE buffer_reader SET seen_at = ? WHERE name = ?').run(now, name)
}

/** In a transaction. */
export function writeReader(connection: Connection, name: string, terms: ReaderTerms, now: InstantMs): Registration {
  const { owner, expiresAfterMs } = terms
  const known = findReader(connection, name)
  if (known !== undefined) demandFree(name, known, terms, now)
  const missed = known && missedBy(known, entriesLeft(connection, known.cursor))
  const cursor = known?.cursor ?? firstCursor(connection, terms)
  // What was missed is remembered until it is acknowledged, whatever the terms are by then.
  const itemSeq = missed ? missed.after : expiresAfterMs === null ? null : itemsBefore(connection, cursor)
  connection
    .sql(
      `INSERT OR REPLACE INTO buffer_reader (name, cursor, owner, expires_after_ms, seen_at, item_seq)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(name, cursor, owner, expiresAfterMs, now, itemSeq)
  return missed ?? { kind: known === undefined ? 'new' : 'known' }
}

/** Acknowledges, and drops what every reader has read. A reader that is not there is not made. In a transaction. */
export function moveReader(connection: Connection, name: string, cursor: Cursor, now: InstantMs): void {
  const known = findReader(connection, name)
  if (known === undefined) return
  demandAlive(name, known, now)
  const to = Math.max(known.cursor, Math.min(cursor, lastCursor(connection)))
  connection
    .sql('UPDATE buffer_reader SET cursor = ?, seen_at = ?, item_seq = ? WHERE name = ?')
    .run(to, now, itemSeqAt(connection, known, to), name)
  const slowest = slowestCursor(connection, now)
  if (slowest !== null) dropUpTo(connection, slowest)
}

/** Without a reader nobody slows the crawler down: only the newest entries are kept for one to come. */
export function trimUnread(connection: Connection, capacity: number, now: InstantMs): void {
  if (slowestCursor(connection, now) === null) dropUpTo(connection, lastCursor(connection) - capacity)
}

export function listReaders(connection: Connection, now: InstantMs): ReaderState[] {
  const last = lastCursor(connection)
  const readers = connection.sql<StoredReader & { readonly name: string }>(
    `SELECT name, ${COLUMNS} FROM buffer_reader ORDER BY name`,
  )
  return readers.all().map((reader) => ({
    name: reader.name,
    owner: reader.owner,
    backlog: countEntries(connection, reader.cursor, last),
    isExpired: isExpired(reader, now),
  }))
}

function firstCursor(connection: Connection, { from }: ReaderTerms): Cursor {
  const oldest = from === 'end' ? null : oldestCursor(connection)
  return oldest === null ? lastCursor(connection) : oldest - 1
}

function oldestCursor({ sql }: Connection): Cursor | null {
  return sql<Cursor | null>('SELECT min(cursor) FROM buffer_entry').pluck().get() ?? null
}

function entriesLeft(connection: Connection, after: Cursor): EntriesLeft {
  const [oldest, last] = [oldestCursor(connection), lastCursor(connection)]
  return { oldest, last, itemsUpTo: itemsBefore(connection, after) }
}

/** As long as it lacks something, its place is before that. */
function itemSeqAt(connection: Connection, reader: StoredReader, cursor: Cursor): ItemSeq | null {
  if (reader.itemSeq === null) return null
  const left = entriesLeft(connection, cursor)
  return missedBy({ ...reader, cursor }, left) === null ? left.itemsUpTo : reader.itemSeq
}

/** The last item before the first new one behind a cursor. New entries are in the buffer in the order of their items. */
export function itemsBefore(connection: Connection, cursor: Cursor): ItemSeq {
  const next = connection
    .sql<ItemSeq>('SELECT seq FROM buffer_entry WHERE changed = 0 AND cursor > ? ORDER BY cursor LIMIT 1')
    .pluck()
    .get(cursor)
  return processedUpTo(next ?? null, next === undefined ? lastItemSeq(connection) : 0)
}
