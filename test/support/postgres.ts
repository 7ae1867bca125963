import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
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
}

let count = 0

/** A database of its own; `template`: a copy of another one, to which nobody may be connected. */
export async function testDatabase(template = 'template0'): Promise<TestDatabase> {
  const server = await testServer()
  const name = `t_${process.pid}_${++count}`
  await once(server, 'postgres', `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return {
    url: urlOf(server, name),
    name,
    run: (sql, values) => once(server, name, sql, values),
    drop: async () => void (await once(server, 'postgres', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}

export function urlOf({ host, user }: Pick<Server, 'host' | 'user'>, database: string): string {
  return `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`
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
