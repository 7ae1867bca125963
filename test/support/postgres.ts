import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { systemClock } from '../../src/runtime/clock.ts'

const SCRIPT = fileURLToPath(new URL('../../scripts/postgres-server.mjs', import.meta.url))

interface Server {
  /** The folder of its socket. */
  readonly host: string
  readonly user: string
  readonly pid: number
  /** Of its programs. */
  readonly bin: string
}

/**
 * The server of this test run: started by the first test that needs one, shared by all test processes, and ended by itself
 * when the process that runs the tests is gone, however that ended. See docs/decisions/0091-tests-with-a-server.md.
 */
export async function testServer(): Promise<Server> {
  const folder = join(tmpdir(), `headwater-postgres-${process.ppid}`)
  if (isFirst(folder)) {
    const args = [SCRIPT, folder, '--while', String(process.ppid)]
    spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref()
  }
  return serverIn(folder)
}

export interface OwnServer extends Server {
  /** At once, without a word to anybody. Twice is once. */
  stop(): Promise<void>
}

/** One of its own, for what cannot be tried with others around: see scripts/postgres-server.mjs for `flags`. */
export async function ownServer(flags: readonly string[] = []): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-own-postgres-'))
  const args = [SCRIPT, folder, '--while', String(process.pid), ...flags]
  const script = spawn(process.execPath, args, { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => script.once('exit', () => resolve()))
  const server = await serverIn(folder)
  return {
    ...server,
    async stop() {
      script.kill('SIGTERM')
      await ended
    },
  }
}

async function serverIn(folder: string): Promise<Server> {
  for (;;) {
    const ready = join(folder, 'ready.json')
    if (existsSync(ready)) return JSON.parse(readFileSync(ready, 'utf8')) as Server
    const failed = join(folder, 'failed.json')
    if (existsSync(failed)) throw new Error((JSON.parse(readFileSync(failed, 'utf8')) as { message: string }).message)
    await systemClock.sleep(20)
  }
}

/** One process alone can make the folder. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

export interface TestDatabase {
  readonly url: string
  readonly name: string
  /** One statement as the superuser, in this database. */
  run(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
  /** Ends all connections; then another one stands there under its name, empty. */
  replace(): Promise<void>
}

let count = 0

/** An empty database of its own. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = await testServer()
  const name = `t_${process.pid}_${++count}`
  const create = async () => void (await once(server, 'postgres', `CREATE DATABASE ${name} TEMPLATE template0`))
  const drop = async () => void (await once(server, 'postgres', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  await create()
  return {
    url: urlOf(server, name),
    name,
    run: (sql, values) => once(server, name, sql, values),
    drop,
    async replace() {
      await drop()
      await create()
    },
  }
}

const EMPTIED = `DO $$
  DECLARE one record;
  BEGIN
    FOR one IN SELECT oid::regclass AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP EXECUTE format('DELETE FROM %s', one.name);
    END LOOP;
    FOR one IN SELECT oid::regclass AS name FROM pg_class
      WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace LOOP PERFORM setval(one.name, 1, false);
    END LOOP;
  END $$`

/** A statement that makes a database what it is now again, whatever is written into it meanwhile; tables stay. */
export async function resetOf({ run }: TestDatabase): Promise<string> {
  const tables = await run(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  )
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await run(`SELECT json_agg(t)::text AS rows FROM ${name} t`)
      return row?.['rows'] == null
        ? []
        : [`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, '${row['rows']}')`]
    }),
  )
  return [EMPTIED, ...rows.flat()].join('; ')
}

export function urlOf({ host, user }: Pick<Server, 'host' | 'user'>, database: string): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}

async function once(
  server: Server,
  database: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ host: server.host, user: server.user, database })
  await client.connect()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}
