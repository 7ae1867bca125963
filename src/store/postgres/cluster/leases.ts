import {
  FORGET_MEMBER_AFTER_MS,
  type Lease,
  type LeasedRole,
  type LeaseStore,
  type LeaseView,
  type Member,
} from '../../../cluster/lease-store.ts'
import type { LeaseToken, Shard, ShardLease } from '../../../model/index.ts'
import type { Sql } from '../database/sql.ts'

/** The server's clock as it takes the statement: earlier than whatever it waits for, so no lease begins before it is asked for. */
const NOW = '(floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)'

/** What of a role is the owner's under the tokens; locked in the order of shards, as everybody does who locks several. */
const OWNED = `owned AS MATERIALIZED (
    SELECT l.shard FROM lease l JOIN unnest($3::integer[], $4::bigint[]) AS u (shard, token)
      ON l.shard = u.shard AND l.token = u.token
    WHERE l.role = $1 AND l.owner = $2 ORDER BY l.shard FOR UPDATE OF l
  )`

const VIEW = `SELECT ${NOW} AS now,
  (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'roles', roles, 'version', version,
     'startedAt', started_at, 'lastSeenAt', last_seen_at) ORDER BY id), '[]') FROM member) AS members,
  (SELECT coalesce(json_agg(json_build_array(shard, owner, token, until) ORDER BY shard), '[]')
   FROM lease WHERE role = $1) AS leases`

const BEAT = `WITH beaten AS (
    INSERT INTO member AS m (id, name, roles, version, started_at, last_seen_at)
      VALUES ($2, $3, $4::text[], $5, ${NOW}, ${NOW})
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, roles = excluded.roles, version = excluded.version,
        last_seen_at = excluded.last_seen_at
  ), forgotten AS (
    DELETE FROM member WHERE last_seen_at < ${NOW} - ${FORGET_MEMBER_AFTER_MS} AND id <> $2
  ) ${VIEW}`

const CLAIM = `INSERT INTO lease AS l (role, shard, owner, token, until)
  SELECT $1, shard, $2, 1, ${NOW} + $4::bigint FROM unnest($3::integer[]) AS u (shard) GROUP BY shard ORDER BY shard
  ON CONFLICT (role, shard) DO UPDATE SET owner = excluded.owner, token = l.token + 1, until = excluded.until
    WHERE l.owner IS NULL OR l.until <= ${NOW}
  RETURNING shard, token`

const RENEW = `WITH ${OWNED}
  UPDATE lease l SET until = ${NOW} + $5::bigint FROM owned WHERE l.role = $1 AND l.shard = owned.shard RETURNING l.shard`

const RELEASE = `WITH ${OWNED}
  UPDATE lease l SET owner = NULL, until = ${NOW} FROM owned WHERE l.role = $1 AND l.shard = owned.shard`

interface ViewRow {
  readonly now: number
  readonly members: readonly Member[]
  readonly leases: readonly (readonly [Shard, Lease['owner'], LeaseToken, number])[]
}

export function createPostgresLeases(sql: Sql): LeaseStore {
  return {
    async beat(member, role) {
      const { id, name, roles, version } = member
      const view = viewOf(await sql.first<ViewRow>(BEAT, [role, id, name, roles, version]))
      // A statement does not see what it writes itself.
      const others = view.members.filter((one) => one.id !== id)
      const before = view.members.find((one) => one.id === id)
      const self: Member = { ...member, startedAt: before?.startedAt ?? view.now, lastSeenAt: view.now }
      return { ...view, members: [...others, self].sort((a, b) => (a.id < b.id ? -1 : 1)) }
    },
    view: async (role: LeasedRole) => viewOf(await sql.first<ViewRow>(VIEW, [role])),
    async claim({ role, owner }, shards, leaseMs) {
      if (shards.length === 0) return new Map()
      const rows = await sql.rows<ShardLease>(CLAIM, [role, owner, shards, leaseMs])
      return new Map(rows.map(({ shard, token }) => [shard, token]))
    },
    async renew({ role, owner }, tokens, leaseMs) {
      if (tokens.size === 0) return new Set()
      const rows = await sql.rows<{ shard: Shard }>(RENEW, [role, owner, ...columnsOf(tokens), leaseMs])
      return new Set(rows.map(({ shard }) => shard))
    },
    async release({ role, owner }, tokens) {
      if (tokens.size > 0) await sql.run(RELEASE, [role, owner, ...columnsOf(tokens)])
    },
    async forget(member) {
      await sql.run('DELETE FROM member WHERE id = $1', [member])
    },
  }
}

function columnsOf(tokens: ReadonlyMap<Shard, LeaseToken>): [Shard[], LeaseToken[]] {
  return [[...tokens.keys()], [...tokens.values()]]
}

function viewOf(row: ViewRow | null): LeaseView {
  if (row === null) throw new Error('the server gave no answer about leases')
  const { now, members, leases } = row
  return { now, members, leases: leases.map(([shard, owner, token, until]) => ({ shard, owner, token, until })) }
}
