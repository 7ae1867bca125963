import type { ItemSeq, SourceId, UserId } from '../../../model/index.ts'
import type { Connection } from '../database/connection.ts'

/** In `read_up_to`: holds for all sources. */
export const EVERY_SOURCE: SourceId = 0

/** What was said of the item itself, else whether all up to it was read at once. */
export const IS_READ = `coalesce(m.read, i.seq <= max(
  coalesce((SELECT seq FROM read_up_to WHERE user_id = :user AND source_id = ${EVERY_SOURCE}), 0),
  coalesce((SELECT seq FROM read_up_to WHERE user_id = :user AND source_id = i.source_id), 0)))`
export const ITS_MARK = 'LEFT JOIN item_mark m ON m.user_id = :user AND m.seq = i.seq'

export function readUpToEverything({ sql }: Connection, user: UserId): ItemSeq {
  const row = sql<ItemSeq>(`SELECT seq FROM read_up_to WHERE user_id = ? AND source_id = ${EVERY_SOURCE}`).pluck()
  return row.get(user) ?? 0
}
