import { type Cursor, NODE_READER } from '../../../buffer/buffer.ts'
import type { InstantMs, ItemSeq, QueryFeedId, Shard } from '../../../model/index.ts'
import { QUERY_READER } from '../../query-feeds.ts'
import type { QueryPart, QueryShards } from '../../query-shards.ts'
import { leaseLost } from '../../rules/leases.ts'
import { isDividedAnew, placesAfter } from '../../rules/query-places.ts'
import { LAST_CURSOR } from '../buffer/buffer-rows.ts'
import { findReader, itemsBefore, moveReader, writeReader } from '../buffer/reader-rows.ts'
import { currentTokens } from '../cluster/current-part.ts'
import { readCounter } from '../database/counters.ts'
import { slowestCursor } from '../database/slowest-cursor.ts'
import type { Access, Sql } from '../database/sql.ts'
import { writeCatchUpRecord, writePublishRecord } from './publishing.ts'

export function createPostgresQueryShards(access: Access): QueryShards {
  const toldBuffer = async <T>(written: Promise<T>): Promise<T> => {
    const result = await written
    access.bufferChanged()
    return result
  }
  return {
    division: () =>
      access.snapshot(async (sql) => ({
        number: await readDivision(sql),
        shards: await readShards(sql),
        places: new Set((await readPlaces(sql)).keys()),
        isReading: (await findReader(sql, QUERY_READER)) !== null,
      })),
    async places() {
      const rows = await access.rows<{ shard: Shard; cursor: Cursor; itemSeq: ItemSeq }>(
        `SELECT s.shard, s.cursor, ${itemsBefore('s.cursor')} AS "itemSeq" FROM query_shard s ORDER BY s.shard`,
      )
      return new Map(rows.map(({ shard, ...place }) => [shard, place]))
    },
    assign: (shards, revision) =>
      toldBuffer(
        access.transaction(['settings', 'publications'], async (sql) => {
          if ((await readCounter(sql, 'queries')) !== revision) return false
          await divideAnew(sql, shards, access.now())
          return true
        }),
      ),
    publish: (record, part) =>
      toldBuffer(
        access.transaction(['publications'], async (sql) => {
          await demandPart(sql, part)
          const { isFirst } = await movePlaces(sql, [...part.tokens.keys()], record.cursor, access.now())
          return writePublishRecord(sql, record, { countsItems: isFirst })
        }),
      ),
    publishCatchUp: (record, part) =>
      access.transaction(['settings', 'publications'], async (sql) => {
        await demandPart(sql, part)
        return writeCatchUpRecord(sql, record)
      }),
  }
}

/** Within a transaction that holds the lock "publications": nobody divides or takes over before it ends. */
async function demandPart(sql: Sql, { division, tokens }: QueryPart): Promise<void> {
  const current = await currentTokens(sql, 'matcher', tokens.keys())
  if ((await readDivision(sql)) !== division) throw leaseLost(undefined)
  for (const [shard, token] of tokens) if (current.get(shard) !== token) throw leaseLost({ shard, token })
}

/** The reader follows the last of them. `isFirst`: the first of all shards is among these. */
async function movePlaces(
  sql: Sql,
  shards: readonly Shard[],
  cursor: Cursor,
  now: InstantMs,
): Promise<{ readonly isFirst: boolean }> {
  await sql.run('UPDATE query_shard SET cursor = greatest(cursor, $2) WHERE shard = ANY ($1::integer[])', [
    shards,
    cursor,
  ])
  const all = await sql.first<{ least: Cursor | null; first: Shard | null }>(
    'SELECT min(cursor) AS least, min(shard) AS first FROM query_shard',
  )
  if (all === null || all.least === null || all.first === null) return { isFirst: false }
  await moveReader(sql, QUERY_READER, all.least, now)
  return { isFirst: shards.includes(all.first) }
}

/** Within a transaction that holds the locks "settings" and "publications". */
async function divideAnew(sql: Sql, after: ReadonlyMap<QueryFeedId, Shard>, now: InstantMs): Promise<void> {
  const before = await readShards(sql)
  const places = await readPlaces(sql)
  const redivision = { before, after, places, following: await readFollowing(sql) }
  const least = await readFrom(sql, after.size > 0, now)
  await writeShards(sql, before, after)
  const found = placesAfter({ ...redivision, least })
  await sql.run('DELETE FROM query_shard')
  await sql.run('INSERT INTO query_shard (shard, cursor) SELECT * FROM unnest($1::integer[], $2::bigint[])', [
    [...found.keys()],
    [...found.values()],
  ])
  // A shard that is no more may have been the last one.
  if (found.size > 0) await moveReader(sql, QUERY_READER, Math.min(...found.values()), now)
  if (isDividedAnew(redivision)) await sql.run('UPDATE query_division SET number = number + 1')
}

/** There may be very many, of which few change. */
async function writeShards(
  sql: Sql,
  before: ReadonlyMap<QueryFeedId, Shard>,
  after: ReadonlyMap<QueryFeedId, Shard>,
): Promise<void> {
  const gone = [...before.keys()].filter((id) => !after.has(id))
  const changed = [...after].filter(([id, shard]) => before.get(id) !== shard)
  await sql.run('DELETE FROM query_feed_shard WHERE feed_id = ANY ($1::bigint[])', [gone])
  await sql.run(
    `INSERT INTO query_feed_shard (feed_id, shard) SELECT * FROM unnest($1::bigint[], $2::integer[])
     ON CONFLICT (feed_id) DO UPDATE SET shard = excluded.shard`,
    [changed.map(([id]) => id), changed.map(([, shard]) => shard)],
  )
}

/** Where the reader is; it is there as long as there are feeds. */
async function readFrom(sql: Sql, hasFeeds: boolean, now: InstantMs): Promise<Cursor> {
  if (hasFeeds) {
    await writeReader(sql, QUERY_READER, { from: 'end', ...NODE_READER }, now)
    return (await findReader(sql, QUERY_READER))?.cursor ?? 0
  }
  await sql.run('DELETE FROM buffer_reader WHERE name = $1', [QUERY_READER])
  await sql.run(`DELETE FROM buffer_entry WHERE cursor <= ${slowestCursor('$1')}`, [now])
  return (await sql.first<{ last: Cursor }>(`SELECT ${LAST_CURSOR} AS last`))?.last ?? 0
}

async function readDivision(sql: Sql): Promise<number> {
  return (await sql.first<{ number: number }>('SELECT number FROM query_division'))?.number ?? 0
}

async function readShards(sql: Sql): Promise<Map<QueryFeedId, Shard>> {
  const rows = await sql.rows<{ feed_id: QueryFeedId; shard: Shard }>('SELECT feed_id, shard FROM query_feed_shard')
  return new Map(rows.map(({ feed_id, shard }) => [feed_id, shard]))
}

async function readPlaces(sql: Sql): Promise<Map<Shard, Cursor>> {
  const rows = await sql.rows<{ shard: Shard; cursor: Cursor }>('SELECT shard, cursor FROM query_shard')
  return new Map(rows.map(({ shard, cursor }) => [shard, cursor]))
}

async function readFollowing(sql: Sql): Promise<Set<QueryFeedId>> {
  const rows = await sql.rows<{ id: QueryFeedId }>('SELECT id FROM query_feed WHERE catch_up_after IS NULL')
  return new Set(rows.map(({ id }) => id))
}
