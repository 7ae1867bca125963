import type { ServerDurability } from '../../../cluster/durability.ts'
import type { Sql } from './sql.ts'

interface DurabilityRow {
  readonly commit: string
  readonly names: string
  readonly standbys: readonly { readonly name: string; readonly syncState: string | null }[]
}

/** Who is not `pg_monitor` sees that a standby follows, and its name, but not how. A copy that is being made is none. */
const DURABILITY = `SELECT current_setting('synchronous_commit') AS commit,
  current_setting('synchronous_standby_names') AS names,
  (SELECT coalesce(json_agg(json_build_object('name', application_name, 'syncState', sync_state)
     ORDER BY application_name), '[]')
   FROM pg_stat_replication WHERE state IS NULL OR state <> 'backup') AS standbys`

/** How safe what the server confirms is; `hosts`: that the address names. */
export async function readDurability(sql: Sql, hosts: number): Promise<ServerDurability> {
  const row = await sql.first<DurabilityRow>(DURABILITY)
  if (row === null) throw new Error('the server gave no answer about its standbys')
  return { synchronousCommit: row.commit, synchronousNames: row.names, hosts, standbys: row.standbys }
}
