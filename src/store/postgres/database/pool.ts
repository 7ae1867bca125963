import type { Client, ClientBase, ClientConfig, Pool, PoolClient, PoolConfig } from 'pg'
import { HeadwaterError } from '../../../runtime/errors.ts'
import type { DatabaseAddress } from './address.ts'
import { applicationName, type StoreRole } from './connections.ts'
import { isElsewhere } from './failures.ts'
import { greet, versionHeardBy } from './greeting.ts'

/** Connections to whichever of the hosts can be written; after one was lost, to whichever can be written then. */
export interface DatabaseConnections {
  /** One of the pool, which must be released. */
  connect(): Promise<PoolClient>
  /** One apart from the pool, which must be ended. */
  connectApart(): Promise<Client>
  /** From now on only with servers that hold this cluster: whatever the list of hosts says, nothing is written elsewhere. */
  keepTo(clusterId: string): void
  /** Twice is once. */
  end(): Promise<void>
}

const CONNECT_WITHIN_MS = 10_000
/** No statement takes so long; whoever waits longer waits for a server that is gone. */
const ANSWER_WITHIN_MS = 5 * 60_000
const KEEP_ALIVE_AFTER_MS = 10_000

/** Object ids of types (pg_type.oid) that `pg` gives as text: ours are all within what a number holds. */
const INT8 = 20
const NUMERIC = 1700
const INT8_ARRAY = 1016

/** `pg` is loaded here and nowhere else: who keeps to SQLite need not have it. */
export async function openConnections(
  address: DatabaseAddress,
  roles: readonly StoreRole[],
  most: number,
): Promise<DatabaseConnections> {
  const { default: pg } = await loadDriver()
  const { hosts } = address
  let current = hosts[0]
  let clusterId: string | null = null
  const config: ClientConfig = { ...configOf(address, roles), types: typesOf(pg) }
  class CurrentClient extends pg.Client {
    readonly version = versionHeardBy(this.connection)
    constructor(given?: string | ClientConfig) {
      super({ ...(typeof given === 'object' ? given : {}), host: current.host, port: current.port })
      // A connection that breaks fails what is asked of it; nobody else need be told.
      this.on('error', () => {})
    }
  }
  const welcome = (client: ClientBase) =>
    greet(client, { clusterId, version: client instanceof CurrentClient ? client.version() : null })
  const pool = new pg.Pool({ ...config, max: most, Client: CurrentClient, onConnect: welcome } satisfies PoolConfig)
  // An idle connection that breaks is replaced at its next use.
  pool.on('error', () => {})

  /** With each of the hosts in turn, beginning with the one that was good last. */
  const atAny = async <T>(action: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      const tried = current
      try {
        return await action()
      } catch (error) {
        if (attempt >= hosts.length || !isElsewhere(error)) throw error
        // Another one may have found that out meanwhile.
        if (current === tried) current = hosts[(hosts.indexOf(tried) + 1) % hosts.length] ?? tried
      }
    }
  }
  return {
    connect: () => atAny(() => pool.connect()),
    connectApart: () => atAny(() => connected(new CurrentClient(config), welcome)),
    keepTo(id) {
      clusterId = id
    },
    end: endOf(pool),
  }
}

function configOf({ user, password, database, ssl }: DatabaseAddress, roles: readonly StoreRole[]): ClientConfig {
  return {
    user,
    password,
    database,
    ssl,
    application_name: applicationName(roles),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  }
}

function typesOf(pg: Pick<typeof import('pg'), 'types'>): NonNullable<ClientConfig['types']> {
  return {
    getTypeParser(oid: number, format) {
      if (oid === INT8 || oid === NUMERIC) return Number
      if (oid === INT8_ARRAY) return (text: string) => text.slice(1, -1).split(',').filter(Boolean).map(Number)
      return pg.types.getTypeParser(oid, format)
    },
  }
}

async function connected(client: Client, welcome: (client: Client) => Promise<void>): Promise<Client> {
  await client.connect()
  try {
    await welcome(client)
  } catch (error) {
    await client.end()
    throw error
  }
  return client
}

function endOf(pool: Pool): () => Promise<void> {
  let ended: Promise<void> | null = null
  return () => {
    ended ??= pool.end()
    return ended
  }
}

async function loadDriver(): Promise<typeof import('pg')> {
  try {
    return await import('pg')
  } catch (cause) {
    throw new HeadwaterError('STORE_DRIVER_MISSING', undefined, { cause })
  }
}
