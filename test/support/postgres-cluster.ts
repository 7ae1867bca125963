import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createNotifier } from '../../src/buffer/notifier.ts'
import type { GrantStore } from '../../src/cluster/grants.ts'
import type { JobBoard } from '../../src/cluster/job-board.ts'
import type { LogInLimits } from '../../src/cluster/log-in-limits.ts'
import type { PriceBoard } from '../../src/cluster/prices.ts'
import type { DurationMs, InstantMs } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createPostgresJobBoard } from '../../src/store/postgres/cluster/job-board.ts'
import { createPostgresLogInLimits } from '../../src/store/postgres/cluster/log-in-limits.ts'
import { parseAddress } from '../../src/store/postgres/database/address.ts'
import { type DatabaseConnections, openConnections } from '../../src/store/postgres/database/pool.ts'
import { type Access, createAccess } from '../../src/store/postgres/database/sql.ts'
import { openPostgresStore, type PostgresStore } from '../../src/store/postgres/index.ts'
import { type TestDatabase, testDatabase } from './postgres.ts'

const START = Date.UTC(2026, 0, 5)
const TABLES = ['grant_pool', 'grant_holding', 'grant_slot', 'common_price', 'price_report', 'attempt', 'job']

export interface PostgresCluster {
  readonly grants: GrantStore
  readonly prices: PriceBoard
  /** As two processes have them. */
  readonly replicas: readonly [LogInLimits, LogInLimits]
  readonly boards: readonly [JobBoard, JobBoard]
  /** Of one that remembers twenty counts. */
  readonly few: LogInLimits
  attempts(): Promise<number>
  now(): InstantMs
  pass(ms: DurationMs): Promise<void>
  /** Nothing is in it any more; it may be used again. */
  end(): Promise<void>
}

interface Server {
  readonly database: TestDatabase
  readonly store: PostgresStore
  readonly client: pg.Client
  readonly folder: string
  /** Of two processes. */
  readonly connections: readonly [DatabaseConnections, DatabaseConnections]
}

let server: Promise<Server> | null = null

/** What a cluster shares, in a database whose clock is a row: time passes when a test says so. */
export async function postgresCluster(): Promise<PostgresCluster> {
  server ??= openServer()
  const { store, client, database, connections } = await server
  let at = START
  const set = async () => void (await client.query('UPDATE test_clock SET at = $1', [at]))
  await set()
  const limitsAt = (of: DatabaseConnections, options: { readonly most?: number } = {}) =>
    createPostgresLogInLimits(accessOf(of, database.url), { ...options, monotonicMs: () => at })
  const boardAt = (of: DatabaseConnections) => createPostgresJobBoard(accessOf(of, database.url))
  return {
    grants: store.grants,
    prices: store.prices,
    replicas: [limitsAt(connections[0]), limitsAt(connections[1])],
    boards: [boardAt(connections[0]), boardAt(connections[1])],
    few: limitsAt(connections[0], { most: 20 }),
    attempts: async () => Number((await client.query('SELECT count(*) AS count FROM attempt')).rows[0].count),
    now: () => at,
    async pass(ms) {
      at += ms
      if (ms > 0) await set()
    },
    end: async () => void (await client.query(TABLES.map((table) => `DELETE FROM ${table}`).join('; '))),
  }
}

export async function endPostgresCluster(): Promise<void> {
  if (server === null) return
  const { database, store, client, folder, connections } = await server
  server = null
  for (const one of connections) await one.end()
  await client.end()
  await store.store.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
}

async function openServer(): Promise<Server> {
  const database = await testDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'headwater-key-'))
  const keyFile = join(folder, 'key')
  const store = await openPostgresStore({ url: database.url, clock: systemClock, keyFile, connections: 8 })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`CREATE TABLE test_clock (at double precision NOT NULL); INSERT INTO test_clock VALUES (0);
    CREATE OR REPLACE FUNCTION cluster_now_ms() RETURNS double precision LANGUAGE sql VOLATILE
      AS $$ SELECT at FROM test_clock $$`)
  const connect = () => openConnections(parseAddress(database.url), [], 4)
  return { database, store, client, folder, connections: [await connect(), await connect()] }
}

function accessOf(connections: DatabaseConnections, url: string): Access {
  const vault = { seal: (text: string) => text, open: (text: string) => text }
  const now = () => systemClock.now()
  return createAccess({ connections, shown: url, vault, notifier: createNotifier(systemClock), now })
}
