import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { HeadwaterError } from '../../../runtime/errors.ts'
import type { Vault } from '../../../runtime/vault.ts'
import { CLUSTER } from '../database/greeting.ts'
import type { Sql } from '../database/sql.ts'

/**
 * All processes of a cluster must have the same key: what one of them seals the others have to open. The first one leaves a
 * text that is sealed with it; who cannot open that is refused. Looks and writes nothing.
 */
export async function refuseOtherKey(sql: Sql, vault: Vault, clusterId: string, keyFile: string): Promise<void> {
  const sealed = await readCheck(sql)
  if (sealed !== null && vault.open(sealed) !== clusterId) throw new HeadwaterError('STORE_OTHER_KEY', keyFile)
}

/** Leaves that text where there is none yet. */
export async function demandSameKey(sql: Sql, vault: Vault, clusterId: string, keyFile: string): Promise<void> {
  const sealed = (await readCheck(sql)) ?? (await leaveCheck(sql, vault, clusterId, keyFile))
  if (sealed === null || vault.open(sealed) !== clusterId) throw new HeadwaterError('STORE_OTHER_KEY', keyFile)
}

/** Makes a key where there is none. Another process may be faster: then its text counts. */
async function leaveCheck(sql: Sql, vault: Vault, clusterId: string, keyFile: string): Promise<string | null> {
  mkdirSync(dirname(keyFile), { recursive: true, mode: 0o700 })
  await sql.run(`UPDATE ${CLUSTER} SET key_check = $1 WHERE key_check IS NULL`, [vault.seal(clusterId)])
  return readCheck(sql)
}

async function readCheck(sql: Sql): Promise<string | null> {
  return (await sql.first<{ key_check: string | null }>(`SELECT key_check FROM ${CLUSTER}`))?.key_check ?? null
}
