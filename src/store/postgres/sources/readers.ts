import type { InstantMs } from '../../../model/index.ts'
import { type FeedRead, type Fetch, MOST_FETCHERS } from '../../scheduling.ts'
import type { Sql } from '../database/sql.ts'

/** Of one feed, or of one feed and reader, the latest: a statement may write a row only once. */
function latest<One extends { readonly at: InstantMs }>(all: readonly One[], keyOf: (one: One) => string): One[] {
  const byKey = new Map<string, One>()
  for (const one of all) if (one.at >= (byKey.get(keyOf(one))?.at ?? one.at)) byKey.set(keyOf(one), one)
  return [...byKey.values()]
}

export async function writeFeedReads(sql: Sql, reads: readonly FeedRead[]): Promise<void> {
  const given = latest(reads, ({ feed }) => feed)
  await sql.run(
    `INSERT INTO feed_read AS r (feed, at) SELECT * FROM unnest($1::text[], $2::bigint[]) AS u (feed, at) ORDER BY feed
     ON CONFLICT (feed) DO UPDATE SET at = greatest(r.at, excluded.at)`,
    [given.map(({ feed }) => feed), given.map(({ at }) => at)],
  )
}

export function readFeedReads(sql: Sql): Promise<FeedRead[]> {
  return sql.rows('SELECT feed, at FROM feed_read ORDER BY feed')
}

/** In a transaction. */
export async function writeFetches(sql: Sql, fetches: readonly Fetch[], forgetBefore: InstantMs): Promise<void> {
  await sql.run('DELETE FROM feed_fetch WHERE at < $1', [forgetBefore])
  const given = latest(fetches, ({ feed, reader }) => `${feed} ${reader}`)
  await sql.run(
    `INSERT INTO feed_fetch AS f (feed, reader, at, subscribers)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS u (feed, reader, at, subscribers)
     ORDER BY feed, reader
     ON CONFLICT (feed, reader) DO UPDATE SET at = excluded.at, subscribers = excluded.subscribers
       WHERE excluded.at >= f.at`,
    [
      given.map(({ feed }) => feed),
      given.map(({ reader }) => reader),
      given.map(({ at }) => at),
      given.map(({ subscribers }) => subscribers),
    ],
  )
  await sql.run(
    `DELETE FROM feed_fetch f USING (
       SELECT feed, reader, row_number() OVER (PARTITION BY feed ORDER BY at DESC, reader) AS place
       FROM feed_fetch WHERE feed = ANY ($1::text[])
     ) o WHERE o.place > ${MOST_FETCHERS} AND f.feed = o.feed AND f.reader = o.reader`,
    [[...new Set(fetches.map(({ feed }) => feed))]],
  )
}

export function readFetches(sql: Sql): Promise<Fetch[]> {
  return sql.rows('SELECT feed, reader, at, subscribers FROM feed_fetch ORDER BY feed, reader')
}
