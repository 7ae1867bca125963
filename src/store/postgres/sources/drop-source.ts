import type { InstantMs, ItemSeq, SourceId } from '../../../model/index.ts'
import { addToTally, nextRevision } from '../database/counters.ts'
import type { Sql } from '../database/sql.ts'
import { deleteItems } from '../items/delete-items.ts'

/** Its rows by themselves; the state first, which every refresh of it writes: who comes later finds nothing. */
const TABLES = [
  'source_state',
  'source_window',
  'source_items',
  'source_folder',
  'former_url',
  'source_adder',
  'refresh_request',
  'push_subscription',
  'source_icon',
  'source_day',
  'model',
  'looked_at',
  'kept_share',
  'trust',
  'read_up_to',
  'item_key',
]

/** Within a transaction that holds the locks "settings", "publications" and "words". */
export async function dropSource(sql: Sql, id: SourceId, now: InstantMs): Promise<boolean> {
  if ((await sql.run('DELETE FROM source WHERE id = $1', [id])) === 0) return false
  await sql.run('INSERT INTO removed_source (revision, source_id, removed_at) VALUES ($1, $2, $3)', [
    await nextRevision(sql),
    id,
    now,
  ])
  for (const table of TABLES) await sql.run(`DELETE FROM ${table} WHERE source_id = $1`, [id])
  const items = await sql.rows<{ seq: ItemSeq }>('SELECT seq FROM item WHERE source_id = $1', [id])
  await deleteItems(
    sql,
    items.map(({ seq }) => seq),
  )
  await addToTally(sql, 'observations', -(await sql.run('DELETE FROM observation WHERE source_id = $1', [id])))
  return true
}
