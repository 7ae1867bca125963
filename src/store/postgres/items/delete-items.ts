import type { ItemSeq } from '../../../model/index.ts'
import { addToTally } from '../database/counters.ts'
import type { Sql } from '../database/sql.ts'

/** With all that stands for them elsewhere but their keys. Within a transaction that holds "publications" and "words". */
export async function deleteItems(sql: Sql, seqs: readonly ItemSeq[]): Promise<number> {
  if (seqs.length === 0) return 0
  await sql.run(
    `WITH gone AS (DELETE FROM publication WHERE item_seq = ANY ($1::bigint[]) RETURNING feed_id)
     UPDATE publication_count c SET publications = c.publications - g.count
     FROM (SELECT feed_id, count(*) AS count FROM gone GROUP BY feed_id) g WHERE g.feed_id = c.feed_id`,
    [seqs],
  )
  await sql.run('DELETE FROM buffer_entry WHERE seq = ANY ($1::bigint[])', [seqs])
  await sql.run('DELETE FROM stale_words WHERE seq = ANY ($1::bigint[])', [seqs])
  await sql.run('DELETE FROM item_words WHERE seq = ANY ($1::bigint[])', [seqs])
  await sql.run('DELETE FROM item_page WHERE seq = ANY ($1::bigint[])', [seqs])
  const removed = await sql.run('DELETE FROM item WHERE seq = ANY ($1::bigint[])', [seqs])
  await addToTally(sql, 'items', -removed)
  return removed
}
