import { entryAt } from '../../../model/entry-at.ts'
import type { ItemSeq, SourceId } from '../../../model/index.ts'
import type { Bounds } from '../../rows/bounds.ts'
import type { Connection } from '../database/connection.ts'

/** The next item of one source in the merge. */
interface Head {
  readonly sourceId: SourceId
  readonly sortAt: number
  readonly seq: ItemSeq
}

const NEXT = `
  SELECT sort_at, seq FROM item WHERE source_id = ? AND sort_at >= ? AND (sort_at, seq) < (?, ?)
  ORDER BY sort_at DESC, seq DESC LIMIT 1`

/**
 * The newest items of many sources by merging their own sequences: one index look-up per source and one per item given
 * out, however many items the archive or the sources hold.
 */
export function newestOfMany(
  connection: Connection,
  ids: readonly SourceId[],
  bounds: Bounds,
  limit: number,
): ItemSeq[] {
  const statement = connection.sql(NEXT).raw()
  const next = (sourceId: SourceId, beforeAt: number, beforeSeq: number): Head | null => {
    const row = statement.get(sourceId, bounds.since, beforeAt, beforeSeq) as [number, ItemSeq] | undefined
    return row === undefined ? null : { sourceId, sortAt: row[0], seq: row[1] }
  }
  const heads = ids
    .map((id) => next(id, bounds.beforeAt, bounds.beforeSeq))
    .filter((head) => head !== null)
    .sort((a, b) => compare(a, b))
    // No more than `limit` sources can be among the newest `limit` items.
    .slice(0, limit)
  const seqs: ItemSeq[] = []
  while (seqs.length < limit) {
    const newest = heads.shift()
    if (newest === undefined) break
    seqs.push(newest.seq)
    const following = next(newest.sourceId, newest.sortAt, newest.seq)
    if (following !== null) insert(heads, following)
  }
  return seqs
}

/** Newest first. */
function compare(a: Head, b: Head): number {
  return b.sortAt - a.sortAt || b.seq - a.seq
}

function insert(heads: Head[], head: Head): void {
  let low = 0
  let high = heads.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(entryAt(heads, middle), head) < 0) low = middle + 1
    else high = middle
  }
  heads.splice(low, 0, head)
}
