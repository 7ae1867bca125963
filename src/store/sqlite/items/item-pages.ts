import type { DuePage, InstantMs, Item, ItemSeq, PageSums, SourceId } from '../../../model/index.ts'
import type { DuePageQuery, FoundPage, ItemPageStore, PageHold, PageRecord, StoredPageQuery } from '../../item-pages.ts'
import {
  DUE_PAGE_COLUMNS,
  type DuePageRow,
  duePageOf,
  IS_FIRST_AWAITED,
  ITEM_PAGE_COLUMNS,
  type ItemPageRow,
  itemPageOf,
  PAGE_SUM_COLUMNS,
} from '../../rows/item-pages.ts'
import { pageToFetch } from '../../rules/page-queue.ts'
import type { DatabaseAccess } from '../database/access.ts'
import type { Connection } from '../database/connection.ts'
import { noteEdit } from '../text-index/phrase-blocks.ts'
import { markStale } from '../text-index/text-index.ts'
import { itemsOf } from './items.ts'

interface PageAccess extends DatabaseAccess {
  /** Within a transaction: without readers of the buffer only its newest entries are kept. */
  readonly trim: () => void
  readonly indexed: (changed: readonly { readonly seq: ItemSeq; readonly item: Item }[]) => void
}

export function itemPageVerbs(access: PageAccess): ItemPageStore {
  const { connection, read, write } = access
  const { sql } = connection
  return {
    queuePages: (items, dueAt) =>
      write(() => {
        for (const item of items) queuePage(connection, item, dueAt)
      }),
    duePages: (now, query) => read(() => readDuePages(connection, now, query)),
    async recordPage(record) {
      const { isWritten, isHandedOut, edited } = await write(() => writePage(access, record))
      if (isHandedOut) access.bufferChanged()
      if (edited.length > 0) access.indexed(edited)
      return isWritten
    },
    holdForPages: (holds) => write(() => new Set(holds.filter((one) => hold(connection, one)).map(({ seq }) => seq))),
    async endHolds(now) {
      const isAny = await read(() => sql('SELECT 1 FROM item_page WHERE held_until <= ?').get(now) !== undefined)
      const ended = isAny ? await write(() => endHolds(access, now)) : 0
      if (ended > 0) access.bufferChanged()
      return ended
    },
    askAgain: (seqs, dueAt) =>
      write(() => {
        const again = sql('UPDATE item_page SET due_at = ?, attempts = 0 WHERE seq = ? AND due_at IS NULL')
        return seqs.reduce((count, seq) => count + again.run(dueAt, seq).changes, 0)
      }),
    itemPage: (seq) =>
      read(() => {
        const row = sql<ItemPageRow>(`SELECT ${ITEM_PAGE_COLUMNS} FROM item_page WHERE seq = ?`).get(seq)
        return row === undefined ? null : itemPageOf(row)
      }),
    pageBody: (seq) =>
      read(() => sql<Uint8Array | null>('SELECT body FROM item_page WHERE seq = ?').pluck().get(seq) ?? null),
    storedPages: (query) => read(() => readStoredPages(connection, query)),
    pageSums: (sourceId) => read(() => readSums(connection, sourceId)),
  }
}

function readSums({ sql }: Connection, sourceId: SourceId): PageSums {
  const row = sql<PageSums>(`SELECT ${PAGE_SUM_COLUMNS} FROM item_page WHERE source_id = ?`).get(sourceId)
  return row ?? { waiting: 0, fetched: 0, failed: 0, bodyBytes: 0 }
}

/** Within a transaction. What is there, or gone by now, stays so. `dueAt` null: since the item was seen. */
export function queuePage(
  { sql }: Connection,
  item: Pick<Item, 'seq' | 'sourceId' | 'link'>,
  dueAt: InstantMs | null = null,
): void {
  const page = pageToFetch(item)
  if (page === null) return
  const insert = sql(
    'INSERT OR IGNORE INTO item_page (seq, source_id, shard, due_at, attempts, url) SELECT ?, ?, ?, coalesce(?, first_seen_at), 0, ? FROM item WHERE seq = ?',
  )
  insert.run(item.seq, item.sourceId, page.shard, dueAt, page.url, item.seq)
}

function readDuePages({ sql }: Connection, now: InstantMs, { limit, part, without }: DuePageQuery): DuePage[] {
  const isOwn = part === undefined ? '' : 'AND shard IN (SELECT value FROM json_each(?))'
  const due = sql<DuePageRow>(
    `SELECT ${DUE_PAGE_COLUMNS} FROM item_page
     WHERE due_at <= ? AND shard NOT IN (SELECT value FROM json_each(?)) ${isOwn} ORDER BY due_at, seq LIMIT ?`,
  )
  const own = part === undefined ? [] : [JSON.stringify([...part.shards])]
  return due.all(now, JSON.stringify([...(without ?? [])]), ...own, Math.max(0, limit)).map(duePageOf)
}

function readStoredPages({ sql }: Connection, { sourceId, after, limit }: StoredPageQuery) {
  const ofSource = sourceId === undefined ? '' : 'AND source_id = ?'
  const stored = sql<ItemPageRow>(
    `SELECT ${ITEM_PAGE_COLUMNS} FROM item_page WHERE seq > ? AND body IS NOT NULL ${ofSource} ORDER BY seq LIMIT ?`,
  )
  const own = sourceId === undefined ? [] : [sourceId]
  return stored.all(after, ...own, Math.max(0, limit)).map(itemPageOf)
}

function hold({ sql }: Connection, { seq, until }: PageHold): boolean {
  const update = sql(
    `UPDATE item_page SET held_until = min(?, coalesce(held_until, ?)) WHERE seq = ? AND ${IS_FIRST_AWAITED}`,
  )
  return update.run(until, until, seq).changes > 0
}

function endHolds({ connection, trim }: PageAccess, now: InstantMs): number {
  const { sql } = connection
  const over = sql<number>('UPDATE item_page SET held_until = NULL WHERE held_until <= ? RETURNING seq')
    .pluck()
    .all(now)
  for (const seq of over.sort((a, b) => a - b)) sql('INSERT INTO buffer_entry (seq, changed) VALUES (?, 1)').run(seq)
  trim()
  return over.length
}

const NOTHING = { isWritten: false, isHandedOut: false, edited: [] } as const

function writePage({ connection, trim }: PageAccess, record: PageRecord) {
  const { sql } = connection
  const { seq, dueAt, attempts, fetchedAt, status, failure, found } = record
  const heldUntil = sql<number | null>('SELECT held_until FROM item_page WHERE seq = ? AND due_at IS NOT NULL')
    .pluck()
    .get(seq)
  if (heldUntil === undefined) return NOTHING
  const isReleased = heldUntil !== null && attempts > 0
  sql(
    'UPDATE item_page SET due_at = ?, attempts = ?, fetched_at = ?, status = ?, failure = ?, held_until = ? WHERE seq = ?',
  ).run(dueAt, attempts, fetchedAt, status, failure, isReleased ? null : heldUntil, seq)
  if (found !== null) writeFound(connection, seq, found)
  const isEdit = found !== null && writeArticle(connection, seq, found, fetchedAt)
  if (!isEdit && !isReleased) return { ...NOTHING, isWritten: true }
  sql('INSERT INTO buffer_entry (seq, changed) VALUES (?, 1)').run(seq)
  trim()
  const edited = isEdit ? itemsOf(connection, [seq]).map((item) => ({ seq, item })) : []
  return { isWritten: true, isHandedOut: true, edited }
}

function writeFound({ sql }: Connection, seq: ItemSeq, found: FoundPage): void {
  const facts = found.facts === null ? null : JSON.stringify(found.facts)
  sql(
    'UPDATE item_page SET final_url = ?, content_type = ?, facts = ?, body = ?, etag = ?, last_modified = ? WHERE seq = ?',
  ).run(found.finalUrl, found.contentType, facts, found.body, found.etag, found.lastModified, seq)
}

/** Whether it is another than before. */
function writeArticle(connection: Connection, seq: ItemSeq, { article }: FoundPage, at: InstantMs): boolean {
  if (article === null) return false
  const edit = connection.sql(
    'UPDATE item SET article = ?, changed_at = max(changed_at, ?) WHERE seq = ? AND article IS NOT ?',
  )
  if (edit.run(article, at, seq, article).changes === 0) return false
  markStale(connection, seq)
  noteEdit(connection, seq)
  return true
}
