import { randomUUID } from 'node:crypto'
import type { ItemBuffer } from '../../buffer/buffer.ts'
import type { Notifier } from '../../buffer/notifier.ts'
import type { ServerDurability } from '../../cluster/durability.ts'
import type { GrantStore } from '../../cluster/grants.ts'
import type { JobBoard } from '../../cluster/job-board.ts'
import type { LeaseStore } from '../../cluster/lease-store.ts'
import type { LogInLimits } from '../../cluster/log-in-limits.ts'
import type { PriceBoard } from '../../cluster/prices.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { BackgroundWatch } from '../../runtime/supervisor.ts'
import { openVault } from '../../runtime/vault.ts'
import { DEFAULT_BUFFER_CAPACITY } from '../defaults.ts'
import { type ReportState, StateReader } from '../node-state.ts'
import type { QueryShards } from '../query-shards.ts'
import type { Store } from '../store.ts'
import { createPostgresBuffer } from './buffer/buffer.ts'
import { createPostgresGrants } from './cluster/grants.ts'
import { createPostgresJobBoard } from './cluster/job-board.ts'
import { createPostgresLeases } from './cluster/leases.ts'
import { createPostgresLogInLimits } from './cluster/log-in-limits.ts'
import { createPostgresPrices } from './cluster/prices.ts'
import { parseAddress } from './database/address.ts'
import { connectionsOf, type StoreRole } from './database/connections.ts'
import { openConnections } from './database/pool.ts'
import { runningRoles } from './database/running-roles.ts'
import { type StoredSettings, storedSettings } from './database/settings-document.ts'
import { createAccess, directSql, type Sql } from './database/sql.ts'
import { readDurability } from './database/standbys.ts'
import { createPostgresNotifier } from './notifications/notifier.ts'
import { createPostgresQueryShards } from './query-feeds/query-shards.ts'
import { demandSameKey, refuseOtherKey } from './schema/key-check.ts'
import { prepareSchema } from './schema/migrate.ts'
import { createIndexer } from './search/indexer.ts'
import { forgetOldMembers, memberStates } from './sources/states.ts'
import { createPostgresStore } from './store.ts'
import { refuseWhileMoved } from './transfer/open.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host/database`; see database/address.ts. */
  readonly url: string
  readonly clock: Clock
  /** Of the key that seals secrets; the same for all processes of a cluster. */
  readonly keyFile: string
  /** Those of this process; they decide how many connections are opened at most. Absent or none: a command beside the node. */
  readonly roles?: readonly StoreRole[]
  /** Instead of what the roles need. */
  readonly connections?: number
  /** Which member of the cluster this process is, over restarts; absent: one of the commands. */
  readonly memberId?: string
  /** Entries that the slowest reader may lag behind before the crawlers wait. */
  readonly bufferCapacity?: number
  /** Told how the work goes that nobody waits for. */
  readonly background?: BackgroundWatch
  readonly onUnreadableState?: ReportState | undefined
}

export interface PostgresStore {
  readonly store: Store
  readonly buffer: ItemBuffer
  /** Of this process; with roles it hears the others, too. */
  readonly notifier: Notifier
  readonly clusterId: string
  readonly settings: StoredSettings
  readonly leases: LeaseStore
  /** The roles that run now, in whichever process. */
  runningRoles(): Promise<ReadonlySet<StoreRole>>
  /** What all processes over this database spend, and at which price. */
  readonly grants: GrantStore
  readonly prices: PriceBoard
  /** How matchers share the queries. */
  readonly queryShards: QueryShards
  /** How often passwords were tried at any of them. */
  readonly logIns: LogInLimits
  /** What any of them does that takes long. */
  readonly jobs: JobBoard
  /** What the server may lose, as it is set up now. */
  durability(): Promise<ServerDurability>
}

/** Commands come and go: what they learn is kept as that of one member. */
const COMMANDS = 'commands'

/** Archive and item buffer in one PostgreSQL database, for any number of processes. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { clock, keyFile, roles = [], connections: most = connectionsOf(roles) } = options
  const { bufferCapacity: capacity = DEFAULT_BUFFER_CAPACITY, memberId = COMMANDS } = options
  const address = parseAddress(options.url)
  // Who has a role listens, with a connection of its own.
  const connections = await openConnections(address, roles, roles.length === 0 ? most : most - 1)
  const notifier = createPostgresNotifier(directSql(connections, address.shown), clock)
  const end = async () => {
    await notifier.close()
    await connections.end()
  }
  const vault = openVault(keyFile)
  const access = createAccess({ connections, shown: address.shown, vault, notifier, now: () => clock.now() })
  try {
    const admit = async (sql: Sql, id: string) => {
      await refuseOtherKey(sql, vault, id, keyFile)
      await refuseWhileMoved(sql, address.shown)
    }
    const clusterId = await prepareSchema(access, { newId: randomUUID, admit })
    connections.keepTo(clusterId)
    await demandSameKey(access, vault, clusterId, keyFile)
    await refuseWhileMoved(access, address.shown)
    if (roles.length > 0) notifier.listen(connections.connectApart)
    const indexer = createIndexer(access, options.background)
    const states = memberStates(memberId, new StateReader(options.onUnreadableState))
    if (roles.length > 0) await forgetOldMembers(access)
    return {
      store: createPostgresStore({ access, clock, capacity, indexer, states, end }),
      buffer: createPostgresBuffer({ access, clock, capacity, notifier }),
      notifier,
      clusterId,
      settings: storedSettings(access),
      leases: createPostgresLeases(access),
      grants: createPostgresGrants(access),
      prices: createPostgresPrices(access),
      queryShards: createPostgresQueryShards(access),
      logIns: createPostgresLogInLimits(access, { monotonicMs: () => clock.monotonicMs() }),
      jobs: createPostgresJobBoard(access),
      durability: () => readDurability(access, address.hosts.length),
      runningRoles: () => runningRoles(access),
    }
  } catch (error) {
    await end()
    throw error
  }
}
