import { LAST_NUMBERS, NUMBERED, TRANSFER_TABLES, type TransferTable } from '../../transfer/tables.ts'
import {
  MOVE_STATE,
  type MoveProgress,
  type Transfer,
  type TransferPage,
  type TransferPlace,
  type TransferRow,
} from '../../transfer/transfer.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { translateErrors } from '../database/failures.ts'
import { markMoving } from '../schema/migrations.ts'
import { sealPlain } from '../sources/seal-plain.ts'
import { DERIVED_TABLES, PARTS_OF_TABLES, SEQUENCE_NAMES, STORED_TABLES, type StoredTable } from './tables.ts'
import { readValue, storedOf } from './values.ts'

export interface SqliteTransferOptions {
  /** Of the database file. */
  readonly path: string
  /** As people know it. */
  readonly name: string
  readonly keyFile: string
  /** Whether it is moved to. */
  readonly isTarget: boolean
}

/** The caller holds the lock of the folder. */
export function openSqliteTransfer({ path, name, keyFile, isTarget }: SqliteTransferOptions): Transfer {
  const connection = openConnection({ path, keyFile, isForMove: isTarget })
  // As when a node opens it.
  if (!isTarget) translateErrors(path, () => sealPlain(connection))
  const translated = async <T>(action: () => T): Promise<T> => translateErrors(path, action)
  const inTransaction = <T>(action: () => T): Promise<T> => translated(() => connection.transaction(action))
  return {
    name,
    read: (table, after) => translated(() => readPage(connection, table, after)),
    count: (table) => translated(() => countRows(connection, table)),
    progress: () => translated(() => readProgress(connection)),
    begin: (progress) =>
      inTransaction(() => {
        markMoving(connection.db, true)
        removeAll(connection)
        writeProgress(connection, progress)
      }),
    write: (table, rows, progress) =>
      inTransaction(() => {
        writeRows(connection, table, rows)
        writeProgress(connection, progress)
      }),
    derive: () => inTransaction(() => derive(connection)),
    end: () =>
      inTransaction(() => {
        connection.sql('DELETE FROM node_state WHERE key = ?').run(MOVE_STATE)
        markMoving(connection.db, false)
      }),
    close: () => translated(() => connection.close()),
  }
}

function storedTable(table: TransferTable): Required<StoredTable> {
  return { name: table.name, where: 'true', fixed: {}, ...STORED_TABLES[table.name] }
}

function readPage({ sql }: Connection, table: TransferTable, after: TransferPlace | null): TransferPage {
  if (table === LAST_NUMBERS) return { rows: NUMBERED.map((name) => [name, lastNumber(sql, name)]), next: null }
  const { name, where } = storedTable(table)
  const kinds = Object.entries(table.columns)
  const key = table.key.join(', ')
  const behind = after === null ? '' : `AND (${key}) > (${table.key.map(() => '?').join(', ')})`
  const rows = sql(
    `SELECT ${[...kinds.map(([column]) => column), ...table.key].join(', ')} FROM ${name}
     WHERE ${where} ${behind} ORDER BY ${key} LIMIT ${table.batch}`,
  )
    .raw()
    .all(...(after ?? []).map(unplaced)) as Stored[][]
  const last = rows.length === table.batch ? rows.at(-1) : undefined
  return {
    rows: rows.map((row) => kinds.map(([, kind], at) => readValue(kind, row[at] ?? null))),
    next: last === undefined ? null : last.slice(kinds.length).map(placed),
  }
}

type Stored = null | number | string | Buffer

function placed(value: Stored): TransferPlace[number] {
  if (value === null) throw new Error('a key is never NULL')
  return Buffer.isBuffer(value) ? { hex: value.toString('hex') } : value
}

function unplaced(value: TransferPlace[number]): Stored {
  return typeof value === 'object' ? Buffer.from(value.hex, 'hex') : value
}

function lastNumber(sql: Connection['sql'], name: string): number {
  const given = sql('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck()
  return Number(given.get(SEQUENCE_NAMES[name] ?? name) ?? 0)
}

function countRows({ sql }: Connection, table: TransferTable): number {
  if (table === LAST_NUMBERS) return NUMBERED.length
  const { name, where } = storedTable(table)
  return sql(`SELECT count(*) FROM ${name} WHERE ${where}`).pluck().get() as number
}

function readProgress({ sql }: Connection): MoveProgress | null {
  const text = sql('SELECT value FROM node_state WHERE key = ?').pluck().get(MOVE_STATE) as string | undefined
  return text === undefined ? null : (JSON.parse(text) as MoveProgress)
}

function writeProgress({ sql }: Connection, progress: MoveProgress): void {
  sql('INSERT OR REPLACE INTO node_state (key, value) VALUES (?, ?)').run(MOVE_STATE, JSON.stringify(progress))
}

function removeAll({ sql }: Connection): void {
  for (const table of TRANSFER_TABLES) {
    if (table === LAST_NUMBERS) continue
    const { name } = storedTable(table)
    sql(`DELETE FROM ${name} WHERE ${PARTS_OF_TABLES[name] ?? 'true'}`).run()
  }
  for (const table of DERIVED_TABLES) sql(`DELETE FROM ${table}`).run()
  sql("INSERT INTO item_text (item_text) VALUES ('delete-all')").run()
  sql('DELETE FROM sqlite_sequence').run()
}

function writeRows({ sql }: Connection, table: TransferTable, rows: readonly TransferRow[]): void {
  if (table === LAST_NUMBERS) {
    writeLastNumbers(sql, rows)
    return
  }
  const { name, fixed } = storedTable(table)
  const kinds = Object.values(table.columns)
  const columns = [...Object.keys(table.columns), ...Object.keys(fixed)]
  const insert = sql(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
  const others = Object.values(fixed)
  for (const row of rows) insert.run(...kinds.map((kind, at) => storedOf(kind, row[at] ?? null)), ...others)
}

/** Rows that were written have numbered themselves; the last ever given may be higher. */
function writeLastNumbers(sql: Connection['sql'], rows: readonly TransferRow[]): void {
  for (const [name, value] of rows) {
    const own = SEQUENCE_NAMES[String(name)] ?? name
    sql('DELETE FROM sqlite_sequence WHERE name = ?').run(own)
    if (value !== 0) sql('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(own, value)
  }
}

/** The text index is made by whoever opens it. Publications count themselves. */
function derive({ sql }: Connection): void {
  sql('DELETE FROM source_items').run()
  sql('INSERT INTO source_items SELECT source_id, count(*) FROM item GROUP BY source_id').run()
  const count = "UPDATE counter SET value = (SELECT count(*) FROM item) WHERE name = 'items'"
  sql(count).run()
  sql("UPDATE counter SET value = (SELECT count(*) FROM observation) WHERE name = 'observations'").run()
  sql("UPDATE counter SET value = 0 WHERE name = 'indexed'").run()
}
