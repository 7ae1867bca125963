import type { ClientBase, Connection } from 'pg'
import { HeadwaterError } from '../../../runtime/errors.ts'

const OLDEST_SERVER = 15

/** The table that tells one cluster from another. */
export const CLUSTER = 'headwater_cluster'

/**
 * Of each session: who is cut off in the middle of a transaction holds its locks for no longer than ten seconds, and the server
 * notices after some twenty that a client is gone. Asked with it: whether this server can be written.
 */
const GREETING = `SELECT set_config('idle_in_transaction_session_timeout', '10000', false),
  set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '3', false),
  set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '20000', false),
  pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS is_read_only`

const GREETING_OF_MEMBER = `${GREETING}, (SELECT id FROM ${CLUSTER}) AS cluster_id`

const UNDEFINED_TABLE = '42P01'

/** Servers say their version before they are asked anything. null: this one did not, or not as PostgreSQL does. */
export function versionHeardBy(connection: Connection): () => number | null {
  let heard: number | null = null
  connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, unknown>) => {
    if (parameterName === 'server_version') heard = Number.parseInt(String(parameterValue), 10) || null
  })
  return () => heard
}

/** Older servers do not know all that a session is set to. */
function demandVersion(version: number | null): void {
  if (version !== null && version < OLDEST_SERVER)
    throw unfit(`it is version ${version}, and ${OLDEST_SERVER} is needed`)
}

/** The first words to a server. Throws where it is none of ours. `clusterId` null: it is not known yet. */
export async function greet(
  client: ClientBase,
  { clusterId, version }: { readonly clusterId: string | null; readonly version: number | null },
): Promise<void> {
  demandVersion(version)
  const { rows } = await client
    .query<{ is_read_only: boolean; cluster_id?: string | null }>(clusterId === null ? GREETING : GREETING_OF_MEMBER)
    .catch((error: unknown) => {
      throw hasNoTable(error) ? otherCluster(null, clusterId) : error
    })
  const row = rows[0]
  if (row?.is_read_only !== false) throw unfit('it is a standby, or may only be read')
  if (clusterId !== null && row.cluster_id !== clusterId) throw otherCluster(row.cluster_id ?? null, clusterId)
}

function hasNoTable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE
}

function otherCluster(found: string | null, expected: string | null): HeadwaterError {
  return new HeadwaterError('STORE_OTHER_CLUSTER', `it holds ${found ?? 'none'}, this process belongs to ${expected}`)
}

function unfit(why: string): HeadwaterError {
  return new HeadwaterError('STORE_SERVER_UNFIT', why)
}
