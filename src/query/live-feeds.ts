import type { BufferEntry } from '../buffer/buffer.ts'
import type { QueryFeed, QueryFeedId, SourceId } from '../model/index.ts'
import type { KeptItems, NewPublication, PublishRecord } from '../store/query-feeds.ts'
import { type FeedArrival, QueryEngine, type QueryEngineOptions } from './engine.ts'
import type { AskedFeed } from './feed-queries.ts'
import { publicationsOf } from './publications-of.ts'

/** The feeds that have caught up, and are asked about what arrives. */
export class LiveFeeds {
  readonly engine: QueryEngine
  private readonly byName = new Map<string, QueryFeed>()

  constructor(options: QueryEngineOptions) {
    this.engine = new QueryEngine(options)
  }

  add({ feed, query }: AskedFeed): void {
    this.byName.set(feed.name, feed)
    this.engine.set(feed.name, query)
  }

  remove({ feed }: AskedFeed): void {
    if (this.byName.get(feed.name)?.id !== feed.id) return
    this.byName.delete(feed.name)
    this.engine.remove(feed.name)
  }

  ask(arrival: FeedArrival): NewPublication[] {
    return publicationsOf(arrival.item.seq, this.engine.process(arrival), this.byName)
  }
}

/** Counts which share of a source's new items each feed keeps. An edit is not another item. */
export class KeptCounts {
  readonly looked = new Map<SourceId, number>()
  private readonly keptBySource = new Map<SourceId, Map<QueryFeedId, KeptItems>>()

  count({ kind, item }: Pick<BufferEntry, 'kind' | 'item'>, publications: readonly NewPublication[]): void {
    if (kind !== 'new') return
    const { sourceId } = item
    this.looked.set(sourceId, (this.looked.get(sourceId) ?? 0) + 1)
    if (publications.length === 0) return
    const kept = this.keptBySource.get(sourceId) ?? new Map<QueryFeedId, KeptItems>()
    this.keptBySource.set(sourceId, kept)
    for (const { feedId, version } of publications) {
      kept.set(feedId, { feedId, version, sourceId, items: (kept.get(feedId)?.items ?? 0) + 1 })
    }
  }

  get kept(): PublishRecord['kept'] {
    return [...this.keptBySource.values()].flatMap((kept) => [...kept.values()])
  }
}
