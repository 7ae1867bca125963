import type { DuePage, InstantMs, PageSums } from '../../../model/index.ts'
import type { DuePageQuery, ItemPageStore, PageRecord } from '../../item-pages.ts'
import {
  DUE_PAGE_COLUMNS,
  ITEM_PAGE_COLUMNS,
  type ItemPageRow,
  itemPageOf,
  PAGE_SUM_COLUMNS,
} from '../../rows/item-pages.ts'
import type { Access, Sql } from '../database/sql.ts'

export function itemPageVerbs(access: Access, indexer: { written(): void }): ItemPageStore {
  return {
    duePages: (now, query) => readDuePages(access, now, query),
    async recordPage(record) {
      const isEdit = record.article !== null
      // Numbers of entries become visible in their order.
      const isWritten = await access.transaction(isEdit ? ['log'] : [], (sql) => writePage(sql, record))
      if (isWritten && isEdit) {
        indexer.written()
        access.bufferChanged()
      }
      return isWritten
    },
    async itemPage(seq) {
      const row = await access.first<ItemPageRow>(`SELECT ${ITEM_PAGE_COLUMNS} FROM item_page WHERE seq = $1`, [seq])
      return row === null ? null : itemPageOf(row)
    },
    async pageBody(seq) {
      const row = await access.first<{ body: Buffer | null }>('SELECT body FROM item_page WHERE seq = $1', [seq])
      return row?.body ?? null
    },
    async pageSums(sourceId) {
      const select = `SELECT ${PAGE_SUM_COLUMNS} FROM item_page WHERE source_id = $1`
      return (await access.first<PageSums>(select, [sourceId])) ?? { waiting: 0, fetched: 0, failed: 0, bodyBytes: 0 }
    },
  }
}

function readDuePages(sql: Sql, now: InstantMs, { limit, part, without }: DuePageQuery): Promise<DuePage[]> {
  const isOwn = part === undefined ? '' : 'AND shard = ANY ($4::integer[])'
  return sql.rows(
    `SELECT ${DUE_PAGE_COLUMNS} FROM item_page
     WHERE due_at <= $1 AND shard <> ALL ($2::integer[]) ${isOwn} ORDER BY due_at, seq LIMIT $3`,
    [now, [...(without ?? [])], Math.max(0, limit), ...(part === undefined ? [] : [[...part.shards]])],
  )
}

/** Within a transaction that holds "log" if it is an edit. */
async function writePage(sql: Sql, record: PageRecord): Promise<boolean> {
  const { seq, article, fetchedAt, facts, body } = record
  const changed = await sql.run(
    `UPDATE item_page SET due_at = $2, attempts = $3, fetched_at = $4, status = $5, failure = $6, final_url = $7, facts = $8,
       body = $9 WHERE seq = $1 AND due_at IS NOT NULL`,
    [
      seq,
      record.dueAt,
      record.attempts,
      fetchedAt,
      record.status,
      record.failure,
      record.finalUrl,
      facts === null ? null : JSON.stringify(facts),
      body === null ? null : Buffer.from(body),
    ],
  )
  if (changed === 0 || article === null) return changed > 0
  await sql.run('UPDATE item SET article = $2, changed_at = greatest(changed_at, $3) WHERE seq = $1', [
    seq,
    article,
    fetchedAt,
  ])
  await sql.run(
    `WITH next AS (UPDATE log_position SET cursor = cursor + 1 RETURNING cursor)
     INSERT INTO buffer_entry (cursor, seq, changed) SELECT cursor, $1::bigint, true FROM next`,
    [seq],
  )
  await sql.run('INSERT INTO stale_words (seq) VALUES ($1)', [seq])
  return true
}
