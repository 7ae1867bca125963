import { partUnder } from '../../rules/leases.ts'
import type { SourcePart } from '../../shards.ts'
import type { Sql } from '../database/sql.ts'

/** Within a transaction: nobody takes these shards over before it ends. Locked in their order, as by all who lock several. */
const CURRENT = `SELECT l.shard, l.token FROM lease l
  WHERE l.role = 'crawler' AND l.shard = ANY ($1::integer[]) AND l.owner IS NOT NULL ORDER BY l.shard FOR SHARE`

export async function currentPart(sql: Sql, part: SourcePart | undefined): Promise<SourcePart | undefined> {
  if (part?.tokens === undefined) return part
  const rows = await sql.rows<{ shard: number; token: number }>(CURRENT, [[...part.shards]])
  const tokens = new Map(rows.map(({ shard, token }) => [shard, token]))
  return partUnder(part, ({ shard, token }) => tokens.get(shard) === token)
}
