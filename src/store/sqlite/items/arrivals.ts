import type { ItemSeq, SourceId } from '../../../model/index.ts'
import type { ItemScope } from '../../store.ts'
import type { Connection } from '../database/connection.ts'

/** Rows of everything that are walked before the items of a category's sources are looked through instead. */
const WALK_ROWS = 5_000

/** Numbers of the items in scope that were stored last, up to one, last first. */
export function lastStoredItems(
  connection: Connection,
  scope: ItemScope,
  limit: number,
  upTo: ItemSeq = Number.MAX_SAFE_INTEGER,
): ItemSeq[] {
  if (limit <= 0) return []
  const { sql } = connection
  switch (scope.kind) {
    case 'all':
      return sql('SELECT seq FROM item WHERE seq <= ? ORDER BY seq DESC LIMIT ?').pluck().all(upTo, limit) as ItemSeq[]
    case 'source':
      return ofSources(connection, 'source_id = ?', scope.sourceId, limit, upTo)
    case 'category':
      return (
        walked(connection, scope.category, limit, upTo) ??
        ofSources(
          connection,
          'source_id IN (SELECT source_id FROM source_folder WHERE folder = ?)',
          scope.category,
          limit,
          upTo,
        )
      )
  }
}

/** By the index alone, without visiting rows: as many steps as the sources have items. */
function ofSources(
  connection: Connection,
  where: string,
  value: SourceId | string,
  limit: number,
  upTo: ItemSeq,
): ItemSeq[] {
  return connection
    .sql(`SELECT seq FROM item INDEXED BY item_by_source WHERE ${where} AND seq <= ? ORDER BY seq DESC LIMIT ?`)
    .pluck()
    .all(value, upTo, limit) as ItemSeq[]
}

/** null: gave up, because the category is rare among what was stored last. */
function walked(connection: Connection, category: string, limit: number, upTo: ItemSeq): ItemSeq[] | null {
  const { sql } = connection
  const members = new Set(
    sql('SELECT source_id FROM source_folder WHERE folder = ?').pluck().all(category) as SourceId[],
  )
  const rows = sql('SELECT seq, source_id FROM item WHERE seq <= ? ORDER BY seq DESC LIMIT ?')
    .raw()
    .iterate(upTo, WALK_ROWS)
  const found: ItemSeq[] = []
  let passed = 0
  for (const [seq, sourceId] of rows as IterableIterator<[ItemSeq, SourceId]>) {
    passed += 1
    if (members.has(sourceId)) found.push(seq)
    if (found.length === limit) return found
  }
  return passed < WALK_ROWS ? found : null
}
