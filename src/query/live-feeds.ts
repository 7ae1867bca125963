import type { BufferEntry } from '../buffer/buffer.ts'
import type { QueryFeed, QueryFeedId, SourceId } from '../model/index.ts'
import type { MatchCount, NewPublication, PublishRecord } from '../store/query-feeds.ts'
import { type FeedArrival, QueryEngine, type QueryEngineOptions } from './engine.ts'
import type { LiveQuery } from './feed-queries.ts'
import { publicationsOf } from './publications-of.ts'

/** The feeds that have caught up: their queries are evaluated on what arrives. */
export class LiveFeeds {
  readonly engine: QueryEngine
  private readonly byName = new Map<string, QueryFeed>()

  constructor(options: QueryEngineOptions) {
    this.engine = new QueryEngine(options)
  }

  add({ feed, query }: LiveQuery): void {
    this.byName.set(feed.name, feed)
    this.engine.set(feed.name, query)
  }

  remove({ feed }: LiveQuery): void {
    if (this.byName.get(feed.name)?.id !== feed.id) return
    this.byName.delete(feed.name)
    this.engine.remove(feed.name)
  }

  ask(arrival: FeedArrival): NewPublication[] {
    return publicationsOf(arrival, this.engine.process(arrival), this.byName)
  }
}

/** Counts which share of a source's new items each feed keeps. An edit is not another item. */
export class MatchCounts {
  readonly itemCounts = new Map<SourceId, number>()
  private readonly matchesBySource = new Map<SourceId, Map<QueryFeedId, MatchCount>>()

  count({ kind, item }: Pick<BufferEntry, 'kind' | 'item'>, publications: readonly NewPublication[]): void {
    if (kind !== 'new') return
    const { sourceId } = item
    this.itemCounts.set(sourceId, (this.itemCounts.get(sourceId) ?? 0) + 1)
    if (publications.length === 0) return
    const counts = this.matchesBySource.get(sourceId) ?? new Map<QueryFeedId, MatchCount>()
    this.matchesBySource.set(sourceId, counts)
    for (const { feedId, version } of publications) {
      counts.set(feedId, { feedId, version, sourceId, items: (counts.get(feedId)?.items ?? 0) + 1 })
    }
  }

  get matches(): PublishRecord['matches'] {
    return [...this.matchesBySource.values()].flatMap((counts) => [...counts.values()])
  }
}
