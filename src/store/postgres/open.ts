import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { ItemBuffer } from '../../buffer/buffer.ts'
import { createNotifier, type Notifier } from '../../buffer/notifier.ts'
import type { GrantStore } from '../../cluster/grants.ts'
import type { PriceBoard } from '../../cluster/prices.ts'
import type { Clock } from '../../runtime/clock.ts'
import { openVault } from '../../runtime/vault.ts'
import { DEFAULT_BUFFER_CAPACITY } from '../defaults.ts'
import { type ReportState, StateReader } from '../node-state.ts'
import type { Store } from '../store.ts'
import { createPostgresBuffer } from './buffer/buffer.ts'
import { createPostgresGrants } from './cluster/grants.ts'
import { createPostgresPrices } from './cluster/prices.ts'
import { parseAddress } from './database/address.ts'
import { CONNECTIONS_OF_ROLE, openPool, type StoreRole } from './database/pool.ts'
import { createAccess } from './database/sql.ts'
import { prepareSchema } from './schema/migrate.ts'
import { createIndexer, type IndexerWatch } from './search/indexer.ts'
import { createPostgresStore } from './store.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host/database`; see database/address.ts. */
  readonly url: string
  readonly clock: Clock
  /** Of the key that seals secrets; the same for all processes of a cluster. */
  readonly keyFile: string
  /** Decides how many connections are opened at most, and is shown in pg_stat_activity. */
  readonly role?: StoreRole
  readonly connections?: number
  /** Which cluster this process belongs to; absent: whichever is there, or a new one. */
  readonly clusterId?: string | undefined
  /** Entries that the slowest reader may lag behind before the crawlers wait. */
  readonly bufferCapacity?: number
  /** Told how the work goes that nobody waits for. */
  readonly background?: IndexerWatch
  readonly onUnreadableState?: ReportState | undefined
}

export interface PostgresStore {
  readonly store: Store
  readonly buffer: ItemBuffer
  /** Of this process. */
  readonly notifier: Notifier
  readonly clusterId: string
  /** What all processes over this database spend, and at which price. */
  readonly grants: GrantStore
  readonly prices: PriceBoard
}

/** Archive and item buffer in one PostgreSQL database, for any number of processes. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const address = parseAddress(options.url)
  const role = options.role ?? 'all'
  const pool = await openPool(address, role, options.connections ?? CONNECTIONS_OF_ROLE[role])
  const capacity = options.bufferCapacity ?? DEFAULT_BUFFER_CAPACITY
  const { clock } = options
  const notifier = createNotifier(clock)
  const access = createAccess({
    pool,
    shown: address.shown,
    vault: openVault(options.keyFile),
    notifier,
    now: () => clock.now(),
  })
  const buffer = createPostgresBuffer({ access, clock, capacity, notifier })
  try {
    const clusterId = await prepareSchema(access, { clusterId: options.clusterId, newId: randomUUID })
    const indexer = createIndexer(access, options.background)
    const states = new StateReader(options.onUnreadableState)
    const store = createPostgresStore({ access, clock, capacity, indexer, states, end: endOf(pool) })
    const shared = { grants: createPostgresGrants(access), prices: createPostgresPrices(access) }
    return { store, buffer, notifier, clusterId, ...shared }
  } catch (error) {
    await pool.end()
    throw error
  }
}

/** Twice is once. */
function endOf(pool: Pool): () => Promise<void> {
  let ended: Promise<void> | null = null
  return () => {
    ended ??= pool.end()
    return ended
  }
}
