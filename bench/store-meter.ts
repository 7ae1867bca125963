import { HeadwaterError } from '../src/runtime/errors.ts'
import { parseAddress } from '../src/store/postgres/database/address.ts'
import { LOCK_SPACE, LOCKS } from '../src/store/postgres/database/locks.ts'
import { openConnections } from '../src/store/postgres/database/pool.ts'
import { findServer, type ServerCpu } from './server-cpu.ts'

/** A connection beside those that are measured. */
export interface Meter {
  readonly version: string
  readonly isLocal: boolean
  readonly pid: number
  query(sql: string): Promise<Record<string, unknown>[]>
  /** What the server needed for some work; null: it is elsewhere. */
  cost(work: () => Promise<void>): Promise<ServerCpu | null>
  /** Nobody indexes texts while this works. */
  withoutFullText(work: () => Promise<void>): Promise<void>
  dropAll(): Promise<void>
  end(): Promise<void>
}

/** Of a database that nobody uses: whoever measures drops everything in the end. Looks before anything can be dropped. */
export async function openEmpty(url: string): Promise<Meter> {
  const meter = await openMeter(url)
  const [row] = await meter.query(
    `SELECT count(*) AS tables FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace(current_schema())`,
  )
  if (Number(row?.['tables']) === 0) return meter
  await meter.end()
  throw new HeadwaterError('USAGE', 'the bench needs a database of its own, without tables; it removes all it made')
}

async function openMeter(url: string): Promise<Meter> {
  const connections = await openConnections(parseAddress(url), [], 1)
  const client = await connections.connectApart()
  const query = async (sql: string): Promise<Record<string, unknown>[]> => (await client.query(sql)).rows
  const [row] = await query("SELECT pg_backend_pid() AS pid, current_setting('server_version') AS version")
  const pid = Number(row?.['pid'])
  const server = findServer(pid)
  const functions = async () =>
    (
      await query(
        'SELECT oid::regprocedure::text AS name FROM pg_proc WHERE pronamespace = to_regnamespace(current_schema())',
      )
    ).map(({ name }) => String(name))
  const before = new Set(await functions())
  const words = `(${LOCK_SPACE}, ${LOCKS.words})`
  return {
    version: `PostgreSQL ${row?.['version']}`,
    isLocal: server !== null,
    pid,
    query,
    async cost(work) {
      const before = server?.read([pid])
      await work()
      const after = server?.read([pid])
      if (before === undefined || after === undefined) return null
      return {
        backendsMs: after.backendsMs - before.backendsMs,
        backgroundMs: after.backgroundMs - before.backgroundMs,
      }
    },
    async withoutFullText(work) {
      await query(`SELECT pg_advisory_lock${words}`)
      try {
        await work()
      } finally {
        await query(`SELECT pg_advisory_unlock${words}`)
      }
    },
    async dropAll() {
      const tables = await query(
        `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
           AND relnamespace = to_regnamespace(current_schema())`,
      )
      if (tables.length > 0) await query(`DROP TABLE ${tables.map(({ name }) => name).join(', ')} CASCADE`)
      for (const name of await functions()) {
        if (!before.has(name)) await query(`DROP FUNCTION IF EXISTS ${name} CASCADE`)
      }
    },
    async end() {
      await client.end()
      await connections.end()
    },
  }
}
