import type { SourceId } from '../../model/index.ts'
import type { ReadingScope } from '../../store/reading.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { notThere } from '../readers/failure.ts'
import type { Library, ReaderFeed, ReaderSource } from '../readers/library.ts'
import { feedNumber, numberedFeed } from '../readers/numbers.ts'
import type { ShownItem } from '../readers/shown-items.ts'
import { Categories } from './categories.ts'
import { feedJson, type MinifluxCategory, queryFeedJson } from './wire.ts'

type Feed = { readonly source: ReaderSource } | { readonly query: ReaderFeed }

/** What one user has, in the words of Miniflux. */
export class Shelf {
  readonly library: Library
  readonly categories: Categories
  readonly #sources: ReadonlyMap<number, ReaderSource>
  readonly #queries: readonly ReaderFeed[]
  readonly #deps: ReaderDeps
  #icons: Promise<ReadonlyMap<number, string>> | null = null

  private constructor(
    library: Library,
    sources: readonly ReaderSource[],
    queries: readonly ReaderFeed[],
    deps: ReaderDeps,
  ) {
    this.library = library
    this.categories = new Categories(sources, library.reader.user.id)
    this.#sources = new Map(sources.map((source) => [source.id, source]))
    this.#queries = queries.filter(({ isFollowed }) => isFollowed)
    this.#deps = deps
  }

  static async open(library: Library, deps: ReaderDeps): Promise<Shelf> {
    return new Shelf(library, await library.sources(), await library.feeds(), deps)
  }

  /** Throws 404. */
  feed(number: number): Feed {
    const feed = this.findFeed(number)
    if (feed === null) throw notThere(`feed ${number}`)
    return feed
  }

  findFeed(number: number): Feed | null {
    const numbered = numberedFeed(number)
    if ('sourceId' in numbered) {
      const source = this.#sources.get(numbered.sourceId)
      return source === undefined ? null : { source }
    }
    const query = this.#queries.find(({ feed }) => feed.id === numbered.feedId)
    return query === undefined ? null : { query }
  }

  /** Of one that is not followed: none. */
  categoryOfSource(id: SourceId): MinifluxCategory {
    return this.categories.ofSource(this.#sources.get(id) ?? { categories: [] })
  }

  /** Whether an item stands in one of these feeds. */
  hasItem(feeds: readonly Feed[], { source, feeds: queries }: ShownItem): boolean {
    return feeds.some((feed) =>
      'source' in feed ? feed.source.id === source.id : queries.some((one) => one.feed.id === feed.query.feed.id),
    )
  }

  feeds(): readonly Feed[] {
    return [...[...this.#sources.values()].map((source) => ({ source })), ...this.#queries.map((query) => ({ query }))]
  }

  /** Throws 404. */
  feedsIn(categoryId: number): readonly Feed[] {
    if (this.categories.find(categoryId) === null) throw notThere(`category ${categoryId}`)
    return this.feeds().filter((feed) => this.#categoryOf(feed).id === categoryId)
  }

  scopeOf(feeds: readonly Feed[]): ReadingScope {
    const ids = feeds.flatMap((feed) => ('source' in feed ? [feed.source.id] : []))
    return { kind: 'sources', ids, feeds: feeds.flatMap((feed) => ('query' in feed ? [feed.query.feed.id] : [])) }
  }

  async json(feed: Feed): Promise<{ readonly id: number } & object> {
    const userId = this.library.reader.user.id
    const category = this.#categoryOf(feed)
    if ('query' in feed) {
      const id = feedNumber(feed.query.feed.id)
      return { ...queryFeedJson(feed.query, category, this.#deps.feeds.baseUrl, userId), id }
    }
    const row = (await this.#deps.directory.byId()).get(feed.source.id)
    const health = {
      lastCheckAt: row?.lastCheckAt ?? null,
      errorCode: row?.errorCode ?? null,
      isPaused: row?.condition === 'paused',
    }
    const { id } = feed.source
    this.#icons ??= this.#deps.icons.paths([...this.#sources.keys()])
    return { ...feedJson(feed.source, category, health, userId, (await this.#icons).has(id)), id }
  }

  #categoryOf(feed: Feed) {
    return 'source' in feed ? this.categories.ofSource(feed.source) : this.categories.queryFeeds
  }
}
