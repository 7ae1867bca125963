import type { Pool, PoolConfig } from 'pg'
import { HeadwaterError } from '../../../runtime/errors.ts'
import type { DatabaseAddress } from './address.ts'

/** Connections that a process of each role opens at most; what they add up to must fit into `max_connections`. */
export const CONNECTIONS_OF_ROLE = { all: 10, crawler: 4, matcher: 4, publisher: 4, api: 8 } as const

export type StoreRole = keyof typeof CONNECTIONS_OF_ROLE

const CONNECT_WITHIN_MS = 10_000
/** Who is cut off in the middle of a transaction holds its locks for no longer. */
const IDLE_IN_TRANSACTION_MS = 10_000
const KEEP_ALIVE_AFTER_MS = 10_000

/** Object ids of types (pg_type.oid) that `pg` gives as text: ours are all within what a number holds. */
const INT8 = 20
const NUMERIC = 1700
const INT8_ARRAY = 1016

/** `pg` is loaded here and nowhere else: who keeps to SQLite need not have it. */
export async function openPool(address: DatabaseAddress, role: StoreRole, most: number): Promise<Pool> {
  const { default: pg } = await loadDriver()
  const { shown, ...where } = address
  const types: PoolConfig['types'] = {
    getTypeParser(oid: number, format) {
      if (oid === INT8 || oid === NUMERIC) return Number
      if (oid === INT8_ARRAY) return (text: string) => text.slice(1, -1).split(',').filter(Boolean).map(Number)
      return pg.types.getTypeParser(oid, format)
    },
  }
  const pool = new pg.Pool({
    ...where,
    max: most,
    types,
    application_name: `headwater ${role}`,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  })
  // An idle connection that breaks is replaced at its next use; who uses one is told by its query.
  pool.on('error', () => {})
  return pool
}

async function loadDriver(): Promise<typeof import('pg')> {
  try {
    return await import('pg')
  } catch (cause) {
    throw new HeadwaterError('STORE_DRIVER_MISSING', undefined, { cause })
  }
}
