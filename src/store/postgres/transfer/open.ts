import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { createNotifier } from '../../../buffer/notifier.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { HeadwaterError } from '../../../runtime/errors.ts'
import { openVault } from '../../../runtime/vault.ts'
import type { Transfer } from '../../transfer/transfer.ts'
import { parseAddress } from '../database/address.ts'
import { translate } from '../database/failures.ts'
import { LOCK_SPACE, LOCKS } from '../database/locks.ts'
import { openConnections } from '../database/pool.ts'
import { type StoredSettings, storedSettings } from '../database/settings-document.ts'
import { type Access, createAccess, type Sql } from '../database/sql.ts'
import { hasTables } from '../glance.ts'
import { demandSameKey, refuseOtherKey } from '../schema/key-check.ts'
import { prepareSchema } from '../schema/migrate.ts'
import { createPostgresTransfer, readProgress } from './transfer.ts'

export interface PostgresTransferOptions {
  readonly url: string
  readonly clock: Clock
  readonly keyFile: string
  /** Whether it is moved to. */
  readonly isTarget: boolean
}

/** The settings of a cluster stand beside its rows. */
export interface PostgresTransfer {
  readonly transfer: Transfer
  readonly settings: StoredSettings
}

/** Throws STORE_LOCKED where a node uses the database, DATA_NOT_FOUND where there is nothing to move; nothing is changed before. */
export async function openPostgresTransfer(options: PostgresTransferOptions): Promise<PostgresTransfer> {
  const address = parseAddress(options.url)
  const { clock, keyFile } = options
  // One that works, beside one that holds the lock.
  const connections = await openConnections(address, [], 1)
  const vault = openVault(keyFile)
  const notifier = createNotifier(clock)
  const access = createAccess({ connections, shown: address.shown, vault, notifier, now: () => clock.now() })
  let holder: Client | null = null
  const close = async () => {
    await holder?.end()
    await connections.end()
  }
  try {
    holder = await connections.connectApart()
    if (!options.isTarget && !(await hasTables(access))) throw new HeadwaterError('DATA_NOT_FOUND', address.shown)
    const holderPid = await takeMoveLock(holder, address.shown)
    await refuseNodes(access, holderPid, clock, address.shown)
    const admit = async (sql: Sql, id: string) => {
      await refuseOtherKey(sql, vault, id, keyFile)
      if (!options.isTarget) await refuseHalfMoved(sql, address.shown)
    }
    const clusterId = await prepareSchema(access, { newId: randomUUID, admit })
    connections.keepTo(clusterId)
    await demandSameKey(access, vault, clusterId, keyFile)
  } catch (error) {
    await close()
    throw translate(address.shown, error)
  }
  return { transfer: createPostgresTransfer(access, address.shown, close), settings: storedSettings(access) }
}

/** Until its connection ends. */
async function takeMoveLock(holder: Client, shown: string): Promise<number> {
  const { rows } = await holder.query(
    `SELECT pg_backend_pid() AS pid, pg_try_advisory_lock(${LOCK_SPACE}, ${LOCKS.move}) AS taken`,
  )
  const [row] = rows as { pid: number; taken: boolean }[]
  if (row?.taken !== true) throw new HeadwaterError('STORE_LOCKED', `${shown}: another move works on it`)
  return row.pid
}

const LOOKS = 20
const LOOK_EVERY_MS = 100

/** Who comes later is refused by the lock. The connections of who has just ended are gone in a moment. */
async function refuseNodes(access: Access, holderPid: number, clock: Clock, shown: string): Promise<void> {
  for (let look = 1; ; look++) {
    const row = await access.first<{ nodes: number }>(
      `SELECT count(*) AS nodes FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'headwater %' AND pid NOT IN (pg_backend_pid(), $1)`,
      [holderPid],
    )
    if (row?.nodes === 0) return
    if (look === LOOKS) throw new HeadwaterError('STORE_LOCKED', `${shown}: ${row?.nodes} connections of a node`)
    await clock.sleep(LOOK_EVERY_MS)
  }
}

async function refuseHalfMoved(sql: Sql, shown: string): Promise<void> {
  if ((await readProgress(sql)) !== null) throw new HeadwaterError('STORE_MOVING', shown)
}

/** For a node: neither a move that is not finished, nor one that reads it now. */
export async function refuseWhileMoved(sql: Sql, shown: string): Promise<void> {
  await refuseHalfMoved(sql, shown)
  const row = await sql.first<{ free: boolean }>(
    `SELECT pg_try_advisory_xact_lock_shared(${LOCK_SPACE}, ${LOCKS.move}) AS free`,
  )
  if (row?.free !== true) throw new HeadwaterError('STORE_LOCKED', `${shown} is being moved`)
}
