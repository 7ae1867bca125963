import type { QueryFeed, QueryFeedId, Shard } from '../model/index.ts'
import type { QueryDivision, QueryShards } from '../store/query-shards.ts'
import type { Store } from '../store/store.ts'
import { divideFeeds } from './divide-feeds.ts'
import { namesIn } from './language/catalog.ts'
import { parseQuery } from './language/parse.ts'

/** Query feeds, all of which have their shards. */
export interface DividedFeeds {
  readonly feeds: readonly QueryFeed[]
  readonly shards: ReadonlyMap<QueryFeedId, Shard>
  /** Of the division. */
  readonly number: number
}

/** Sees to it that all query feeds have their shards. Every matcher computes the same; whoever is first writes it down. */
export class FeedDivision {
  readonly #store: Pick<Store, 'queryRevision' | 'queryFeeds'>
  readonly #queryShards: QueryShards
  readonly #shards: number
  #reads = new Map<QueryFeedId, { readonly text: string; readonly names: readonly string[] }>()

  constructor(store: Pick<Store, 'queryRevision' | 'queryFeeds'>, queryShards: QueryShards, shards: number) {
    this.#store = store
    this.#queryShards = queryShards
    this.#shards = shards
  }

  /** The feeds as they are now. */
  async settle(): Promise<DividedFeeds> {
    for (;;) {
      const revision = await this.#store.queryRevision()
      const feeds = await this.#store.queryFeeds()
      const shards = this.#divide(feeds)
      const division = await this.#queryShards.division()
      if (isSettled(division, shards)) return { feeds, shards, number: division.number }
      // If queries change meanwhile nothing is written, and all is looked at again.
      await this.#queryShards.assign(shards, revision)
    }
  }

  #divide(feeds: readonly QueryFeed[]): ReadonlyMap<QueryFeedId, Shard> {
    const reads = new Map(
      feeds.map(({ id, text }) => {
        const known = this.#reads.get(id)
        return [id, known?.text === text ? known : { text, names: namesRead(text) }]
      }),
    )
    this.#reads = reads
    return divideFeeds(
      feeds.map(({ id, name }) => ({ id, name, reads: reads.get(id)?.names ?? [] })),
      this.#shards,
    )
  }
}

/** A query that cannot be read is not evaluated. */
function namesRead(text: string): readonly string[] {
  const parsed = parseQuery(text)
  return parsed.ok ? namesIn(parsed.value).map(({ name }) => name) : []
}

function isSettled(division: QueryDivision, shards: ReadonlyMap<QueryFeedId, Shard>): boolean {
  const needed = new Set(shards.values())
  return (
    division.isReading === shards.size > 0 &&
    division.shards.size === shards.size &&
    [...shards].every(([id, shard]) => division.shards.get(id) === shard) &&
    division.places.size === needed.size &&
    [...needed].every((shard) => division.places.has(shard))
  )
}
