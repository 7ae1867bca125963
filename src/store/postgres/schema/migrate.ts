import { HeadwaterError } from '../../../runtime/errors.ts'
import { CLUSTER } from '../database/greeting.ts'
import type { Access, Sql } from '../database/sql.ts'
import { API_REPLICAS } from './api-replicas.ts'
import { GRANTS } from './grants.ts'
import { HUB, HUB_EDITS, HUB_TOPICS } from './hub.ts'
import { ICONS } from './icons.ts'
import { ITEM_PAGES, PAGE_VALIDATORS } from './item-pages.ts'
import { LEASE_TABLES } from './leases.ts'
import { PAYER_PRICES } from './payer-prices.ts'
import { PUSHES } from './pushes.ts'
import { QUERY_SHARDS } from './query-shards.ts'
import { RECORD_REFRESHES } from './record-refreshes.ts'
import { SETTINGS_DOCUMENT } from './settings-document.ts'
import { TABLES } from './tables.ts'

export interface SchemaStep {
  readonly sql: string
  /**
   * The oldest schema version whose program may go on working over what the step leaves behind. A step of the next release names
   * that of this one, so that members of both work side by side while one after the other is replaced; what it must not do
   * for that is left to the release after it (docs/decisions/0100-operating-a-cluster.md).
   */
  readonly compatibleFrom: number
}

/** Step n leads from schema version n − 1 to n. A step that was released is never changed; a new need is a new step. */
export const STEPS: readonly SchemaStep[] = [
  {
    sql: [
      TABLES,
      ITEM_PAGES,
      SETTINGS_DOCUMENT,
      LEASE_TABLES,
      GRANTS,
      QUERY_SHARDS,
      API_REPLICAS,
      RECORD_REFRESHES,
    ].join('\n'),
    compatibleFrom: 1,
  },
  { sql: PUSHES, compatibleFrom: 1 },
  { sql: PAYER_PRICES, compatibleFrom: 1 },
  { sql: PAGE_VALIDATORS, compatibleFrom: 1 },
  // What reader apps ask for: what was marked unread again below a mark of everything.
  { sql: 'CREATE INDEX item_mark_unread ON item_mark (user_id, seq) WHERE NOT read', compatibleFrom: 1 },
  { sql: HUB, compatibleFrom: 1 },
  { sql: ICONS, compatibleFrom: 1 },
  // Where an item was seen first. The lock "publications" makes it unique in a feed; a partitioned table cannot.
  {
    sql: `ALTER TABLE publication ADD COLUMN origin text;
      CREATE INDEX publication_origin ON publication (feed_id, origin) WHERE origin IS NOT NULL`,
    compatibleFrom: 1,
  },
  { sql: HUB_EDITS, compatibleFrom: 1 },
  { sql: HUB_TOPICS, compatibleFrom: 1 },
]

interface Found {
  readonly clusterId: string | null
  readonly version: number
  /** The oldest program that may use it, by the schema version that it knows. */
  readonly compatibleFrom: number
}

interface SchemaOptions {
  readonly newId: () => string
  /** Asked where a cluster is there, before anything of it is changed; throws where this process must not. */
  readonly admit?: (sql: Sql, clusterId: string) => Promise<void>
  /** Those of another version of the program, for tests. */
  readonly steps?: readonly SchemaStep[]
}

/**
 * Makes the schema what this program needs, or says why it cannot; nothing is touched before all was checked. Any number of
 * processes may do so at once: one works, the others wait for it. Returns the id of the cluster.
 */
export async function prepareSchema(access: Access, options: SchemaOptions): Promise<string> {
  const { steps = STEPS } = options
  const admit = async (sql: Sql, found: Found) => {
    refuse(found, steps.length)
    if (found.clusterId !== null) await options.admit?.(sql, found.clusterId)
  }
  await checkServer(access)
  const found = await access.snapshot((sql) => readVersion(sql))
  await admit(access, found)
  if (found.version >= steps.length && found.clusterId !== null) {
    await checkMayWrite(access)
    return found.clusterId
  }
  await checkMayCreate(access)
  return access.transaction(['migration'], async (sql) => {
    // Asked again under the lock: another process may have been faster.
    const present = await readVersion(sql)
    await admit(sql, present)
    if (present.version >= steps.length && present.clusterId !== null) return present.clusterId
    return migrate(sql, present, options.newId(), steps)
  })
}

async function migrate(
  sql: Sql,
  { clusterId, version, compatibleFrom }: Found,
  newId: string,
  steps: readonly SchemaStep[],
): Promise<string> {
  const taken = steps.slice(version)
  const oldest = Math.max(compatibleFrom, ...taken.map((step) => step.compatibleFrom))
  if (clusterId === null) {
    await sql.run(
      `CREATE TABLE ${CLUSTER} (
         id text NOT NULL, schema_version integer NOT NULL, compatible_from integer NOT NULL, key_check text)`,
    )
    await sql.run(`INSERT INTO ${CLUSTER} (id, schema_version, compatible_from) VALUES ($1, 0, 0)`, [newId])
  } else if (oldest > version) await demandNobodyAtWork(sql)
  for (const step of taken) await sql.run(step.sql)
  await sql.run(`UPDATE ${CLUSTER} SET schema_version = $1, compatible_from = $2`, [steps.length, oldest])
  return clusterId ?? newId
}

/** Members that were seen within this time may still be at work. */
const AT_WORK_MS = 60_000

/** Those at work know only the schema that is there; it must not be taken from under them. */
async function demandNobodyAtWork(sql: Sql): Promise<void> {
  const row = await sql.first<{ names: string | null }>(
    `SELECT string_agg(name || ' (' || version || ')', ', ' ORDER BY name) AS names FROM member
     WHERE last_seen_at > extract(epoch FROM clock_timestamp()) * 1000 - $1`,
    [AT_WORK_MS],
  )
  if (row?.names != null) throw new HeadwaterError('STORE_MEMBERS_OLDER', row.names)
}

async function checkServer(sql: Sql): Promise<void> {
  const server = await sql.first<{ encoding: string }>("SELECT current_setting('server_encoding') AS encoding")
  if (server?.encoding !== 'UTF8')
    throw new HeadwaterError('STORE_SERVER_UNFIT', `the database is in ${server?.encoding}, and UTF8 is needed`)
}

/**
 * The tables are read from the catalogue as rows, of the same moment as what is read from them: to_regclass would already see
 * what another process, which starts as this one does, has made since, and its row would be missing.
 */
async function readVersion(sql: Sql): Promise<Found> {
  const there = await sql.first<{ ours: number; all: number }>(
    `SELECT count(*) FILTER (WHERE relname = '${CLUSTER}') AS ours, count(*) AS all
     FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace(current_schema())`,
  )
  if ((there?.ours ?? 0) === 0) {
    if ((there?.all ?? 0) > 0) throw new HeadwaterError('STORE_FOREIGN')
    return { clusterId: null, version: 0, compatibleFrom: 0 }
  }
  const row = await sql.first<{ id: string; schema_version: number; compatible_from: number }>(
    `SELECT id, schema_version, compatible_from FROM ${CLUSTER}`,
  )
  if (row === null) throw new HeadwaterError('STORE_FOREIGN')
  return { clusterId: row.id, version: row.schema_version, compatibleFrom: row.compatible_from }
}

/** A newer schema is used as long as it says that a program of this version may. */
function refuse({ version, compatibleFrom }: Found, known: number): void {
  if (version > known && compatibleFrom > known) {
    const need = `schema version ${version} needs a program that knows ${compatibleFrom} at least`
    throw new HeadwaterError('STORE_TOO_NEW', `${need}, this one knows ${known}`)
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
