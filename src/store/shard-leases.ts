import type { LeaseToken, Shard } from '../model/index.ts'

/** Which shards of some work this process may act on, by leases that it has beside others on the same data. */
export interface ShardLeases {
  /** How many there are. What is numbered is of the shard `shardOfId`. */
  readonly shards: number
  /** At this moment, without those that are being given back: nothing new begins for these. */
  current(): ReadonlyMap<Shard, LeaseToken>
  /** Whether what was begun under this token may go on. */
  isValid(shard: Shard, token: LeaseToken): boolean
  /** Called when shards come, go, or may no longer be acted on. Returns how to be left alone. */
  onChange(listener: () => void): () => void
  /** Called before shards are given back; resolves when nothing is under way for them. Returns how to be left alone. */
  onLeave(endWork: (shards: ReadonlyMap<Shard, LeaseToken>) => Promise<void>): () => void
}

/** Numbers are given one after the other, so that they spread evenly. All members must agree: it must never change. */
export function shardOfId(id: number, shards: number): Shard {
  return id % shards
}
