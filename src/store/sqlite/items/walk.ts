import { entryAt } from '../../../model/entry-at.ts'
import type { ItemSeq, SourceId } from '../../../model/index.ts'
import type { Bounds } from '../../rows/bounds.ts'
import type { ItemScope } from '../../store.ts'
import type { Connection } from '../database/connection.ts'
import { newestOfMany } from './merge.ts'

const WITHIN = 'sort_at >= ? AND (sort_at, seq) < (?, ?)'
const NEWEST_FIRST = 'ORDER BY sort_at DESC, seq DESC LIMIT ?'

/** Below this number of hits they are fetched and sorted; above, the archive is walked and checked for membership. */
const FEW_HITS = 2_000
/** Up to this many sources a category is merged from their own newest items. See docs/decisions/0014-category-feeds.md. */
const FEW_SOURCES = 100
/** Rows of everything that a walk may pass before merging is tried, for categories whose sources are quiet. */
const WALK_ROWS = 20_000

/** Numbers of the items in scope and bounds, newest first; with `match`, those that the text index finds. */
export function seqsInOrder(
  connection: Connection,
  scope: ItemScope,
  bounds: Bounds,
  limit: number,
  match: string | null,
): ItemSeq[] {
  if (match !== null) return matchingSeqs(connection, scope, bounds, limit, match)
  switch (scope.kind) {
    case 'all':
      return plucked(connection, `SELECT seq FROM item WHERE ${WITHIN} ${NEWEST_FIRST}`, [...within(bounds), limit])
    case 'source':
      return sourceSeqs(connection, scope.sourceId, bounds, limit)
    case 'category':
      return categorySeqs(connection, scope.category, bounds, limit)
  }
}

function sourceSeqs(connection: Connection, sourceId: SourceId, bounds: Bounds, limit: number): ItemSeq[] {
  const values = [sourceId, ...within(bounds), limit]
  return plucked(connection, `SELECT seq FROM item WHERE source_id = ? AND ${WITHIN} ${NEWEST_FIRST}`, values)
}

function categorySeqs(connection: Connection, category: string, bounds: Bounds, limit: number): ItemSeq[] {
  const ids = plucked(connection, 'SELECT source_id FROM source_folder WHERE folder = ?', [category])
  if (ids.length > FEW_SOURCES) {
    const walked = walkCategory(connection, new Set(ids), bounds, limit)
    if (walked !== null) return walked
  }
  return newestOfMany(connection, ids, bounds, limit)
}

/** null: gave up, because the category is rare among the newest items. */
function walkCategory(
  connection: Connection,
  ids: ReadonlySet<SourceId>,
  bounds: Bounds,
  limit: number,
): ItemSeq[] | null {
  const found: ItemSeq[] = []
  const rows = connection
    .sql(`SELECT seq, source_id FROM item INDEXED BY item_by_time WHERE ${WITHIN} ${NEWEST_FIRST}`)
    .raw()
    .iterate(...within(bounds), WALK_ROWS) as IterableIterator<[ItemSeq, SourceId]>
  let passed = 0
  for (const [seq, sourceId] of rows) {
    passed += 1
    if (ids.has(sourceId)) found.push(seq)
    if (found.length === limit) return found
  }
  return passed < WALK_ROWS ? found : null
}

function matchingSeqs(
  connection: Connection,
  scope: ItemScope,
  bounds: Bounds,
  limit: number,
  match: string,
): ItemSeq[] {
  const hits = 'SELECT rowid FROM item_text WHERE item_text MATCH ?'
  const counted = plucked(connection, `SELECT count(*) FROM (${hits} LIMIT ${FEW_HITS + 1})`, [match])
  const [inScope, scopeValues] = scopeClause(scope)
  // `+seq` keeps SQLite from using the hits to lead; CROSS JOIN makes them lead.
  const sql =
    entryAt(counted, 0) <= FEW_HITS
      ? `SELECT i.seq FROM (${hits}) h CROSS JOIN item i ON i.seq = h.rowid WHERE ${WITHIN} ${inScope} ${NEWEST_FIRST}`
      : `SELECT seq FROM item INDEXED BY item_by_time WHERE +seq IN (${hits}) AND ${WITHIN} ${inScope} ${NEWEST_FIRST}`
  return plucked(connection, sql, [match, ...within(bounds), ...scopeValues, limit])
}

function scopeClause(scope: ItemScope): [string, unknown[]] {
  if (scope.kind === 'all') return ['', []]
  if (scope.kind === 'source') return ['AND source_id = ?', [scope.sourceId]]
  return ['AND source_id IN (SELECT source_id FROM source_folder WHERE folder = ?)', [scope.category]]
}

function within({ since, beforeAt, beforeSeq }: Bounds): number[] {
  return [since, beforeAt, beforeSeq]
}

function plucked(connection: Connection, sql: string, values: readonly unknown[]): number[] {
  return connection
    .sql(sql)
    .pluck()
    .all(...values) as number[]
}
