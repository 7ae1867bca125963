import type { Cursor } from '../../buffer/buffer.ts'
import type { QueryFeedId, Shard } from '../../model/index.ts'

export interface Redivision {
  /** Shards of feeds until now; feeds that nobody has assigned yet are missing. */
  readonly before: ReadonlyMap<QueryFeedId, Shard>
  readonly after: ReadonlyMap<QueryFeedId, Shard>
  /** How far each shard has come. */
  readonly places: ReadonlyMap<Shard, Cursor>
  /** Feeds that follow the buffer; the others walk through the archive, and have a place of their own there. */
  readonly following: ReadonlySet<QueryFeedId>
  /** Where all have come at least. */
  readonly least: Cursor
}

/** Where each shard with feeds goes on: not beyond where it was, nor where any feed that comes to it was. */
export function placesAfter({ before, after, places, following, least }: Redivision): ReadonlyMap<Shard, Cursor> {
  const found = new Map<Shard, Cursor>()
  const goBack = (shard: Shard, to: Cursor) => found.set(shard, Math.min(found.get(shard) ?? to, to))
  for (const [feedId, shard] of after) {
    const own = places.get(shard)
    if (own !== undefined) goBack(shard, own)
    const from = before.get(feedId)
    if (from !== shard && following.has(feedId)) goBack(shard, placeOf(from, places) ?? least)
  }
  for (const shard of after.values()) if (!found.has(shard)) found.set(shard, least)
  return found
}

function placeOf(shard: Shard | undefined, places: ReadonlyMap<Shard, Cursor>): Cursor | undefined {
  return shard === undefined ? undefined : places.get(shard)
}

/** Whether who evaluates under the division of before must look again. */
export function isDividedAnew({ before, after, places }: Omit<Redivision, 'following' | 'least'>): boolean {
  const shards = new Set(after.values())
  if (shards.size !== places.size || [...shards].some((shard) => !places.has(shard))) return true
  return [...after].some(([feedId, shard]) => before.has(feedId) && before.get(feedId) !== shard)
}
