import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { createNotifier } from '../../../buffer/notifier.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { HeadwaterError } from '../../../runtime/errors.ts'
import { openVault } from '../../../runtime/vault.ts'
import type { Transfer } from '../../transfer/transfer.ts'
import { parseAddress } from '../database/address.ts'
import { translate } from '../database/failures.ts'
import { LOCK_SPACE, LOCKS } from '../database/locks.ts'
import { openPool } from '../database/pool.ts'
import { type Access, createAccess, type Sql } from '../database/sql.ts'
import { prepareSchema } from '../schema/migrate.ts'
import { createPostgresTransfer, readProgress } from './transfer.ts'

export interface PostgresTransferOptions {
  readonly url: string
  readonly clock: Clock
  readonly keyFile: string
  /** Whether it is moved to. */
  readonly isTarget: boolean
}

/** One works, one holds the lock. */
const CONNECTIONS = 2

/** Throws STORE_LOCKED where a node uses the database. */
export async function openPostgresTransfer(options: PostgresTransferOptions): Promise<Transfer> {
  const address = parseAddress(options.url)
  const { clock } = options
  const pool = await openPool(address, 'all', CONNECTIONS)
  const access = createAccess({
    pool,
    shown: address.shown,
    vault: openVault(options.keyFile),
    notifier: createNotifier(clock),
    now: () => clock.now(),
  })
  let holder: PoolClient | null = null
  try {
    holder = await pool.connect()
    await prepareSchema(access, { newId: randomUUID })
    const holderPid = await takeMoveLock(holder, address.shown)
    await refuseNodes(access, holderPid, clock, address.shown)
    if (!options.isTarget) await refuseHalfMoved(access, address.shown)
  } catch (error) {
    holder?.release(true)
    await pool.end()
    throw translate(address.shown, error)
  }
  const held = holder
  return createPostgresTransfer(access, address.shown, async () => {
    held.release(true)
    await pool.end()
  })
}

/** Until its connection ends. */
async function takeMoveLock(holder: PoolClient, shown: string): Promise<number> {
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
