import type { ItemSeq } from '../../../model/index.ts'
import type { BackgroundWatch } from '../../../runtime/supervisor.ts'
import { type ItemRow, searchableOf } from '../../rows/items.ts'
import type { Access, Sql } from '../database/sql.ts'
import { isLastInRoom, rowsInRoom } from '../items/in-room.ts'
import { indexedWords } from './words.ts'

/** Items in one transaction; its cost for each item falls with their number, the time that others wait grows. */
const BATCH = 500
const PAUSE_MS = 1_000

export interface Indexer {
  /** After a commit: what it brought is indexed after a pause. */
  written(): void
  /** Indexes all that is stored by now; a search calls it first and is so exact at any time. */
  complete(): Promise<void>
  /** Ends the work; what waits is indexed by whoever comes next. */
  stop(): Promise<void>
}

/** Keeps the text index behind a watermark, outside the transactions that store items. Any number of processes may do so. */
export function createIndexer(access: Access, watch?: BackgroundWatch): Indexer {
  let timer: NodeJS.Timeout | null = null
  let work: Promise<void> = Promise.resolve()
  /** One at a time: whoever else indexes is waited for, and each who waits keeps a connection. */
  let isWorking = false
  let isMore = false
  let isStopped = false
  const isBehind = async () =>
    (await access.first(
      `SELECT 1 WHERE (SELECT seq FROM words_position) < (SELECT seq FROM log_position)
         OR EXISTS (SELECT 1 FROM stale_words)`,
    )) !== null
  const complete = async () => {
    while ((await isBehind()) && (await access.transaction(['words'], indexSome))) {}
  }
  const watched = () =>
    complete().then(
      () => watch?.succeeded(),
      (error: unknown) => watch?.recordFailure(error),
    )
  const later = () => {
    isMore ||= isWorking
    if (timer !== null || isWorking) return
    timer = setTimeout(() => {
      timer = null
      isWorking = true
      isMore = false
      work = watched().then(() => {
        isWorking = false
        if (isMore && !isStopped) later()
      })
    }, PAUSE_MS)
    timer.unref()
  }
  return {
    written: later,
    complete,
    async stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      timer = null
      await work
    },
  }
}

/**
 * Some of what is not indexed, edits first; returns whether there may be more. Items become visible in the order of their
 * numbers, so that one number says which are indexed.
 */
async function indexSome(sql: Sql): Promise<boolean> {
  return (await indexEdited(sql)) || (await indexFresh(sql))
}

/** What is edited again meanwhile stands there again. */
async function indexEdited(sql: Sql): Promise<boolean> {
  const stale = await sql.rows<{ id: number; seq: ItemSeq }>(
    `SELECT id, seq FROM stale_words ORDER BY id LIMIT ${BATCH}`,
  )
  if (stale.length === 0) return false
  const places = 'SELECT place, item_seq FROM unnest($1::bigint[]) WITH ORDINALITY AS u (item_seq, place)'
  const seqs = stale.map(({ seq }) => seq)
  const rows = await rowsInRoom(sql, places, [seqs], 'first')
  await writeWords(sql, rows)
  const last = rows.at(-1)
  const count = last !== undefined && isLastInRoom(last) ? last.place : stale.length
  await sql.run('DELETE FROM stale_words WHERE id = ANY ($1::bigint[])', [stale.slice(0, count).map(({ id }) => id)])
  return true
}

async function indexFresh(sql: Sql): Promise<boolean> {
  const newest = (await sql.first<{ seq: ItemSeq }>('SELECT seq FROM log_position'))?.seq ?? 0
  const places = `SELECT seq AS place, seq AS item_seq FROM item
    WHERE seq > (SELECT seq FROM words_position) AND seq <= $1 ORDER BY seq LIMIT ${BATCH}`
  const rows = await rowsInRoom(sql, places, [newest], 'first')
  await writeWords(sql, rows)
  const last = rows.at(-1)
  const isMore = last !== undefined && (rows.length === BATCH || isLastInRoom(last))
  await sql.run('UPDATE words_position SET seq = greatest(seq, $1)', [isMore ? last.seq : newest])
  return isMore
}

async function writeWords(sql: Sql, rows: readonly ItemRow[]): Promise<void> {
  if (rows.length === 0) return
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  await sql.run(
    `INSERT INTO item_words (seq, words)
     SELECT u.seq, array_to_tsvector(string_to_array(u.words, ' ')) FROM unnest($1::bigint[], $2::text[]) AS u (seq, words)
     ON CONFLICT (seq) DO UPDATE SET words = excluded.words`,
    [[...bySeq.keys()], [...bySeq.values()].map((row) => indexedWords(searchableOf(row)))],
  )
}
