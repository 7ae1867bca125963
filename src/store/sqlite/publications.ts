import type {
  InstantMs,
  ItemSeq,
  PublicationSeq,
  PublishedEntry,
  QueryFeedId,
  Selectivity,
  SourceId,
} from '../../model/index.ts'
import type { CatchUpRecord, NewPublication, Published, PublishRecord } from '../query-feeds.ts'
import { type Asked, type KeptShare, keptMore, shareOf } from '../selectivity.ts'
import type { Connection } from './connection.ts'
import { ITEM_COLUMNS, type ItemRow, itemOf } from './item-rows.ts'
import { askedUpTo, queriesChanged } from './query-feeds.ts'

/** After the reader was moved to where the record ends. */
export function writePublications(connection: Connection, record: PublishRecord): Published {
  const published = insertAll(connection, record.publications, record.at)
  writeSelectivities(connection, record)
  return published
}

function insertAll(connection: Connection, publications: readonly NewPublication[], at: InstantMs): Published {
  const { sql } = connection
  const insert = sql(
    `INSERT OR IGNORE INTO publication (feed_id, item_seq, published_at, history, joined)
     SELECT f.id, i.seq, ?, i.seq <= f.history_up_to, ? FROM query_feed f, item i
     WHERE f.id = ? AND f.version = ? AND i.seq = ?`,
  )
  const feedIds = new Set<QueryFeedId>()
  let added = 0
  for (const { feedId, version, itemSeq, joined } of publications) {
    const packed = joined.length === 0 ? null : JSON.stringify(joined)
    if (insert.run(at, packed, feedId, version, itemSeq).changes === 0) continue
    feedIds.add(feedId)
    added += 1
  }
  return { feedIds: [...feedIds], added }
}

export function writeCatchUp(connection: Connection, record: CatchUpRecord): Published {
  const { sql } = connection
  const { after, upTo } = record
  const present = new Set<QueryFeedId>()
  const stands = sql('SELECT 1 FROM query_feed WHERE id = ? AND version = ? AND catch_up_after = ?')
  for (const { feedId, version } of record.feeds) {
    if (stands.get(feedId, version, after) !== undefined) present.add(feedId)
  }
  const publications = record.publications.filter(({ feedId }) => present.has(feedId))
  const kept = new Map<QueryFeedId, ItemSeq[]>([...present].map((feedId) => [feedId, []]))
  for (const { feedId, itemSeq } of publications) kept.get(feedId)!.push(itemSeq)
  const changed = new Set<QueryFeedId>()
  // Who has caught up holds nothing that it must not.
  const move = sql(
    'UPDATE query_feed SET catch_up_after = ?, clearing = CASE WHEN ? THEN 0 ELSE clearing END WHERE id = ?',
  )
  const isCleared = record.isEnd && [...kept.keys()].some((feedId) => isClearing(connection, feedId))
  for (const [feedId, seqs] of kept) {
    if (withdrawOthers(connection, feedId, after, upTo, seqs) > 0) changed.add(feedId)
    move.run(record.isEnd ? null : upTo, Number(record.isEnd), feedId)
  }
  // Who keeps in memory what may be shown learns that it may be again.
  if (isCleared) queriesChanged(connection)
  const { feedIds, added } = insertAll(connection, publications, record.at)
  return { feedIds: [...new Set([...changed, ...feedIds])], added }
}

function withdrawOthers(
  { sql }: Connection,
  feedId: QueryFeedId,
  after: ItemSeq,
  upTo: ItemSeq,
  kept: readonly ItemSeq[],
): number {
  // A new feed has nothing to withdraw, which is seen without walking the stretch.
  if (sql('SELECT 1 FROM publication WHERE feed_id = ? LIMIT 1').get(feedId) === undefined) return 0
  return sql(
    `DELETE FROM publication WHERE feed_id = ? AND item_seq > ? AND item_seq <= ?
     AND item_seq NOT IN (SELECT value FROM json_each(?))`,
  ).run(feedId, after, upTo, JSON.stringify(kept)).changes
}

function writeSelectivities(connection: Connection, { looked, kept }: PublishRecord): void {
  const { sql } = connection
  const items = new Map<number, number>()
  const count = sql(
    `INSERT INTO looked_at (source_id, items) SELECT id, ? FROM source WHERE id = ?
     ON CONFLICT DO UPDATE SET items = items + excluded.items RETURNING items`,
  ).pluck()
  for (const [sourceId, more] of looked) {
    const total = count.get(more, sourceId) as number | undefined
    if (total !== undefined) items.set(sourceId, total)
  }
  const read = sql(
    `SELECT weight, at_items AS atItems, since_items AS sinceItems FROM kept_share WHERE feed_id = ? AND source_id = ?`,
  )
  const write = sql(
    `INSERT OR REPLACE INTO kept_share (feed_id, source_id, weight, at_items, since_items)
     SELECT id, ?, ?, ?, ? FROM query_feed WHERE id = ?`,
  )
  for (const { feedId, sourceId, items: more } of kept) {
    const total = items.get(sourceId)
    if (total === undefined) continue
    const before = read.get(feedId, sourceId) as KeptShare | undefined
    const batch = { looked: looked.get(sourceId)!, kept: more }
    const { weight, atItems, sinceItems } = keptMore(before, total, batch, () =>
      askedSoFar(connection, feedId, sourceId),
    )
    write.run(sourceId, weight, atItems, sinceItems, feedId)
  }
}

/** Of a feed that is still catching up, only what arrived since. Reads an index of the source's items once for each pair. */
function askedSoFar(connection: Connection, feedId: QueryFeedId, sourceId: SourceId): Asked {
  return connection
    .sql(
      `SELECT count(*) AS looked, count(p.seq) AS kept
       FROM query_feed f JOIN item i ON i.source_id = :sourceId AND i.seq <= :upTo
         AND i.seq > CASE WHEN f.catch_up_after IS NULL THEN coalesce(f.began_after, f.history_up_to) ELSE f.history_up_to END
       LEFT JOIN publication p ON p.feed_id = f.id AND p.item_seq = i.seq
       WHERE f.id = :feedId`,
    )
    .get({ feedId, sourceId, upTo: askedUpTo(connection) }) as Asked
}

const ORPHANS_AT_A_TIME = 500

/** Removes some of what is left of feeds that were dropped; returns how much, 0: nothing is left. In a transaction. */
export function dropOrphans({ sql }: Connection): number {
  const orphan = sql('SELECT feed_id FROM publication_count WHERE feed_id NOT IN (SELECT id FROM query_feed) LIMIT 1')
  const feedId = orphan.pluck().get()
  if (feedId === undefined) return 0
  const some = (table: string, key: string) =>
    sql(
      `DELETE FROM ${table} WHERE feed_id = :feedId AND ${key} IN
       (SELECT ${key} FROM ${table} WHERE feed_id = :feedId ORDER BY ${key} LIMIT ${ORPHANS_AT_A_TIME})`,
    ).run({ feedId }).changes
  const removed = some('publication', 'seq') + some('kept_share', 'source_id')
  return removed > 0 ? removed : sql('DELETE FROM publication_count WHERE feed_id = ?').run(feedId).changes
}

/** Where a reading of selectivities stands; both 0: at the beginning. */
export interface SelectivityPlace {
  readonly feedId: QueryFeedId
  readonly sourceId: SourceId
}

const SELECTIVITIES_AT_A_TIME = 2_000

/** The next ones after a place, by feed and source; fewer than asked for: those were the last. */
export function readSelectivities(
  { sql }: Connection,
  after: SelectivityPlace,
): {
  readonly some: Selectivity[]
  readonly next: SelectivityPlace | null
} {
  const rows = sql(
    `SELECT feed_id AS feedId, k.source_id AS sourceId, weight, at_items AS atItems, since_items AS sinceItems, items
     FROM kept_share k LEFT JOIN looked_at l ON l.source_id = k.source_id
     WHERE (feed_id, k.source_id) > (?, ?) ORDER BY feed_id, k.source_id LIMIT ${SELECTIVITIES_AT_A_TIME}`,
  ).all(after.feedId, after.sourceId) as (KeptShare & { feedId: number; sourceId: number; items: number | null })[]
  const feeds = new Set(sql('SELECT id FROM query_feed').pluck().all() as QueryFeedId[])
  const some = rows.flatMap(({ items, ...row }) =>
    items === null || !feeds.has(row.feedId)
      ? []
      : [{ feedId: row.feedId, sourceId: row.sourceId, share: shareOf(row, items) }],
  )
  return { some, next: rows.length < SELECTIVITIES_AT_A_TIME ? null : rows.at(-1)! }
}

interface EntryRow extends ItemRow {
  readonly publication_seq: number
  readonly feed_id: number
  readonly published_at: number
  readonly history: number
  readonly joined: string | null
}

const COLUMNS = ITEM_COLUMNS.split(',').map((column) => `item.${column.trim()}`)
const SELECT_ENTRY = `
  SELECT p.seq AS publication_seq, p.feed_id, p.published_at, p.history, p.joined, ${COLUMNS}
  FROM publication p CROSS JOIN item ON item.seq = p.item_seq`

export function readNewest(
  { sql }: Connection,
  feedId: QueryFeedId,
  { limit, before }: { readonly limit: number; readonly before?: PublicationSeq },
): PublishedEntry[] {
  const rows = sql(`${SELECT_ENTRY} WHERE p.feed_id = ? AND p.seq < ? ORDER BY p.seq DESC LIMIT ?`)
  return (rows.all(feedId, before ?? Number.MAX_SAFE_INTEGER, Math.max(0, limit)) as EntryRow[]).map(entryOf)
}

export function readAfter(
  { sql }: Connection,
  feedId: QueryFeedId,
  page: { readonly after: PublicationSeq; readonly limit: number; readonly withHistory?: boolean },
): PublishedEntry[] {
  const rows = sql(`${SELECT_ENTRY} WHERE p.feed_id = ? AND p.seq > ? AND p.history <= ? ORDER BY p.seq LIMIT ?`)
  const most = page.withHistory === true ? 1 : 0
  return (rows.all(feedId, page.after, most, Math.max(0, page.limit)) as EntryRow[]).map(entryOf)
}

function entryOf(row: EntryRow): PublishedEntry {
  return {
    seq: row.publication_seq,
    feedId: row.feed_id,
    itemSeq: row.seq,
    publishedAt: row.published_at,
    isHistory: row.history === 1,
    joined: row.joined === null ? [] : (JSON.parse(row.joined) as ItemSeq[]),
    item: itemOf(row),
  }
}

export function readPublicationState(
  { sql }: Connection,
  feedId: QueryFeedId,
): { readonly count: number; readonly lastSeq: PublicationSeq } {
  return sql(
    `SELECT coalesce((SELECT publications FROM publication_count WHERE feed_id = ?), 0) AS count,
       coalesce((SELECT max(seq) FROM publication WHERE feed_id = ?), 0) AS lastSeq`,
  ).get(feedId, feedId) as { count: number; lastSeq: number }
}

export function readPublishedIn({ sql }: Connection, seqs: readonly ItemSeq[]): Map<ItemSeq, QueryFeedId[]> {
  const select = sql('SELECT feed_id FROM publication WHERE item_seq = ? ORDER BY feed_id').pluck()
  const found = new Map<ItemSeq, QueryFeedId[]>()
  for (const seq of seqs) {
    const ids = select.all(seq) as QueryFeedId[]
    if (ids.length > 0) found.set(seq, ids)
  }
  return found
}

export function readPublishedSeqs(
  { sql }: Connection,
  feedId: QueryFeedId,
  { after, upTo, limit }: { readonly after: ItemSeq; readonly upTo: ItemSeq; readonly limit: number },
): ItemSeq[] {
  const seqs = sql(
    `SELECT item_seq FROM publication WHERE feed_id = ? AND item_seq > ? AND item_seq <= ?
     ORDER BY item_seq DESC LIMIT ?`,
  )
  return (seqs.pluck().all(feedId, after, upTo, Math.max(0, limit)) as ItemSeq[]).reverse()
}

function isClearing({ sql }: Connection, feedId: QueryFeedId): boolean {
  return sql('SELECT clearing FROM query_feed WHERE id = ?').pluck().get(feedId) === 1
}
