import type { InstantMs, ItemSeq, SourceId } from '../../../model/index.ts'
import { packHashBytes } from '../../rows/hashes.ts'
import { windowOfBytes } from '../../rows/windows.ts'
import { addToTally } from '../database/counters.ts'
import type { Sql } from '../database/sql.ts'
import { dropPartition, ITEM_TABLES, itemColumnOf, lockTables } from './partitions.ts'

export interface DropMoment {
  readonly now: InstantMs
  readonly clockNow: InstantMs
  readonly feedWindow: number
}

/** More of them would make copying as long as deleting. */
const MOST_SURVIVORS = 20_000

/**
 * Drops the partition of items `item_N` with their words and publications; what somebody still needs stays, and keys are
 * remembered. Returns how many items went; null: too many are needed. Within a transaction that holds "publications", "words" and
 * "partitions".
 */
export async function dropItems(
  sql: Sql,
  name: string,
  neededBeside: string,
  moment: DropMoment,
): Promise<number | null> {
  // No refresh of these sources writes another window meanwhile. Rows before tables, as every refresh has it.
  await sql.run(
    `SELECT 1 FROM source_state WHERE source_id IN (SELECT DISTINCT source_id FROM ${name}) ORDER BY source_id FOR UPDATE`,
  )
  await lockTables(sql, ITEM_TABLES)
  const survivors = await findSurvivors(sql, name, neededBeside, moment)
  if (survivors.length > MOST_SURVIVORS) return null
  await sql.run('CREATE TEMP TABLE survivor (seq bigint PRIMARY KEY) ON COMMIT DROP')
  await sql.run('INSERT INTO survivor SELECT unnest($1::bigint[])', [survivors])
  const count = await forgetOthers(sql, name, moment.now)
  const suffix = name.slice('item'.length)
  for (const table of ITEM_TABLES) {
    const its = `SELECT t.* FROM ${table}${suffix} t JOIN survivor s ON s.seq = t.${itemColumnOf(table)}`
    await sql.run(`CREATE TEMP TABLE surviving_${table} ON COMMIT DROP AS ${its}`)
    await dropPartition(sql, table, `${table}${suffix}`)
    await sql.run(`INSERT INTO ${table} SELECT * FROM surviving_${table}`)
  }
  return count
}

async function findSurvivors(sql: Sql, name: string, neededBeside: string, moment: DropMoment): Promise<ItemSeq[]> {
  const needed = await sql.rows<{ seq: ItemSeq }>(`SELECT i.seq FROM ${name} i WHERE ${neededBeside}`, [
    moment.feedWindow,
    moment.clockNow,
  ])
  const shown = await inWindows(sql, name)
  return [...new Set([...needed.map(({ seq }) => seq), ...shown])]
}

const SOURCES_AT_ONCE = 500

/** Those that the documents of their sources showed last. */
async function inWindows(sql: Sql, name: string): Promise<ItemSeq[]> {
  const seqs: ItemSeq[] = []
  for (let after: SourceId | null = 0; after !== null; ) {
    const rows: { source_id: SourceId; entries: Buffer }[] = await sql.rows(
      `SELECT source_id, entries FROM source_window
       WHERE source_id > $1 AND source_id IN (SELECT source_id FROM ${name}) ORDER BY source_id LIMIT ${SOURCES_AT_ONCE}`,
      [after],
    )
    const keys = rows.flatMap(({ source_id, entries }) =>
      windowOfBytes(entries).map(({ key }) => [source_id, packHashBytes(key)] as const),
    )
    const found = await sql.rows<{ seq: ItemSeq }>(
      `SELECT i.seq FROM unnest($1::bigint[], $2::bytea[]) AS u (source_id, key)
         JOIN item_key k ON k.source_id = u.source_id AND k.key = u.key JOIN ${name} i ON i.seq = k.seq`,
      [keys.map(([source]) => source), keys.map(([, key]) => key)],
    )
    seqs.push(...found.map(({ seq }) => seq))
    after = rows.length === SOURCES_AT_ONCE ? (rows.at(-1)?.source_id ?? null) : null
  }
  return seqs
}

/** All that stands elsewhere for what is not among the survivors; how many items that are. */
async function forgetOthers(sql: Sql, name: string, now: InstantMs): Promise<number> {
  const gone = `SELECT i.* FROM ${name} i WHERE NOT EXISTS (SELECT 1 FROM survivor s WHERE s.seq = i.seq)`
  const count = await sql.run(
    `UPDATE item_key k SET removed_at = $1 FROM (${gone}) g WHERE k.source_id = g.source_id AND k.key = g.key`,
    [now],
  )
  await sql.run(
    `UPDATE source_items n SET items = n.items - g.items
     FROM (SELECT source_id, count(*) AS items FROM (${gone}) i GROUP BY source_id) g WHERE g.source_id = n.source_id`,
  )
  await sql.run(
    `UPDATE publication_count c SET publications = c.publications - g.count
     FROM (SELECT p.feed_id, count(*) AS count FROM publication${name.slice('item'.length)} p
           WHERE NOT EXISTS (SELECT 1 FROM survivor s WHERE s.seq = p.item_seq) GROUP BY p.feed_id) g
     WHERE g.feed_id = c.feed_id`,
  )
  for (const table of ['buffer_entry', 'stale_words', 'item_page']) {
    await sql.run(`DELETE FROM ${table} WHERE seq IN (SELECT seq FROM (${gone}) g)`)
  }
  await addToTally(sql, 'items', -count)
  return count
}
