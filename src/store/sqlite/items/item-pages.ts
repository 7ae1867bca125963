import type { DuePage, InstantMs, Item, ItemSeq, PageSums, ParsedItem, SourceId } from '../../../model/index.ts'
import type { DuePageQuery, ItemPageStore, PageRecord } from '../../item-pages.ts'
import {
  DUE_PAGE_COLUMNS,
  ITEM_PAGE_COLUMNS,
  type ItemPageRow,
  itemPageOf,
  PAGE_SUM_COLUMNS,
} from '../../rows/item-pages.ts'
import { pageToFetch } from '../../rules/page-queue.ts'
import type { RefreshRecord } from '../../store.ts'
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
    duePages: (now, query) => read(() => readDuePages(connection, now, query)),
    async recordPage(record) {
      const { isWritten, edited } = await write(() => writePage(access, record))
      if (edited.length > 0) {
        access.bufferChanged()
        access.indexed(edited)
      }
      return isWritten
    },
    itemPage: (seq) =>
      read(() => {
        const row = sql<ItemPageRow>(`SELECT ${ITEM_PAGE_COLUMNS} FROM item_page WHERE seq = ?`).get(seq)
        return row === undefined ? null : itemPageOf(row)
      }),
    pageBody: (seq) =>
      read(() => sql<Uint8Array | null>('SELECT body FROM item_page WHERE seq = ?').pluck().get(seq) ?? null),
    pageSums: (sourceId) => read(() => readSums(connection, sourceId)),
  }
}

function readSums({ sql }: Connection, sourceId: SourceId): PageSums {
  const row = sql<PageSums>(`SELECT ${PAGE_SUM_COLUMNS} FROM item_page WHERE source_id = ?`).get(sourceId)
  return row ?? { waiting: 0, fetched: 0, failed: 0, bodyBytes: 0 }
}

/** Of a new item; within the transaction that stores it. */
export function queuePage({ sql }: Connection, record: RefreshRecord, seq: ItemSeq, item: ParsedItem): void {
  const page = pageToFetch(record, item)
  if (page === null) return
  const insert = sql(
    'INSERT INTO item_page (seq, source_id, shard, due_at, attempts, url) SELECT ?, ?, ?, first_seen_at, 0, ? FROM item WHERE seq = ?',
  )
  insert.run(seq, record.sourceId, page.shard, page.url, seq)
}

function readDuePages({ sql }: Connection, now: InstantMs, { limit, part, without }: DuePageQuery): DuePage[] {
  const isOwn = part === undefined ? '' : 'AND shard IN (SELECT value FROM json_each(?))'
  const due = sql<DuePage>(
    `SELECT ${DUE_PAGE_COLUMNS} FROM item_page
     WHERE due_at <= ? AND shard NOT IN (SELECT value FROM json_each(?)) ${isOwn} ORDER BY due_at, seq LIMIT ?`,
  )
  const own = part === undefined ? [] : [JSON.stringify([...part.shards])]
  return due.all(now, JSON.stringify([...(without ?? [])]), ...own, Math.max(0, limit))
}

function writePage({ connection, trim }: PageAccess, record: PageRecord) {
  const { sql } = connection
  const { seq, article, facts } = record
  const { changes } = sql(
    `UPDATE item_page SET due_at = ?, attempts = ?, fetched_at = ?, status = ?, failure = ?, final_url = ?, facts = ?, body = ?
     WHERE seq = ? AND due_at IS NOT NULL`,
  ).run(
    record.dueAt,
    record.attempts,
    record.fetchedAt,
    record.status,
    record.failure,
    record.finalUrl,
    facts === null ? null : JSON.stringify(facts),
    record.body,
    seq,
  )
  if (changes === 0 || article === null) return { isWritten: changes > 0, edited: [] }
  sql('UPDATE item SET article = ?, changed_at = max(changed_at, ?) WHERE seq = ?').run(article, record.fetchedAt, seq)
  sql('INSERT INTO buffer_entry (seq, changed) VALUES (?, 1)').run(seq)
  markStale(connection, seq)
  noteEdit(connection, seq)
  trim()
  return { isWritten: true, edited: itemsOf(connection, [seq]).map((item) => ({ seq, item })) }
}
