import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { systemClock } from '../../src/runtime/clock.ts'
import { serverScript } from './paths.ts'

/** Where a member finds a server: the folder of a socket, or an address. */
export interface ServerHosts {
  readonly primary: string
  readonly standby: string
}

export type SqlRow = Readonly<Record<string, unknown>>

/** A PostgreSQL of the bench, with a synchronous standby where it will fail over. */
export interface Database {
  readonly hosts: ServerHosts
  readonly hasStandby: boolean
  /** One statement at the server that can be written now. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
  /** kill -9, and started again on what it left; resolves when it can be asked. */
  crash(): Promise<void>
  /** kill -9 of the primary for good, and the standby becomes the primary. */
  failOver(): Promise<void>
  close(): Promise<void>
}

interface Server {
  readonly folder: string
  pid(): number
  /** Until a process with another id can be asked. */
  isAnother(pid: number): Promise<void>
  close(): Promise<void>
}

const LOOK_EVERY_MS = 20
const DATABASE = 'postgres'
const USER = 'headwater'

export interface DatabaseOptions {
  /** Servers stand beside it: they run as a user who may not look into it. */
  readonly folder: string
  readonly withStandby: boolean
  /** Addresses to listen on beside the sockets, and who may come there; absent: none. */
  readonly network?: { readonly primary: string; readonly standby: string; readonly from: string } | undefined
}

export async function startDatabase({ folder, withStandby, network }: DatabaseOptions): Promise<Database> {
  const listen = (address: string | undefined) =>
    network === undefined ? [] : ['--listen', address ?? '', '--from', network.from]
  const primary = await startServer(`${folder}-primary`, listen(network?.primary))
  let current = primary
  let standby: Server | null = null
  let connection = connectionTo(primary.folder)
  const query: Database['query'] = (sql, values) => connection.query(sql, values)
  if (withStandby) {
    standby = await startServer(`${folder}-standby`, ['--standby-of', primary.folder, ...listen(network?.standby)])
    await beSynchronous(query)
  }
  return {
    hosts: { primary: primary.folder, standby: `${folder}-standby` },
    hasStandby: withStandby,
    query,
    async crash() {
      const pid = current.pid()
      process.kill(pid, 'SIGKILL')
      await current.isAnother(pid)
    },
    async failOver() {
      if (standby === null) throw new Error('there is no standby')
      writeFileSync(join(primary.folder, 'down'), '')
      process.kill(primary.pid(), 'SIGKILL')
      await connection.end()
      connection = connectionTo(standby.folder)
      await query('SELECT pg_promote()')
      current = standby
    },
    async close() {
      await connection.end()
      await standby?.close()
      await primary.close()
    },
  }
}

/** From now on what is committed is on both. */
async function beSynchronous(query: Database['query']): Promise<void> {
  await query("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await query('SELECT pg_reload_conf()')
  const isSynchronous = async () =>
    (await query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length > 0
  while (!(await isSynchronous())) await systemClock.sleep(LOOK_EVERY_MS)
}

async function startServer(folder: string, flags: readonly string[]): Promise<Server> {
  const args = [serverScript(), folder, '--while', String(process.pid), '--durable', '--again', ...flags]
  const script: ChildProcess = spawn(process.execPath, args, { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => script.once('exit', () => resolve()))
  const pid = () => {
    const failed = join(folder, 'failed.json')
    if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'))
    const ready = join(folder, 'ready.json')
    if (!existsSync(ready)) return 0
    const { pid: found }: { readonly pid: number } = JSON.parse(readFileSync(ready, 'utf8'))
    return found
  }
  const isAnother = async (before: number) => {
    while (pid() === before) await systemClock.sleep(LOOK_EVERY_MS)
  }
  await isAnother(0)
  return {
    folder,
    pid,
    isAnother,
    async close() {
      script.kill('SIGTERM')
      await ended
    },
  }
}

interface Connection {
  query: Database['query']
  end(): Promise<void>
}

/** Made anew when it was lost, at the next question. */
function connectionTo(host: string): Connection {
  let client: pg.Client | null = null
  const connect = async () => {
    const made = new pg.Client({ host, user: USER, database: DATABASE })
    made.on('error', () => {
      if (client === made) client = null
    })
    await made.connect()
    client = made
    return made
  }
  const end = async () => {
    const ended = client
    client = null
    await ended?.end().catch(() => {})
  }
  return {
    async query(sql, values = []) {
      try {
        return (await (client ?? (await connect())).query(sql, [...values])).rows
      } catch (error) {
        // A mistake of ours leaves the connection as it is; all else is begun anew.
        await end()
        throw error
      }
    },
    end,
  }
}

/** How members name it: a list of hosts where there is a standby. All of them are this machine. */
export function storeUrl({ primary, standby }: ServerHosts, hasStandby: boolean): string {
  const hosts = hasStandby ? [primary, standby] : [primary]
  return `postgres://${USER}@/${DATABASE}?host=${hosts.map(encodeURIComponent).join(',')}&sslmode=disable`
}
