import { valueAt } from '../../../model/entry-at.ts'
import type {
  InstantMs,
  ItemSeq,
  PublicationSeq,
  PublishedEntry,
  QueryFeed,
  QueryFeedId,
} from '../../../model/index.ts'
import type { CatchUpRecord, NewPublication, PublicationPage, PublishRecord, PublishResult } from '../../query-feeds.ts'
import { columnsWithoutTexts, type ItemRow, itemColumns, itemOf } from '../../rows/items.ts'
import { catchUpAfterStretch, isClearingAfterStretch, isStretchOf } from '../../rules/catch-up.ts'
import { publishedOf } from '../../rules/publications.ts'
import { firstWithinLimit } from '../../text-limit.ts'
import type { Connection } from '../database/connection.ts'
import { markQueriesChanged } from './query-feeds.ts'
import { writeSelectivities } from './selectivities.ts'

/** After the reader was moved to where the record ends. */
export function writePublications(connection: Connection, record: PublishRecord): PublishResult {
  const published = publishedOf([], insertAll(connection, record.publications, record.at))
  writeSelectivities(connection, record)
  return published
}

/** `publicationsToMake` of src/store/rules, in one statement for each; the feed of each that was added. */
function insertAll(connection: Connection, given: readonly NewPublication[], at: InstantMs): QueryFeedId[] {
  const insert = connection.sql(
    `INSERT OR IGNORE INTO publication (feed_id, item_seq, published_at, history, joined, origin)
     SELECT f.id, i.seq, @at, i.seq <= f.history_up_to, @joined, @origin FROM query_feed f, item i
     WHERE f.id = @feedId AND f.version = @version AND i.seq = @itemSeq AND NOT EXISTS (
       SELECT 1 FROM publication p JOIN item o ON o.seq = p.item_seq
       WHERE p.feed_id = @feedId AND p.origin = @origin AND p.item_seq <> @itemSeq AND (@isClaimed OR o.title IS i.title))`,
  )
  const addedTo: QueryFeedId[] = []
  for (const { feedId, version, itemSeq, joined, origin } of given) {
    const packed = joined.length === 0 ? null : JSON.stringify(joined)
    const row = { at, joined: packed, feedId, version, itemSeq, origin: origin?.id ?? null }
    if (insert.run({ ...row, isClaimed: Number(origin?.isClaimed ?? false) }).changes > 0) addedTo.push(feedId)
  }
  return addedTo
}

interface StretchRow extends Pick<QueryFeed, 'version' | 'catchUpAfter'> {
  readonly clearing: 0 | 1
}

/** `feedIds`: those that the stretch was for. */
export function writeCatchUp(
  connection: Connection,
  record: CatchUpRecord,
): { readonly published: PublishResult; readonly feedIds: readonly QueryFeedId[] } {
  const { sql } = connection
  const find = sql('SELECT version, catch_up_after AS catchUpAfter, clearing FROM query_feed WHERE id = ?')
  const move = sql('UPDATE query_feed SET catch_up_after = ?, clearing = ? WHERE id = ?')
  const given = new Map<QueryFeedId, ItemSeq[]>()
  const withdrawnFrom: QueryFeedId[] = []
  let isCleared = false
  for (const { feedId, version } of record.feeds) {
    const feed = find.get(feedId) as StretchRow | undefined
    if (feed === undefined || !isStretchOf(record, version, feed)) continue
    const isClearing = isClearingAfterStretch(feed.clearing === 1, record)
    move.run(catchUpAfterStretch(record), Number(isClearing), feedId)
    isCleared ||= feed.clearing === 1 && !isClearing
    given.set(feedId, [])
  }
  const publications = record.publications.filter(({ feedId }) => given.has(feedId))
  for (const { feedId, itemSeq } of publications) valueAt(given, feedId).push(itemSeq)
  for (const [feedId, seqs] of given)
    if (withdrawOthers(connection, feedId, record, seqs) > 0) withdrawnFrom.push(feedId)
  // Who keeps in memory what may be shown learns that it may be again.
  if (isCleared) markQueriesChanged(connection)
  const addedTo = insertAll(connection, publications, record.at)
  return { published: publishedOf(withdrawnFrom, addedTo), feedIds: [...given.keys()] }
}

/** Those of which `isWithdrawn` is true; returns how many. */
function withdrawOthers(
  { sql }: Connection,
  feedId: QueryFeedId,
  { after, upTo }: CatchUpRecord,
  given: readonly ItemSeq[],
): number {
  // A new feed has nothing to withdraw, which is seen without walking the stretch.
  if (sql('SELECT 1 FROM publication WHERE feed_id = ? LIMIT 1').get(feedId) === undefined) return 0
  return sql(
    `DELETE FROM publication WHERE feed_id = ? AND item_seq > ? AND item_seq <= ?
     AND item_seq NOT IN (SELECT value FROM json_each(?))`,
  ).run(feedId, after, upTo, JSON.stringify(given)).changes
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

interface EntryRow extends ItemRow {
  readonly publication_seq: number
  readonly feed_id: number
  readonly published_at: number
  readonly history: number
  readonly joined: string | null
}

const selectEntry = (columns: string) => `
  SELECT p.seq AS publication_seq, p.feed_id, p.published_at, p.history, p.joined, ${columns}
  FROM publication p CROSS JOIN item ON item.seq = p.item_seq`
const SELECT_ENTRY = selectEntry(itemColumns('item.'))
const SELECT_LABELS = selectEntry(columnsWithoutTexts('item.'))

type ReadRows = (select: string, from: PublicationSeq, limit: number) => Iterable<EntryRow>

/** Whole as far as there is room in memory; the rest without texts, or not at all for a caller that needs them. */
function entriesWithinLimit(read: ReadRows, from: PublicationSeq, limit: number, whole = false): PublishedEntry[] {
  const first = firstWithinLimit(read(SELECT_ENTRY, from, limit), (row) => row)
  const last = first.at(-1)
  if (!whole && last !== undefined && first.length < limit)
    first.push(...read(SELECT_LABELS, last.publication_seq, limit - first.length))
  return first.map(entryOf)
}

export function readNewest(
  { sql }: Connection,
  feedId: QueryFeedId,
  { limit, before }: { readonly limit: number; readonly before?: PublicationSeq },
): PublishedEntry[] {
  const read: ReadRows = (select, from, most) => {
    const rows = sql(`${select} WHERE p.feed_id = ? AND p.seq < ? ORDER BY p.seq DESC LIMIT ?`)
    return rows.iterate(feedId, from, most) as Iterable<EntryRow>
  }
  return entriesWithinLimit(read, before ?? Number.MAX_SAFE_INTEGER, Math.max(0, limit))
}

/** Numbers grow with time: what comes before the last that is too old is not read. */
export function countBetween({ sql }: Connection, feedId: QueryFeedId, since: InstantMs, until: InstantMs): number {
  return sql(
    `SELECT count(*) FROM publication WHERE feed_id = :feedId AND history = 0 AND published_at >= :since
     AND published_at < :until AND seq > coalesce((
       SELECT seq FROM publication WHERE feed_id = :feedId AND published_at < :since ORDER BY seq DESC LIMIT 1
     ), 0)`,
  )
    .pluck()
    .get({ feedId, since, until }) as number
}

export function readAfter(
  { sql }: Connection,
  feedId: QueryFeedId,
  { after, limit, withHistory = false, whole = false }: PublicationPage,
): PublishedEntry[] {
  const read: ReadRows = (select, from, most) => {
    const rows = sql(`${select} WHERE p.feed_id = ? AND p.seq > ? AND p.history <= ? ORDER BY p.seq LIMIT ?`)
    return rows.iterate(feedId, from, withHistory ? 1 : 0, most) as Iterable<EntryRow>
  }
  return entriesWithinLimit(read, after, Math.max(0, limit), whole)
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
