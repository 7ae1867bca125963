import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { GrantStore } from '../../src/cluster/grants.ts'
import type { PriceBoard } from '../../src/cluster/prices.ts'
import type { DurationMs, InstantMs } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openPostgresStore, type PostgresStore } from '../../src/store/postgres/index.ts'
import { type TestDatabase, testDatabase } from './postgres.ts'

const START = Date.UTC(2026, 0, 5)
const TABLES = ['grant_pool', 'grant_holding', 'grant_slot', 'common_price', 'price_report']

export interface PostgresCluster {
  readonly grants: GrantStore
  readonly prices: PriceBoard
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
}

let server: Promise<Server> | null = null

/** What a cluster shares, in a database whose clock is a row: time passes when a test says so. */
export async function postgresCluster(): Promise<PostgresCluster> {
  server ??= openServer()
  const { store, client } = await server
  let at = START
  const set = async () => void (await client.query('UPDATE test_clock SET at = $1', [at]))
  await set()
  return {
    grants: store.grants,
    prices: store.prices,
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
  const { database, store, client, folder } = await server
  server = null
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
  return { database, store, client, folder }
}
