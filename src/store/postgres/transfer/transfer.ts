import { LAST_NUMBERS, TRANSFER_TABLES, type TransferTable } from '../../transfer/tables.ts'
import {
  MOVE_STATE,
  type MoveProgress,
  type Transfer,
  type TransferPage,
  type TransferPlace,
  type TransferRow,
} from '../../transfer/transfer.ts'
import type { Access, Sql } from '../database/sql.ts'
import { readLastNumbers, writeLastNumbers } from './last-numbers.ts'
import { DERIVED_TABLES, STORED_TABLES, type StoredTable } from './tables.ts'
import { givenOf, readValue, type Stored, TYPES } from './values.ts'

export function createPostgresTransfer(access: Access, name: string, close: () => Promise<void>): Transfer {
  return {
    name,
    read: (table, after) => readPage(access, table, after),
    count: (table) => countRows(access, table),
    progress: () => readProgress(access),
    begin: (progress) =>
      access.transaction([], async (sql) => {
        await removeAll(sql)
        await writeProgress(sql, progress)
      }),
    write: (table, rows, progress) =>
      access.transaction([], async (sql) => {
        await writeRows(sql, table, rows)
        await writeProgress(sql, progress)
      }),
    derive: () => access.transaction([], derive),
    end: async () => void (await access.run('DELETE FROM node_state WHERE key = $1', [MOVE_STATE])),
    close,
  }
}

export async function readProgress(sql: Sql): Promise<MoveProgress | null> {
  const row = await sql.first<{ value: string }>('SELECT value FROM node_state WHERE key = $1', [MOVE_STATE])
  return row === null ? null : (JSON.parse(row.value) as MoveProgress)
}

async function writeProgress(sql: Sql, progress: MoveProgress): Promise<void> {
  await sql.run(
    `INSERT INTO node_state (key, member, value) VALUES ($1, '', $2)
     ON CONFLICT (key, member) DO UPDATE SET value = excluded.value`,
    [MOVE_STATE, JSON.stringify(progress)],
  )
}

function storedTable(table: TransferTable): Required<StoredTable> {
  const stored = STORED_TABLES[table.name]
  const { name = table.name } = stored ?? {}
  return { name, from: name, where: 'true', read: {}, groupBy: '', fixed: {}, ...stored }
}

async function readPage(sql: Sql, table: TransferTable, after: TransferPlace | null): Promise<TransferPage> {
  if (table === LAST_NUMBERS) return { rows: await readLastNumbers(sql), next: null }
  const { from, where, read, groupBy } = storedTable(table)
  const kinds = Object.entries(table.columns)
  const key = table.key.join(', ')
  const places = table.key.map((column, at) => `$${at + 1}::${TYPES[table.columns[column] ?? 'text'].given}`)
  const rows = await sql.rows<Record<string, Stored>>(
    `SELECT ${kinds.map(([column]) => (read[column] === undefined ? column : `${read[column]} AS ${column}`)).join(', ')}
     FROM ${from} WHERE ${where} ${after === null ? '' : `AND (${key}) > (${places.join(', ')})`}
     ${groupBy === '' ? '' : `GROUP BY ${groupBy}`} ORDER BY ${key} LIMIT ${table.batch}`,
    (after ?? []).map((value) => (typeof value === 'object' ? Buffer.from(value.hex, 'hex') : value)),
  )
  const last = rows.length === table.batch ? rows.at(-1) : undefined
  return {
    rows: rows.map((row) => kinds.map(([column, kind]) => readValue(kind, row[column] ?? null))),
    next: last === undefined ? null : table.key.map((column) => placed(last[column])),
  }
}

function placed(value: Stored | undefined): TransferPlace[number] {
  if (Buffer.isBuffer(value)) return { hex: value.toString('hex') }
  if (typeof value === 'number' || typeof value === 'string') return value
  throw new Error('a key is a number, a text or bytes')
}

async function countRows(sql: Sql, table: TransferTable): Promise<number> {
  if (table === LAST_NUMBERS) return (await readLastNumbers(sql)).length
  const { from, where, groupBy } = storedTable(table)
  const what = groupBy === '' ? 'count(*)' : `count(DISTINCT (${groupBy}))`
  return (await sql.first<{ rows: number }>(`SELECT ${what} AS rows FROM ${from} WHERE ${where}`))?.rows ?? 0
}

async function removeAll(sql: Sql): Promise<void> {
  const names = TRANSFER_TABLES.filter((table) => table !== LAST_NUMBERS).map((table) => storedTable(table).name)
  for (const name of new Set([...names, ...DERIVED_TABLES])) await sql.run(`DELETE FROM ${name}`)
  await sql.run('INSERT INTO words_position VALUES (0)')
  await sql.run('INSERT INTO log_position VALUES (0, 0)')
  await sql.run('INSERT INTO publication_position VALUES (0)')
}

async function writeRows(sql: Sql, table: TransferTable, rows: readonly TransferRow[]): Promise<void> {
  if (rows.length === 0) return
  if (table === LAST_NUMBERS) {
    await writeLastNumbers(sql, rows)
    return
  }
  const { name, fixed } = storedTable(table)
  const kinds = Object.entries(table.columns)
  const columns = kinds.map(([column]) => column)
  const arrays = kinds.map(([, kind], at) => `$${at + 1}::${TYPES[kind].given}[]`)
  const values = kinds.map(
    ([column, kind]) => `u.${column}${TYPES[kind].stored === undefined ? '' : `::${TYPES[kind].stored}`}`,
  )
  await sql.run(
    `INSERT INTO ${name} (${[...columns, ...Object.keys(fixed)].join(', ')}) ${HAS_IDENTITY.has(name) ? 'OVERRIDING SYSTEM VALUE' : ''}
     SELECT ${[...values, ...Object.values(fixed)].join(', ')} FROM unnest(${arrays.join(', ')}) AS u (${columns.join(', ')})`,
    kinds.map(([, kind], at) => rows.map((row) => givenOf(kind, row[at] ?? null))),
  )
  if (table.name === 'item')
    await writeKeys(
      sql,
      rows.map(([seq]) => seq),
    )
}

/** Their ids are `GENERATED ALWAYS`. */
const HAS_IDENTITY = new Set([
  'source',
  'query_feed',
  'subscription',
  'hub_subscription',
  'dead_letter',
  'feed_token',
  'account',
  'api_token',
  'audit',
])

async function writeKeys(sql: Sql, seqs: readonly unknown[]): Promise<void> {
  await sql.run(
    `INSERT INTO item_key (source_id, key, seq, content_hash)
     SELECT source_id, key, seq, content_hash FROM item WHERE seq = ANY ($1::bigint[])`,
    [seqs],
  )
}

/** The text index is made by whoever opens it. */
async function derive(sql: Sql): Promise<void> {
  for (const name of ['source_items', 'publication_count', 'tally']) await sql.run(`DELETE FROM ${name}`)
  await sql.run('INSERT INTO source_items SELECT source_id, count(*) FROM item GROUP BY source_id')
  await sql.run('INSERT INTO publication_count SELECT feed_id, count(*) FROM publication GROUP BY feed_id')
  await sql.run(
    `INSERT INTO tally SELECT 'items', 0, count(*) FROM item UNION ALL SELECT 'observations', 0, count(*) FROM observation`,
  )
}
