import type { SourceId } from '../../../model/index.ts'

/** In `read_up_to`: holds for all sources. */
export const EVERY_SOURCE: SourceId = 0

/** What was said of the item itself, else whether all up to it was read at once. The user is $1. */
export const IS_READ = `coalesce(m.read, i.seq <= greatest(
  (SELECT seq FROM read_up_to WHERE user_id = $1 AND source_id = ${EVERY_SOURCE}),
  (SELECT seq FROM read_up_to WHERE user_id = $1 AND source_id = i.source_id), 0))`
export const ITS_MARK = 'LEFT JOIN item_mark m ON m.user_id = $1 AND m.seq = i.seq'
