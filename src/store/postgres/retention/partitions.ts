import { DAY_MS, type DurationMs, type InstantMs } from '../../../model/index.ts'
import type { Access, Sql } from '../database/sql.ts'

/** How what grows with time is cut into partitions. */
export interface PartitionPlan {
  /** Items in one, at least; a day's, where more come. */
  readonly leastItems: number
  /** Of observations. */
  readonly spanMs: DurationMs
  /** With so many rows a partition is dropped as a whole, some time after its first row might go; smaller ones row by row. */
  readonly leastRows: number
}

export const PARTITION_PLAN: PartitionPlan = { leastItems: 100_000, spanMs: DAY_MS, leastRows: 50_000 }

/** Rows from one number (of an item, or a time) up to another. What no partition is for stands in the default one. */
export interface Partition {
  readonly name: string
  readonly from: number
  readonly to: number
  /** As the server last counted them. */
  readonly rows: number
}

/** In their order, without the default one. */
export async function listPartitions(sql: Sql, table: string): Promise<Partition[]> {
  const rows = await sql.rows<{ name: string; bound: string; rows: number }>(
    `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound, c.reltuples AS rows
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass($1)`,
    [table],
  )
  const partitions = rows.flatMap(({ name, bound, rows: count }) => {
    const [, from, to] = /FROM \('(-?\d+)'\) TO \('(-?\d+)'\)/.exec(bound) ?? []
    return from === undefined ? [] : [{ name, from: Number(from), to: Number(to), rows: count }]
  })
  return partitions.sort((a, b) => a.from - b.from)
}

/** Of the same item, by its number. */
export const ITEM_TABLES = ['item', 'item_words', 'publication'] as const
const ITEM_COLUMNS = { item: 'seq', item_words: 'seq', publication: 'item_seq' } as const

/** Whoever needs the tables for longer is not waited for; the next round tries again. */
const WAIT_MS = 3_000
/** No lock within that time; not the owner of the tables. */
const LATER = ['55P03', '42501']

/** null: the tables are in use, or another user's. */
export async function whereFree<T>(action: () => Promise<T>): Promise<T | null> {
  try {
    return await action()
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    if (cause instanceof Error && 'code' in cause && LATER.includes(String(cause.code))) return null
    throw error
  }
}

export async function lockTables(sql: Sql, tables: readonly string[]): Promise<void> {
  await sql.run(`SET LOCAL lock_timeout = ${WAIT_MS}`)
  await sql.run(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`)
}

/** Before they are needed. Any number of processes may do so: one works, the others find it done. */
export async function preparePartitions(access: Access, now: InstantMs, plan: PartitionPlan): Promise<void> {
  const items = await listPartitions(access, 'item')
  if (await needsItems(access, items, plan)) {
    await whereFree(() => access.transaction(['partitions'], (sql) => addItemPartition(sql, now, plan)))
  }
  if (await needsObservations(access, now, plan)) {
    await whereFree(() => access.transaction(['partitions'], (sql) => addObservationPartition(sql, now, plan)))
  }
}

async function lastSeq(sql: Sql): Promise<number> {
  return (await sql.first<{ seq: number }>('SELECT seq FROM log_position'))?.seq ?? 0
}

async function needsItems(sql: Sql, partitions: readonly Partition[], plan: PartitionPlan): Promise<boolean> {
  const last = await lastSeq(sql)
  // A small archive stays in one piece.
  if (partitions.length === 0 && last < plan.leastItems) return false
  return (partitions.at(-1)?.to ?? 0) - last < plan.leastItems
}

async function needsObservations(sql: Sql, now: InstantMs, { leastRows, spanMs }: PartitionPlan): Promise<boolean> {
  const last = (await listPartitions(sql, 'observation')).at(-1)
  if (last !== undefined) return last.to < now + spanMs
  const row = await sql.first<{ rows: number }>(
    "SELECT coalesce(sum(value), 0) AS rows FROM tally WHERE name = 'observations'",
  )
  return (row?.rows ?? 0) >= leastRows
}

/** Behind the last item: nobody stores one while the tables are locked, so that the default partition has none of these. */
async function addItemPartition(sql: Sql, now: InstantMs, plan: PartitionPlan): Promise<void> {
  await lockTables(sql, ITEM_TABLES)
  const known = await listPartitions(sql, 'item')
  if (!(await needsItems(sql, known, plan))) return
  const from = Math.max(known.at(-1)?.to ?? 0, (await lastSeq(sql)) + 1)
  const to = from + Math.max(plan.leastItems, await itemsOfADay(sql, now))
  for (const table of ITEM_TABLES) {
    await sql.run(`CREATE TABLE ${table}_${from} PARTITION OF ${table} FOR VALUES FROM (${from}) TO (${to})`)
  }
}

async function itemsOfADay(sql: Sql, now: InstantMs): Promise<number> {
  const row = await sql.first<{ items: number }>('SELECT count(*) AS items FROM item WHERE first_seen_at >= $1', [
    now - DAY_MS,
  ])
  return row?.items ?? 0
}

/** What a clock ahead of ours has brought already is put where it belongs. */
async function addObservationPartition(sql: Sql, now: InstantMs, plan: PartitionPlan): Promise<void> {
  await lockTables(sql, ['observation'])
  if (!(await needsObservations(sql, now, plan))) return
  const { spanMs } = plan
  const last = (await listPartitions(sql, 'observation')).at(-1)
  const from = Math.max(last?.to ?? 0, Math.ceil(now / spanMs) * spanMs)
  const to = from + spanMs
  await sql.run(
    `CREATE TEMP TABLE early_observation ON COMMIT DROP AS
     SELECT * FROM observation_default WHERE at >= ${from} AND at < ${to}`,
  )
  await sql.run(`DELETE FROM observation_default WHERE at >= ${from} AND at < ${to}`)
  await sql.run(`CREATE TABLE observation_${from} PARTITION OF observation FOR VALUES FROM (${from}) TO (${to})`)
  await sql.run('INSERT INTO observation SELECT * FROM early_observation')
}

/** Takes one out of its table; what shall stay is put back, and stands in the default one from then on. */
export async function dropPartition(sql: Sql, table: string, name: string): Promise<void> {
  await sql.run(`ALTER TABLE ${table} DETACH PARTITION ${name}`)
  await sql.run(`DROP TABLE ${name}`)
}

/** By `ITEM_TABLES`. */
export function itemColumnOf(table: (typeof ITEM_TABLES)[number]): string {
  return ITEM_COLUMNS[table]
}
