import type { QueryFeedId, Shard } from '../model/index.ts'
import { shardOfId } from '../store/shard-leases.ts'

/** A query feed and the names that its query reads, of feeds or of sources. */
export interface FeedReads {
  readonly id: QueryFeedId
  readonly name: string
  readonly reads: readonly string[]
}

/**
 * Which shard each query feed is of. Feeds that read each other, also by way of others, are of one shard: an item goes through
 * a cascade in one pass, and the window of a join is filled where it is read. They go by the oldest of them, so that whoever
 * joins them stays or comes, and the others need not move.
 */
export function divideFeeds(feeds: readonly FeedReads[], shards: number): ReadonlyMap<QueryFeedId, Shard> {
  const idByName = new Map(feeds.map(({ id, name }) => [name, id]))
  const parents = new Map<QueryFeedId, QueryFeedId>()
  const oldestOf = (id: QueryFeedId): QueryFeedId => {
    let root = id
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next
    // Later questions take the short way.
    for (let at = id; at !== root; ) {
      const next = parents.get(at) ?? root
      parents.set(at, root)
      at = next
    }
    return root
  }
  for (const { id, reads } of feeds) {
    for (const name of reads) {
      const other = idByName.get(name)
      if (other === undefined) continue
      const [a, b] = [oldestOf(id), oldestOf(other)]
      if (a !== b) parents.set(Math.max(a, b), Math.min(a, b))
    }
  }
  return new Map(feeds.map(({ id }) => [id, shardOfId(oldestOf(id), shards)]))
}
