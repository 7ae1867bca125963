import type { InstantMs, ItemKey, SourceId } from '../../../model/index.ts'
import type { HeadwaterError } from '../../../runtime/errors.ts'
import { withoutLogIn } from '../../address-log-in.ts'
import { packHashBytes, unpackHash } from '../../rows/hashes.ts'
import { leaseLost } from '../../rules/leases.ts'
import type { RefreshRecord } from '../../store.ts'
import type { Sql } from '../database/sql.ts'
import { REFRESH_PARAMETERS } from '../schema/record-refreshes.ts'
import { refreshColumns } from './refresh-columns.ts'

export interface RefreshResult {
  readonly added: number
  readonly changed: number
}

const NAMES = Object.keys(REFRESH_PARAMETERS) as (keyof typeof REFRESH_PARAMETERS)[]
const CALL = `SELECT record, added, changed, refused FROM record_refreshes(
  ${NAMES.map((name, index) => `p_${name} => $${index + 1}::${REFRESH_PARAMETERS[name]}[]`).join(', ')},
  p_capacity => $${NAMES.length + 1}, p_now => $${NAMES.length + 2})`

/** Of each source one at most; one answer each, in order: what came of it, or why it was refused. Committed with the call. */
export async function writeRefreshes(
  sql: Sql,
  records: readonly RefreshRecord[],
  { capacity, now }: { readonly capacity: number; readonly now: InstantMs },
): Promise<readonly (RefreshResult | HeadwaterError)[]> {
  const columns = refreshColumns(
    records.map((one) => ({ ...one, movedTo: one.movedTo === null ? null : withoutLogIn(one.movedTo) })),
  )
  const values = NAMES.map((name) => columns[name])
  const rows = await sql.rows<RefreshResult & { record: number; refused: boolean }>(CALL, [...values, capacity, now])
  return rows
    .sort((a, b) => a.record - b.record)
    .map(({ added, changed, refused }, index) => (refused ? leaseLost(records[index]?.lease) : { added, changed }))
}

export async function readKnownItems(
  sql: Sql,
  sourceId: SourceId,
  keys: readonly ItemKey[],
): Promise<Map<ItemKey, string>> {
  const rows = await sql.rows<{ key: Buffer; content_hash: Buffer }>(
    'SELECT key, content_hash FROM item_key WHERE source_id = $1 AND key = ANY ($2::bytea[])',
    [sourceId, keys.map(packHashBytes)],
  )
  const hashes = new Map(rows.map(({ key, content_hash }) => [unpackHash(key), unpackHash(content_hash)]))
  const known = new Map<ItemKey, string>()
  for (const key of keys) {
    const hash = hashes.get(key)
    if (hash !== undefined) known.set(key, hash)
  }
  return known
}
