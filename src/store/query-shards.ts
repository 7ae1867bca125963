import type { Cursor } from '../buffer/buffer.ts'
import type { ItemSeq, LeaseToken, QueryFeedId, Shard } from '../model/index.ts'
import type { CatchUpRecord, PublishRecord, PublishResult } from './query-feeds.ts'

/** How far the feeds of a shard were evaluated. */
export interface ShardPlace {
  readonly cursor: Cursor
  /** The last new item up to there. */
  readonly itemSeq: ItemSeq
}

/** How query feeds are divided among matchers. */
export interface QueryDivision {
  /** Grows whenever a feed gets another shard, or a shard gets its first feed or loses its last. */
  readonly number: number
  /** Feeds that are new have none yet. */
  readonly shards: ReadonlyMap<QueryFeedId, Shard>
  /** Shards that have a place. */
  readonly places: ReadonlySet<Shard>
  /** Whether the item buffer waits for the queries (QUERY_READER). */
  readonly isReading: boolean
}

/** By what right something is published: shards under leases, as the feeds were divided. */
export interface QueryPart {
  readonly division: number
  readonly tokens: ReadonlyMap<Shard, LeaseToken>
}

/**
 * Query feeds in shards, each of which has a place of its own in the item buffer, for matchers that share them by leases. The
 * reader of the queries (QUERY_READER) stands where the last of them is: so the buffer waits for all, and what everybody has
 * evaluated is known as without shards. See docs/decisions/0098-divided-matchers.md.
 */
export interface QueryShards {
  division(): Promise<QueryDivision>
  /** Of shards that have feeds. */
  places(): Promise<ReadonlyMap<Shard, ShardPlace>>
  /**
   * Gives every feed its shard. No shard is ahead of any of its feeds afterwards: one that gets a feed of a shard behind it
   * goes back there, and evaluates once more what is behind that. false: the queries are no longer those of `revision`, from
   * which this was computed; nothing was changed.
   */
  assign(shards: ReadonlyMap<QueryFeedId, Shard>, revision: number): Promise<boolean>
  /**
   * As the store does, for some shards, which get on in the same transaction. Throws LEASE_LOST, and writes nothing, where
   * another has one of them, or feeds were divided anew.
   */
  publish(record: PublishRecord, part: QueryPart): Promise<PublishResult>
  /** Likewise. */
  publishCatchUp(record: CatchUpRecord, part: QueryPart): Promise<PublishResult>
}
