import type { InstantMs, Item, ItemSeq, QueryFeed, QueryFeedId } from '../model/index.ts'
import { onceEach } from '../store/provenance.ts'
import type { NewPublication } from '../store/query-feeds.ts'
import type { Store } from '../store/store.ts'
import { arrivalsOf, withFeeds } from './arrivals.ts'
import { type FeedArrival, QueryEngine, type QueryEngineOptions } from './engine.ts'
import type { LiveQuery } from './feed-queries.ts'
import { fillWindows, type WindowStore } from './fill-windows.ts'
import { publicationsOf } from './publications-of.ts'

export type CatchUpStore = WindowStore & Pick<Store, 'itemsAfter' | 'publishCatchUp'>

/** Those that are published now; see page-wishes.ts. */
export type Admit = (
  publications: readonly NewPublication[],
  items: ReadonlyMap<ItemSeq, Item>,
  at: InstantMs,
) => Promise<readonly NewPublication[]>

export interface CaughtUp {
  /** Feeds in which something has changed. */
  readonly changed: readonly QueryFeedId[]
  /** Feeds that follow the buffer from now on. */
  readonly done: readonly LiveQuery[]
}

/**
 * Feeds whose queries are new walk through the archive until they reach what arrives. Those that are furthest back go
 * first, up to where the next one is, and then together with it: so a feed finds what the feeds that it reads have
 * published of an item, or is evaluated in the same round as they.
 */
export class CatchUp {
  private readonly store: CatchUpStore
  private readonly options: QueryEngineOptions
  private readonly batchSize: number
  private readonly admit: Admit
  private readonly waiting = new Map<QueryFeedId, { readonly query: LiveQuery; after: ItemSeq }>()
  /** Of the feeds that go now, having seen everything up to `engineAt`. */
  private engine: QueryEngine | null = null
  private engineAt: ItemSeq = 0

  constructor(store: CatchUpStore, options: QueryEngineOptions, batchSize: number, admit: Admit) {
    this.store = store
    this.options = options
    this.batchSize = batchSize
    this.admit = admit
  }

  get isIdle(): boolean {
    return this.waiting.size === 0
  }

  get needsLanguage(): boolean {
    return this.engine?.needsLanguage ?? false
  }

  add(query: LiveQuery): void {
    this.waiting.set(query.feed.id, { query, after: query.feed.catchUpAfter! })
  }

  remove({ feed }: LiveQuery): void {
    if (!this.waiting.delete(feed.id)) return
    this.engine?.remove(feed.name)
    if (this.isIdle) this.engine = null
  }

  /** Makes the engine for those that go next; its windows are to be filled before it is used. */
  formGroup(): void {
    if (this.isIdle) return
    const { after, group } = this.next()
    if (this.engine === null || this.engineAt !== after) {
      this.engine = new QueryEngine(this.options)
      this.engineAt = after
    }
    const { engine } = this
    for (const { feed, query } of group) if (!engine.has(feed.name)) engine.set(feed.name, query)
  }

  async fill(feeds: readonly QueryFeed[]): Promise<void> {
    if (this.engine !== null) await fillWindows(this.engine, this.store, feeds, this.engineAt)
  }

  /** An item that the feeds have passed was edited. Call formGroup and fill before. */
  async edited(arrival: FeedArrival, feeds: readonly QueryFeed[]): Promise<readonly NewPublication[]> {
    const { engine } = this
    if (engine === null || arrival.item.seq > this.engineAt) return []
    const { group } = this.next()
    const [withFeedNames] = await withFeeds(this.store, [arrival], this.otherNames(feeds, group))
    return publicationsOf(arrival, engine.process(withFeedNames!), byName(group))
  }

  /** One stretch of the archive, not beyond `position`, which is how far the other feeds have come. Likewise. */
  async step(position: ItemSeq, feeds: readonly QueryFeed[], at: InstantMs): Promise<CaughtUp> {
    const { after, group, bound } = this.next()
    const end = Math.max(after, Math.min(bound, position))
    const read = end === after ? [] : await this.store.itemsAfter(after, this.batchSize)
    // A stretch of very long items is shorter than asked for.
    const upTo = Math.min(end, read.at(-1)?.seq ?? end)
    const items = read.filter(({ seq }) => seq <= upTo)
    const arrivals = await arrivalsOf(this.store, items)
    const withFeedNames = await withFeeds(this.store, arrivals, this.otherNames(feeds, group))
    const names = byName(group)
    const found = onceEach(
      withFeedNames.flatMap((arrival) => publicationsOf(arrival, this.engine!.process(arrival), names)),
    )
    const publications = await this.admitNews(found, group, items, at)
    const isEnd = upTo >= position
    const versions = group.map(({ feed }) => ({ feedId: feed.id, version: feed.version }))
    const { feedIds } = await this.store.publishCatchUp({ feeds: versions, after, upTo, isEnd, publications, at })
    this.engineAt = upTo
    for (const { feed } of group) this.waiting.get(feed.id)!.after = upTo
    if (isEnd) for (const query of group) this.remove(query)
    return { changed: feedIds, done: isEnd ? group : [] }
  }

  /**
   * What came since a feed was made is news to it, also where it had not begun to follow the buffer: pages are fetched and waited
   * for as for what follows. What was there before is published as it is.
   */
  private async admitNews(
    found: readonly NewPublication[],
    group: readonly LiveQuery[],
    items: readonly Item[],
    at: InstantMs,
  ): Promise<readonly NewPublication[]> {
    const historyUpTo = new Map(group.map(({ feed }) => [feed.id, feed.historyUpTo]))
    const isNews = ({ feedId, itemSeq }: NewPublication) => itemSeq > (historyUpTo.get(feedId) ?? 0)
    const bySeq = new Map(items.map((item) => [item.seq, item]))
    const admitted = new Set(await this.admit(found.filter(isNews), bySeq, at))
    return found.filter((publication) => !isNews(publication) || admitted.has(publication))
  }

  /** Those that are furthest back, and where the next ones are. */
  private next(): { readonly after: ItemSeq; readonly group: readonly LiveQuery[]; readonly bound: ItemSeq } {
    const waiting = [...this.waiting.values()]
    const after = waiting.reduce((least, one) => Math.min(least, one.after), Number.POSITIVE_INFINITY)
    const ahead = waiting.filter((one) => one.after > after)
    const bound = ahead.reduce((least, one) => Math.min(least, one.after), Number.POSITIVE_INFINITY)
    return { after, group: waiting.filter((one) => one.after === after).map(({ query }) => query), bound }
  }

  /** Names of feeds that are not evaluated in this round: those hold an item if it was published there. */
  private otherNames(
    feeds: readonly QueryFeed[],
    group: readonly LiveQuery[],
  ): (id: QueryFeedId) => string | undefined {
    const feedIds = new Set(group.map(({ feed }) => feed.id))
    const names = new Map(feeds.filter(({ id }) => !feedIds.has(id)).map(({ id, name }) => [id, name]))
    return (id) => names.get(id)
  }
}

function byName(group: readonly LiveQuery[]): ReadonlyMap<string, QueryFeed> {
  return new Map(group.map(({ feed }) => [feed.name, feed]))
}
