import type { DurationMs, LeaseToken, Shard } from '../model/index.ts'

/**
 * The shards whose sources a crawler refreshes while others refresh the rest. They come and go; what is written of a source
 * shows the token of its shard.
 */
export interface Territory {
  /** How many shards there are, over all crawlers. */
  readonly shards: number
  /** Between the last request of another crawler and the first of this one. */
  readonly restMs: DurationMs
  /** Those that are this crawler's, whether or not they may be acted on at this moment. */
  tokens(): ReadonlyMap<Shard, LeaseToken>
  /** Whether the shard may be acted on at this moment; asked before and after every request. */
  isValid(shard: Shard, token: LeaseToken): boolean
  /** The store has refused it: another has the shard. */
  lose(shard: Shard, token: LeaseToken): void
  /** Called when shards come, go, or may no longer be acted on. Returns how to be left alone. */
  onChange(listener: () => void): () => void
  /** Called before shards are given back, to end what is under way for them. Returns how to be left alone. */
  onLeave(endWork: (shards: ReadonlyMap<Shard, LeaseToken>) => Promise<void>): () => void
}
