import type { DatabaseAddress } from './database/address.ts'
import { CLUSTER } from './database/greeting.ts'
import { openConnections } from './database/pool.ts'
import { readSettings } from './database/settings-document.ts'
import { directSql, type Sql } from './database/sql.ts'

/** What can be known of a database before the store in it is opened, or made. */
export interface Glance {
  /** Whether a node keeps its data there. */
  readonly exists: boolean
  /** The settings as they were written; null: nobody has set any. */
  readonly settings: string | null
}

/** Looks by a connection of its own, and changes nothing. */
export function glanceAt(address: DatabaseAddress): Promise<Glance> {
  return withConnection(address, async (sql) => {
    const exists = await hasTables(sql)
    return { exists, settings: exists ? await readSettings(sql) : null }
  })
}

export async function hasTables(sql: Sql): Promise<boolean> {
  const row = await sql.first<{ there: boolean }>(
    `SELECT to_regclass('${CLUSTER}') IS NOT NULL AND to_regclass('settings_document') IS NOT NULL AS there`,
  )
  return row?.there === true
}

async function withConnection<T>(address: DatabaseAddress, action: (sql: Sql) => Promise<T>): Promise<T> {
  const connections = await openConnections(address, [], 1)
  try {
    return await action(directSql(connections, address.shown))
  } finally {
    await connections.end()
  }
}
