import type { ItemSeq, SourceId, UserId } from '../../../model/index.ts'
import type { ReadingStore } from '../../reading.ts'
import type { Access, Sql } from '../database/sql.ts'
import { EVERY_SOURCE, IS_READ, ITS_MARK } from './marks.ts'
import { readSeqsToRead } from './reading-list.ts'

/** The part of the store that speaks of what users have read. */
export function readingVerbs(access: Access): ReadingStore {
  return {
    async marks(user, seqs) {
      const rows = await access.rows<{ seq: ItemSeq; read: boolean; starred: boolean }>(
        `SELECT i.seq, ${IS_READ} AS read, coalesce(m.starred, false) AS starred
         FROM item i ${ITS_MARK} WHERE i.seq = ANY ($2::bigint[])`,
        [user, seqs],
      )
      return new Map(rows.map(({ seq, read, starred }) => [seq, { isRead: read, isStarred: starred }]))
    },
    async markItems(user, seqs, { isRead, isStarred }) {
      const rows = await access.rows<{ seq: ItemSeq }>(
        `INSERT INTO item_mark AS m (user_id, seq, read, starred)
         SELECT $1, seq, $3::boolean, coalesce($4::boolean, false) FROM item WHERE seq = ANY ($2::bigint[]) ORDER BY seq
         ON CONFLICT (user_id, seq) DO UPDATE SET read = coalesce($3, m.read), starred = coalesce($4, m.starred)
         RETURNING seq`,
        [user, seqs, isRead ?? null, isStarred ?? null],
      )
      const known = new Set(rows.map(({ seq }) => seq))
      return seqs.filter((seq) => known.has(seq)).length
    },
    async markAllRead(user, scope, upTo) {
      if (scope.kind !== 'feed') await access.transaction([], (sql) => readUpTo(sql, user, scope, upTo))
      const feeds = scope.kind === 'feed' ? [scope.id] : scope.kind === 'sources' ? scope.feeds : []
      if (feeds.length === 0) return
      await access.run(
        `INSERT INTO item_mark (user_id, seq, read, starred)
         SELECT DISTINCT $1::bigint, item_seq, true, false FROM publication
         WHERE feed_id = ANY ($2::bigint[]) AND item_seq <= $3 ORDER BY item_seq
         ON CONFLICT (user_id, seq) DO UPDATE SET read = true`,
        [user, feeds, upTo],
      )
    },
    seqsToRead: (user, query) => access.snapshot((sql) => readSeqsToRead(sql, user, query)),
    async starred(user, { before, limit }) {
      const rows = await access.rows<{ seq: ItemSeq }>(
        `SELECT m.seq FROM item_mark m JOIN item i ON i.seq = m.seq
         WHERE m.user_id = $1 AND m.starred AND m.seq < $2 ORDER BY m.seq DESC LIMIT $3`,
        [user, before ?? Number.MAX_SAFE_INTEGER, Math.max(0, limit)],
      )
      return rows.map(({ seq }) => seq)
    },
    async unread(user, among) {
      const rows = await access.rows<{ source_id: SourceId; count: number }>(
        `SELECT i.source_id, count(*) AS count FROM
           (SELECT seq, source_id FROM item ORDER BY sort_at DESC, seq DESC LIMIT $2) i
         ${ITS_MARK} WHERE NOT ${IS_READ} GROUP BY i.source_id`,
        [user, among],
      )
      return new Map(rows.map(({ source_id, count }) => [source_id, count]))
    },
    ...followVerbs(access),
    ...trustVerbs(access),
  }
}

type Scope = Exclude<Parameters<ReadingStore['markAllRead']>[1], { readonly kind: 'feed' }>

/** What was said of single items up to there is settled with it; stars stay. In a transaction. */
async function readUpTo(sql: Sql, user: UserId, scope: Scope, upTo: ItemSeq): Promise<void> {
  const { sources, value } = sourcesOf(scope)
  const values = [user, upTo, ...(value === undefined ? [] : [value])]
  await sql.run(
    `INSERT INTO read_up_to AS r (user_id, source_id, seq) SELECT $1, id, $2 FROM (${sources}) AS s (id) ORDER BY id
     ON CONFLICT (user_id, source_id) DO UPDATE SET seq = greatest(r.seq, excluded.seq)`,
    values,
  )
  const isIn = scope.kind === 'all' ? '' : `AND m.seq IN (SELECT i.seq FROM item i WHERE i.source_id IN (${sources}))`
  await sql.run(
    `UPDATE item_mark m SET read = NULL WHERE m.user_id = $1 AND m.seq <= $2 AND m.read IS NOT NULL ${isIn}`,
    values,
  )
  await sql.run('DELETE FROM item_mark WHERE user_id = $1 AND read IS NULL AND NOT starred', [user])
}

/** A statement that gives their numbers; `value` is its $3. */
function sourcesOf(scope: Scope): {
  readonly sources: string
  readonly value?: SourceId | string | readonly SourceId[]
} {
  if (scope.kind === 'all') return { sources: `SELECT ${EVERY_SOURCE}::bigint` }
  if (scope.kind === 'source') return { sources: 'SELECT $3::bigint', value: scope.sourceId }
  if (scope.kind === 'sources') return { sources: 'SELECT unnest($3::bigint[])', value: scope.ids }
  return { sources: 'SELECT source_id FROM source_folder WHERE folder = $3', value: scope.category }
}

function followVerbs(access: Access): Pick<ReadingStore, 'follows' | 'follow' | 'unfollow'> {
  return {
    follows: (user) =>
      access.rows(
        `SELECT user_id AS "userId", feed, since FROM follow WHERE user_id = coalesce($1, user_id) ORDER BY user_id, feed`,
        [user ?? null],
      ),
    follow: async ({ userId, feed, since }) =>
      void (await access.run(
        `INSERT INTO follow (user_id, feed, since) SELECT id, $2, $3 FROM account WHERE id = $1 ON CONFLICT DO NOTHING`,
        [userId, feed, since],
      )),
    unfollow: async (user, feed) =>
      (await access.run('DELETE FROM follow WHERE user_id = $1 AND feed = $2', [user, feed])) > 0,
  }
}

function trustVerbs(access: Access): Pick<ReadingStore, 'setTrust' | 'trust' | 'meanTrust'> {
  return {
    async setTrust(user, sourceId, trust) {
      if (trust === 1) {
        await access.run('DELETE FROM trust WHERE user_id = $1 AND source_id = $2', [user, sourceId])
        return
      }
      await access.run(
        `INSERT INTO trust (user_id, source_id, trust) SELECT $1, id, $3 FROM source WHERE id = $2
         ON CONFLICT (user_id, source_id) DO UPDATE SET trust = excluded.trust`,
        [user, sourceId, trust],
      )
    },
    async trust(user) {
      const rows = await access.rows<{ source_id: SourceId; trust: number }>(
        'SELECT source_id, trust FROM trust WHERE user_id = $1',
        [user],
      )
      return new Map(rows.map(({ source_id, trust }) => [source_id, trust]))
    },
    async meanTrust() {
      const rows = await access.rows<{ source_id: SourceId; mean: number }>(
        `SELECT source_id, 1 - sum(1 - trust) / (SELECT count(*) FROM account) AS mean FROM trust GROUP BY source_id`,
      )
      return new Map(rows.map(({ source_id, mean }) => [source_id, mean]))
    },
  }
}
