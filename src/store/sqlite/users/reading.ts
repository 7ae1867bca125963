import type { ItemSeq, Mark, QueryFeedId, SourceId, UserId } from '../../../model/index.ts'
import type { Follow, ReadingScope, ReadingStore } from '../../reading.ts'
import type { DatabaseAccess } from '../database/access.ts'
import type { Connection } from '../database/connection.ts'
import { EVERY_SOURCE, IS_READ, ITS_MARK } from './marks.ts'
import { readSeqsToRead } from './reading-list.ts'

const SOURCES_AT_A_TIME = 500

/** The part of the store for what users have read. */
export function readingVerbs({ connection, read, write, snapshot }: DatabaseAccess): ReadingStore {
  const { sql } = connection
  return {
    marks: (user, seqs) => snapshot(() => readMarks(connection, user, seqs)),
    markItems: (user, seqs, mark) =>
      write(() => seqs.reduce((count, seq) => count + writeMark(connection, user, seq, mark), 0)),
    async markAllRead(user, scope, upTo) {
      const ids = await read(() => markedSources(connection, scope))
      for (let at = 0; at < ids.length; at += SOURCES_AT_A_TIME) {
        await write(() => readUpTo(connection, user, ids.slice(at, at + SOURCES_AT_A_TIME), upTo))
      }
      const feeds = scope.kind === 'feed' ? [scope.id] : scope.kind === 'sources' ? scope.feeds : []
      for (const feed of feeds) await write(() => readFeedUpTo(connection, user, feed, upTo))
    },
    seqsToRead: (user, query) => snapshot(() => readSeqsToRead(connection, user, query)),
    starred: (user, { before, limit }) =>
      read(() =>
        sql<ItemSeq>(
          `SELECT m.seq FROM item_mark m WHERE m.user_id = ? AND m.starred = 1 AND m.seq < ?
             AND EXISTS (SELECT 1 FROM item i WHERE i.seq = m.seq) ORDER BY m.seq DESC LIMIT ?`,
        )
          .pluck()
          .all(user, before ?? Number.MAX_SAFE_INTEGER, Math.max(0, limit)),
      ),
    unread: (user, among) =>
      snapshot(() => {
        const rows = sql<[SourceId, number]>(
          `SELECT i.source_id, count(*) FROM
             (SELECT seq, source_id FROM item INDEXED BY item_by_time ORDER BY sort_at DESC, seq DESC LIMIT :among) i
           ${ITS_MARK} WHERE NOT ${IS_READ} GROUP BY i.source_id`,
        ).raw()
        return new Map(rows.all({ user, among }))
      }),

    follows: (user) =>
      read(() => {
        if (user === undefined)
          return sql<Follow>('SELECT user_id AS userId, feed, since FROM follow ORDER BY user_id, feed').all()
        // As one text: every request of a reader app reads them, and thousands of rows would take most of its time.
        const text = sql<string>(
          `SELECT json_group_array(json_array(feed, since)) FROM
             (SELECT feed, since FROM follow WHERE user_id = ? ORDER BY feed)`,
        )
        const rows = JSON.parse(text.pluck().get(user) ?? '[]') as [string, number][]
        return rows.map(([feed, since]): Follow => ({ userId: user, feed, since }))
      }),
    follow: ({ userId, feed, since }) =>
      write(() => {
        const owned = 'SELECT id, ?, ? FROM user WHERE id = ?'
        sql(`INSERT OR IGNORE INTO follow (user_id, feed, since) ${owned}`).run(feed, since, userId)
      }),
    unfollow: (user, feed) =>
      write(() => sql('DELETE FROM follow WHERE user_id = ? AND feed = ?').run(user, feed).changes > 0),

    setTrust: (user, sourceId, trust) =>
      write(() => {
        sql('DELETE FROM trust WHERE user_id = ? AND source_id = ?').run(user, sourceId)
        if (trust === 1) return
        sql('INSERT INTO trust (user_id, source_id, trust) SELECT ?, id, ? FROM source WHERE id = ?').run(
          user,
          trust,
          sourceId,
        )
      }),
    trust: (user) =>
      read(() => {
        const rows = sql<[SourceId, number]>('SELECT source_id, trust FROM trust WHERE user_id = ?').raw()
        return new Map(rows.all(user))
      }),
    meanTrust: () =>
      snapshot(() => {
        const users = Number(sql('SELECT count(*) FROM user').pluck().get())
        const rows = sql<[SourceId, number]>('SELECT source_id, sum(1 - trust) FROM trust GROUP BY source_id').raw()
        return new Map(rows.all().map(([id, lacking]) => [id, 1 - lacking / users]))
      }),
  }
}

function readMarks({ sql }: Connection, user: UserId, seqs: readonly ItemSeq[]): Map<ItemSeq, Mark> {
  const rows = sql<[ItemSeq, isRead: 0 | 1, isStarred: 0 | 1]>(
    `SELECT i.seq, ${IS_READ}, coalesce(m.starred, 0)
     FROM item i ${ITS_MARK} WHERE i.seq IN (SELECT value FROM json_each(:seqs))`,
  ).raw()
  const marks = rows.all({ user, seqs: JSON.stringify(seqs) })
  return new Map(marks.map(([seq, isRead, isStarred]) => [seq, { isRead: isRead === 1, isStarred: isStarred === 1 }]))
}

function writeMark({ sql }: Connection, user: UserId, seq: ItemSeq, { isRead, isStarred }: Partial<Mark>): number {
  if (sql('SELECT 1 FROM item WHERE seq = ?').get(seq) === undefined) return 0
  sql('INSERT OR IGNORE INTO item_mark (user_id, seq, read, starred) VALUES (?, ?, NULL, 0)').run(user, seq)
  if (isRead !== undefined) {
    sql('UPDATE item_mark SET read = ? WHERE user_id = ? AND seq = ?').run(isRead ? 1 : 0, user, seq)
  }
  if (isStarred !== undefined) {
    sql('UPDATE item_mark SET starred = ? WHERE user_id = ? AND seq = ?').run(isStarred ? 1 : 0, user, seq)
  }
  return 1
}

function markedSources({ sql }: Connection, scope: ReadingScope): readonly SourceId[] {
  if (scope.kind === 'all') return [EVERY_SOURCE]
  if (scope.kind === 'source') return [scope.sourceId]
  if (scope.kind === 'sources') return scope.ids
  if (scope.kind === 'feed') return []
  const members = sql<SourceId>('SELECT source_id FROM source_folder WHERE folder = ? ORDER BY source_id').pluck()
  return members.all(scope.category)
}

function readFeedUpTo({ sql }: Connection, user: UserId, feed: QueryFeedId, upTo: ItemSeq): void {
  sql(
    `INSERT INTO item_mark (user_id, seq, read, starred)
     SELECT ?, item_seq, 1, 0 FROM publication WHERE feed_id = ? AND item_seq <= ?
     ON CONFLICT DO UPDATE SET read = 1`,
  ).run(user, feed, upTo)
}

/** What was said of single items up to there is settled with it; stars stay. */
function readUpTo({ sql }: Connection, user: UserId, sourceIds: readonly SourceId[], upTo: ItemSeq): void {
  for (const id of sourceIds) {
    sql(
      `INSERT INTO read_up_to (user_id, source_id, seq) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq)`,
    ).run(user, id, upTo)
    const its = id === EVERY_SOURCE ? '' : 'AND seq IN (SELECT seq FROM item WHERE source_id = :id)'
    const settled = `user_id = :user AND seq <= :upTo AND read IS NOT NULL ${its}`
    sql(`UPDATE item_mark SET read = NULL WHERE ${settled}`).run({ user, upTo, id })
  }
  sql('DELETE FROM item_mark WHERE user_id = ? AND read IS NULL AND starred = 0').run(user)
}

const MARKS_BATCH = 1_000

export interface MarkPosition {
  readonly userId: UserId
  readonly seq: ItemSeq
}

/** Forgets marks of items that are gone, among the next ones after a place; returns where they end, null: all are seen. */
export function forgetMarks({ sql }: Connection, after: MarkPosition): MarkPosition | null {
  const range = '(user_id, seq) > (:userId, :seq)'
  const end = sql<{ readonly user_id: UserId; readonly seq: ItemSeq }>(
    `SELECT user_id, seq FROM item_mark WHERE ${range} ORDER BY user_id, seq LIMIT 1 OFFSET ${MARKS_BATCH - 1}`,
  )
  const last = end.get(after)
  const upTo = last === undefined ? '' : 'AND (user_id, seq) <= (:lastUser, :lastSeq)'
  sql(
    `DELETE FROM item_mark WHERE ${range} ${upTo}
     AND NOT EXISTS (SELECT 1 FROM item i WHERE i.seq = item_mark.seq)`,
  ).run({ ...after, ...(last === undefined ? {} : { lastUser: last.user_id, lastSeq: last.seq }) })
  return last === undefined ? null : { userId: last.user_id, seq: last.seq }
}
