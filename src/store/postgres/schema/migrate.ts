import { HeadwaterError } from '../../../runtime/errors.ts'
import type { Access, Sql } from '../database/sql.ts'
import { GRANTS } from './grants.ts'
import { LEASE_TABLES } from './leases.ts'
import { RECORD_REFRESHES } from './record-refreshes.ts'
import { SETTINGS_DOCUMENT } from './settings-document.ts'
import { TABLES } from './tables.ts'

/** Step n leads from schema version n − 1 to n. A step that was released is never changed; a new need is a new step. */
const STEPS: readonly string[] = [[TABLES, SETTINGS_DOCUMENT, LEASE_TABLES, GRANTS, RECORD_REFRESHES].join('\n')]

export const SCHEMA_VERSION = STEPS.length

const OLDEST_SERVER = 15

/** Ours and nobody else's: a database without it and with other tables belongs to another program. */
export const CLUSTER = 'headwater_cluster'

interface Found {
  readonly clusterId: string | null
  readonly version: number
}

/**
 * Makes the schema what this program needs, or says why it cannot; nothing is touched before all was checked. Any number of
 * processes may do so at once: one works, the others wait for it. Returns the id of the cluster.
 */
export async function prepareSchema(
  access: Access,
  options: { readonly clusterId?: string | undefined; readonly newId: () => string },
): Promise<string> {
  await checkServer(access)
  const found = await access.snapshot((sql) => readVersion(sql))
  refuse(found, options.clusterId)
  if (found.version === SCHEMA_VERSION && found.clusterId !== null) {
    await checkMayWrite(access)
    return found.clusterId
  }
  await checkMayCreate(access)
  return access.transaction(['migration'], async (sql) => {
    // Asked again under the lock: another process may have been faster.
    const present = await readVersion(sql)
    refuse(present, options.clusterId)
    return migrate(sql, present, options.clusterId ?? options.newId())
  })
}

async function migrate(sql: Sql, { clusterId, version }: Found, newId: string): Promise<string> {
  if (clusterId === null) {
    await sql.run(`CREATE TABLE ${CLUSTER} (id text NOT NULL, schema_version integer NOT NULL, key_check text)`)
    await sql.run(`INSERT INTO ${CLUSTER} (id, schema_version) VALUES ($1, 0)`, [newId])
  }
  for (const step of STEPS.slice(version)) await sql.run(step)
  await sql.run(`UPDATE ${CLUSTER} SET schema_version = $1`, [SCHEMA_VERSION])
  return clusterId ?? newId
}

async function checkServer(sql: Sql): Promise<void> {
  const server = await sql.first<{ version: number; encoding: string }>(
    `SELECT current_setting('server_version_num')::integer / 10000 AS version,
       current_setting('server_encoding') AS encoding`,
  )
  if (server === null) throw new HeadwaterError('STORE_SERVER_UNFIT')
  if (server.version < OLDEST_SERVER) throw unfit(`it is version ${server.version}, and ${OLDEST_SERVER} is needed`)
  if (server.encoding !== 'UTF8') throw unfit(`the database is in ${server.encoding}, and UTF8 is needed`)
}

function unfit(why: string): HeadwaterError {
  return new HeadwaterError('STORE_SERVER_UNFIT', why)
}

async function readVersion(sql: Sql): Promise<Found> {
  const there = await sql.first<{ ours: boolean; others: number }>(
    `SELECT to_regclass('${CLUSTER}') IS NOT NULL AS ours,
       (SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace(current_schema())) AS others`,
  )
  if (there?.ours !== true) {
    if ((there?.others ?? 0) > 0) throw new HeadwaterError('STORE_FOREIGN')
    return { clusterId: null, version: 0 }
  }
  const row = await sql.first<{ id: string; schema_version: number }>(`SELECT id, schema_version FROM ${CLUSTER}`)
  if (row === null) throw new HeadwaterError('STORE_FOREIGN')
  return { clusterId: row.id, version: row.schema_version }
}

function refuse({ clusterId, version }: Found, expectedId: string | undefined): void {
  if (version > SCHEMA_VERSION) {
    throw new HeadwaterError('STORE_TOO_NEW', `schema version ${version}, this program knows ${SCHEMA_VERSION}`)
  }
  if (clusterId !== null && expectedId !== undefined && clusterId !== expectedId) {
    throw new HeadwaterError('STORE_OTHER_CLUSTER', `it holds ${clusterId}, this process belongs to ${expectedId}`)
  }
}

async function checkMayCreate(sql: Sql): Promise<void> {
  const may = await sql.first<{ may: boolean | null }>(
    "SELECT has_schema_privilege(current_schema(), 'CREATE') AND has_schema_privilege(current_schema(), 'USAGE') AS may",
  )
  if (may?.may !== true) throw new HeadwaterError('STORE_NO_RIGHTS', 'this user may not make tables')
}

async function checkMayWrite(sql: Sql): Promise<void> {
  const lacking = await sql.first<{ table: string }>(
    `SELECT relname AS table FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace(current_schema()) AND relname <> '${CLUSTER}'
       AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
         AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')) ORDER BY relname LIMIT 1`,
  )
  if (lacking !== null)
    throw new HeadwaterError('STORE_NO_RIGHTS', `this user may not write the table ${lacking.table}`)
}
