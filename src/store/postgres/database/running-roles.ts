import { rolesOfApplication, type StoreRole } from './connections.ts'
import type { Sql } from './sql.ts'

/** The roles that run now, in whichever process: each keeps a connection, which the server shows to everybody. */
export async function runningRoles(sql: Sql): Promise<ReadonlySet<StoreRole>> {
  const rows = await sql.rows<{ name: string }>(
    'SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = current_database()',
  )
  return new Set(rows.flatMap(({ name }) => rolesOfApplication(name)))
}
