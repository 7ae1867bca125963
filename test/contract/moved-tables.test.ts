import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { openPostgresStore } from '../../src/store/postgres/index.ts'
import * as postgres from '../../src/store/postgres/transfer/tables.ts'
import { migrate } from '../../src/store/sqlite/schema/migrations.ts'
import * as sqlite from '../../src/store/sqlite/transfer/tables.ts'
import { LAST_NUMBERS, TRANSFER_TABLES } from '../../src/store/transfer/tables.ts'
import { testDatabase } from '../support/postgres.ts'
import { keyFileOf } from '../support/postgres-adapter.ts'

/** Of the processes that run, or of the database itself. */
const OF_A_CLUSTER = [
  'headwater_cluster',
  'settings_document',
  'member',
  'lease',
  'grant_pool',
  'grant_holding',
  'grant_slot',
  'common_price',
  'price_report',
  'query_division',
  'query_shard',
  'query_feed_shard',
  'attempt',
  'job',
]

type Columns = ReadonlyMap<string, readonly string[]>

/** What a move takes along of a table, by its name there. */
function movedColumns(stored: typeof sqlite.STORED_TABLES | typeof postgres.STORED_TABLES): Columns {
  const moved = new Map<string, Set<string>>()
  for (const table of TRANSFER_TABLES) {
    if (table === LAST_NUMBERS) continue
    const { name = table.name, fixed = {} } = stored[table.name] ?? {}
    const columns = moved.get(name) ?? new Set<string>()
    for (const column of [...Object.keys(table.columns), ...Object.keys(fixed)]) columns.add(column)
    moved.set(name, columns)
  }
  return new Map([...moved].map(([name, columns]) => [name, [...columns].sort()]))
}

/** Nothing is forgotten: a table or column that is new belongs to a move, or is named where it is left behind. */
function check(there: Columns, moved: Columns, left: readonly string[]): void {
  expect([...there.keys()].filter((name) => !moved.has(name) && !left.includes(name))).toEqual([])
  for (const [name, columns] of moved) expect([name, there.get(name)]).toEqual([name, columns])
  expect(left.filter((name) => !there.has(name))).toEqual([])
}

it('are all tables of SQLite, with all their columns, but what is made anew', () => {
  const db = new Database(':memory:')
  migrate(db)
  const rows = db
    .prepare(
      `SELECT t.name, c.name AS column FROM sqlite_schema t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE 'item_text%'`,
    )
    .all() as { name: string; column: string }[]
  db.close()
  check(columnsOf(rows), movedColumns(sqlite.STORED_TABLES), sqlite.DERIVED_TABLES)
})

it('are all tables of PostgreSQL, with all their columns, but what is made anew or of a running cluster', async () => {
  const database = await testDatabase()
  await (
    await openPostgresStore({ url: database.url, clock: systemClock, keyFile: keyFileOf(database.url) })
  ).store.close()
  const rows = await database.run(
    `SELECT c.relname AS name, a.attname AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'written_at'`,
  )
  await database.drop()
  const moved = movedColumns(postgres.STORED_TABLES)
  // Beside removed items there are the keys of present ones, which are made from these.
  check(columnsOf(rows as { name: string; column: string }[]), moved, [...postgres.DERIVED_TABLES, ...OF_A_CLUSTER])
})

function columnsOf(rows: readonly { readonly name: string; readonly column: string }[]): Columns {
  const columns = new Map<string, string[]>()
  for (const { name, column } of rows) columns.set(name, [...(columns.get(name) ?? []), column].sort())
  return columns
}
