import type { LeaseToken, Shard } from '../../../model/index.ts'
import { partUnder } from '../../rules/leases.ts'
import type { SourcePart } from '../../shards.ts'
import type { Sql } from '../database/sql.ts'

/** Within a transaction: nobody takes these shards over before it ends. Locked in their order, as by all who lock several. */
const CURRENT = `SELECT l.shard, l.token FROM lease l
  WHERE l.role = $1 AND l.shard = ANY ($2::integer[]) AND l.owner IS NOT NULL ORDER BY l.shard FOR SHARE`

/**
 * Who is cut off in the middle would keep others from taking over for as long as the server waits for it: shorter than a lease,
 * and long enough for a busy machine.
 */
const NOT_FOR_LONG = "SET LOCAL idle_in_transaction_session_timeout = '2s'"

export async function currentTokens(
  sql: Sql,
  role: 'crawler' | 'matcher',
  shards: Iterable<Shard>,
): Promise<ReadonlyMap<Shard, LeaseToken>> {
  await sql.run(NOT_FOR_LONG)
  const rows = await sql.rows<{ shard: Shard; token: LeaseToken }>(CURRENT, [role, [...shards]])
  return new Map(rows.map(({ shard, token }) => [shard, token]))
}

export async function currentPart(sql: Sql, part: SourcePart | undefined): Promise<SourcePart | undefined> {
  if (part?.tokens === undefined) return part
  const tokens = await currentTokens(sql, 'crawler', part.shards)
  return partUnder(part, ({ shard, token }) => tokens.get(shard) === token)
}
