import type { Cursor } from '../buffer/buffer.ts'
import type { LeaseToken, Shard } from '../model/index.ts'
import type { ShardPlace } from '../store/query-shards.ts'

/** Shards whose feeds were evaluated equally far, and go on together. */
export interface ShardGroup {
  readonly tokens: ReadonlyMap<Shard, LeaseToken>
  readonly cursor: Cursor
  /** Where the next ones are, from where they go on together; null: all are here. */
  readonly upTo: Cursor | null
}

/**
 * Of the shards that are one's own, those that are furthest back; null: none has feeds. Shards that come from another process
 * are elsewhere than one's own: the ones behind go first, alone, until all are at one place and one pass does for them.
 */
export function nextShards(
  tokens: ReadonlyMap<Shard, LeaseToken>,
  places: ReadonlyMap<Shard, Pick<ShardPlace, 'cursor'>>,
): ShardGroup | null {
  const own = [...tokens].flatMap(([shard, token]) => {
    const place = places.get(shard)
    return place === undefined ? [] : [{ shard, token, cursor: place.cursor }]
  })
  if (own.length === 0) return null
  const cursor = own.reduce((least, one) => Math.min(least, one.cursor), Number.POSITIVE_INFINITY)
  const ahead = own.filter((one) => one.cursor > cursor)
  return {
    tokens: new Map(own.filter((one) => one.cursor === cursor).map(({ shard, token }) => [shard, token])),
    cursor,
    upTo: ahead.reduce<Cursor | null>((least, one) => Math.min(least ?? one.cursor, one.cursor), null),
  }
}
