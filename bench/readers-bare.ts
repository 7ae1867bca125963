import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { UserId } from '../src/model/index.ts'

/** What an answer takes of the database, as rows, and nothing else. */
export interface BareSql {
  ids(limit: number): number
  contents(limit: number): number
  close(): void
}

const FOLLOWED = `SELECT CAST(substr(feed, length('/feeds/source/') + 1) AS INTEGER) FROM follow WHERE user_id = :user`
const UP_TO = (source: string) =>
  `coalesce((SELECT seq FROM read_up_to WHERE user_id = :user AND source_id = ${source}), 0)`
const IS_UNREAD = `NOT coalesce(m.read, i.seq <= max(${UP_TO('0')}, ${UP_TO('i.source_id')}))`
const IDS = `SELECT i.seq FROM item i INDEXED BY item_arrival LEFT JOIN item_mark m ON m.user_id = :user AND m.seq = i.seq
  WHERE i.source_id IN (${FOLLOWED}) AND ${IS_UNREAD} ORDER BY i.seq DESC LIMIT :limit`
const WHOLE = `SELECT i.*, s.url, s.name, s.categories, t.title, t.site_url, m.read, m.starred
  FROM item i JOIN source s ON s.id = i.source_id JOIN source_state t ON t.source_id = s.id
  LEFT JOIN item_mark m ON m.user_id = :user AND m.seq = i.seq WHERE i.seq IN (SELECT value FROM json_each(:seqs))`

/** Labels of an item. */
const FEEDS = 'SELECT item_seq, feed_id FROM publication WHERE item_seq IN (SELECT value FROM json_each(:seqs))'

export function openBareSql(dataDir: string, user: UserId): BareSql {
  const db = new Database(join(dataDir, 'headwater.db'), { readonly: true })
  db.pragma('cache_size = -65536')
  const idsOf = db.prepare(IDS).pluck()
  const whole = db.prepare(WHOLE)
  const feeds = db.prepare(FEEDS)
  return {
    ids: (limit) => idsOf.all({ user, limit }).length,
    contents(limit) {
      const seqs = JSON.stringify(idsOf.all({ user, limit }))
      return whole.all({ user, seqs }).length + feeds.all({ seqs }).length
    },
    close: () => void db.close(),
  }
}
