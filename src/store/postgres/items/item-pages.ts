import type { DuePage, InstantMs, Item, ItemSeq, PageSums } from '../../../model/index.ts'
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
import type { Access, Sql } from '../database/sql.ts'

export function itemPageVerbs(access: Access, indexer: { written(): void }): ItemPageStore {
  return {
    queuePages: (items, dueAt) => queuePages(access, items, dueAt),
    duePages: (now, query) => readDuePages(access, now, query),
    async recordPage(record) {
      // Numbers of entries become visible in their order.
      const { isWritten, isHandedOut, isEdit } = await access.transaction(['log'], (sql) => writePage(sql, record))
      if (isEdit) indexer.written()
      if (isHandedOut) access.bufferChanged()
      return isWritten
    },
    holdForPages: (holds) => hold(access, holds),
    async endHolds(now) {
      const isAny = await access.first('SELECT 1 AS any FROM item_page WHERE held_until <= $1 LIMIT 1', [now])
      if (isAny === null) return 0
      const ended = await access.transaction(['log'], (sql) => endHolds(sql, now))
      if (ended > 0) access.bufferChanged()
      return ended
    },
    askAgain: (seqs, dueAt) =>
      access.run('UPDATE item_page SET due_at = $2, attempts = 0 WHERE seq = ANY ($1::bigint[]) AND due_at IS NULL', [
        [...seqs],
        dueAt,
      ]),
    async itemPage(seq) {
      const row = await access.first<ItemPageRow>(`SELECT ${ITEM_PAGE_COLUMNS} FROM item_page WHERE seq = $1`, [seq])
      return row === null ? null : itemPageOf(row)
    },
    async pageBody(seq) {
      const row = await access.first<{ body: Buffer | null }>('SELECT body FROM item_page WHERE seq = $1', [seq])
      return row?.body ?? null
    },
    storedPages: (query) => readStoredPages(access, query),
    async pageSums(sourceId) {
      const select = `SELECT ${PAGE_SUM_COLUMNS} FROM item_page WHERE source_id = $1`
      return (await access.first<PageSums>(select, [sourceId])) ?? { waiting: 0, fetched: 0, failed: 0, bodyBytes: 0 }
    },
  }
}

type QueuedItem = Pick<Item, 'seq' | 'sourceId' | 'link'>

async function queuePages(sql: Sql, items: readonly QueuedItem[], dueAt: InstantMs): Promise<void> {
  const pages = items.flatMap((item) => {
    const page = pageToFetch(item)
    return page === null ? [] : [{ ...page, seq: item.seq, sourceId: item.sourceId }]
  })
  if (pages.length === 0) return
  await sql.run(
    `INSERT INTO item_page (seq, source_id, shard, due_at, attempts, url)
     SELECT p.seq, p.source_id, p.shard, $5::bigint, 0, p.url
     FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::text[]) AS p (seq, source_id, shard, url)
     JOIN item i ON i.seq = p.seq ON CONFLICT (seq) DO NOTHING`,
    [
      pages.map(({ seq }) => seq),
      pages.map(({ sourceId }) => sourceId),
      pages.map(({ shard }) => shard),
      pages.map(({ url }) => url),
      dueAt,
    ],
  )
}

async function readDuePages(sql: Sql, now: InstantMs, { limit, part, without }: DuePageQuery): Promise<DuePage[]> {
  const isOwn = part === undefined ? '' : 'AND shard = ANY ($4::integer[])'
  const rows = await sql.rows<DuePageRow>(
    `SELECT ${DUE_PAGE_COLUMNS} FROM item_page
     WHERE due_at <= $1 AND shard <> ALL ($2::integer[]) ${isOwn} ORDER BY due_at, seq LIMIT $3`,
    [now, [...(without ?? [])], Math.max(0, limit), ...(part === undefined ? [] : [[...part.shards]])],
  )
  return rows.map(duePageOf)
}

async function readStoredPages(sql: Sql, { sourceId, after, limit }: StoredPageQuery) {
  const ofSource = sourceId === undefined ? '' : 'AND source_id = $3'
  const rows = await sql.rows<ItemPageRow>(
    `SELECT ${ITEM_PAGE_COLUMNS} FROM item_page
     WHERE seq > $1 AND body IS NOT NULL ${ofSource} ORDER BY seq LIMIT $2`,
    [after, Math.max(0, limit), ...(sourceId === undefined ? [] : [sourceId])],
  )
  return rows.map(itemPageOf)
}

async function hold(sql: Sql, holds: readonly PageHold[]): Promise<ReadonlySet<ItemSeq>> {
  const rows = await sql.rows<{ seq: ItemSeq }>(
    `UPDATE item_page p SET held_until = least(h.until, p.held_until)
     FROM unnest($1::bigint[], $2::bigint[]) AS h (seq, until)
     WHERE p.seq = h.seq AND ${IS_FIRST_AWAITED} RETURNING p.seq`,
    [holds.map(({ seq }) => seq), holds.map(({ until }) => until)],
  )
  return new Set(rows.map(({ seq }) => seq))
}

/** Within a transaction that holds "log". */
async function endHolds(sql: Sql, now: InstantMs): Promise<number> {
  const over = await sql.rows<{ seq: ItemSeq }>(
    'UPDATE item_page SET held_until = NULL WHERE held_until <= $1 RETURNING seq',
    [now],
  )
  for (const { seq } of over.toSorted((a, b) => a.seq - b.seq)) await handOut(sql, seq)
  return over.length
}

async function handOut(sql: Sql, seq: ItemSeq): Promise<void> {
  await sql.run(
    `WITH next AS (UPDATE log_position SET cursor = cursor + 1 RETURNING cursor)
     INSERT INTO buffer_entry (cursor, seq, changed) SELECT cursor, $1::bigint, true FROM next`,
    [seq],
  )
}

/** Likewise. */
async function writePage(sql: Sql, { found, ...record }: PageRecord) {
  const { seq, dueAt, attempts, fetchedAt, status, failure } = record
  const before = await sql.first<{ held_until: number | null }>(
    'SELECT held_until FROM item_page WHERE seq = $1 AND due_at IS NOT NULL FOR UPDATE',
    [seq],
  )
  if (before === null) return { isWritten: false, isHandedOut: false, isEdit: false }
  const isReleased = before.held_until !== null && attempts > 0
  await sql.run(
    `UPDATE item_page SET due_at = $2, attempts = $3, fetched_at = $4, status = $5, failure = $6, held_until = $7
     WHERE seq = $1`,
    [seq, dueAt, attempts, fetchedAt, status, failure, isReleased ? null : before.held_until],
  )
  if (found !== null) await writeFound(sql, seq, found)
  const isEdit = found !== null && (await writeArticle(sql, seq, found, fetchedAt))
  if (isEdit || isReleased) await handOut(sql, seq)
  return { isWritten: true, isHandedOut: isEdit || isReleased, isEdit }
}

async function writeFound(sql: Sql, seq: ItemSeq, found: FoundPage): Promise<void> {
  const { finalUrl, contentType, facts, body, etag, lastModified } = found
  await sql.run(
    `UPDATE item_page SET final_url = $2, content_type = $3, facts = $4, body = $5, etag = $6, last_modified = $7
     WHERE seq = $1`,
    [
      seq,
      finalUrl,
      contentType,
      facts === null ? null : JSON.stringify(facts),
      body === null ? null : Buffer.from(body),
      etag,
      lastModified,
    ],
  )
}

/** Whether it is another than before. */
async function writeArticle(sql: Sql, seq: ItemSeq, { article }: FoundPage, at: InstantMs): Promise<boolean> {
  if (article === null) return false
  const changed = await sql.run(
    'UPDATE item SET article = $2, changed_at = greatest(changed_at, $3) WHERE seq = $1 AND article IS DISTINCT FROM $2',
    [seq, article, at],
  )
  if (changed > 0) await sql.run('INSERT INTO stale_words (seq) VALUES ($1)', [seq])
  return changed > 0
}
