import type { AccessView, ReadAccess } from '../../access/index.ts'
import type { QueryFeed, SourceId } from '../../model/index.ts'
import { isPrivateIn } from '../../publisher/feed-access.ts'
import { sourceTitle } from '../../publisher/source-labels.ts'
import { webAddress, withoutCredentials } from '../../publisher/web-address.ts'
import { allListedSources } from '../../store/all-sources.ts'
import type { ReadingScope } from '../../store/reading.ts'
import type { ListedSource } from '../../store/source-summaries.ts'
import type { Store } from '../../store/store.ts'
import type { Reader } from './app-door.ts'
import { type Following, followingOf, follows } from './following.ts'

/** A source as apps list it. */
export interface ReaderSource {
  readonly id: SourceId
  readonly title: string
  readonly url: string
  readonly siteUrl: string | null
  readonly categories: readonly string[]
}

/** A query feed as apps list it. */
export interface ReaderFeed {
  readonly feed: QueryFeed
  readonly title: string
  readonly isFollowed: boolean
}

export interface LibraryDeps {
  readonly store: Store
  readonly access: ReadAccess
}

/** What one user reads, of one moment; each part is read when it is first asked for. */
export class Library {
  readonly reader: Reader
  readonly #deps: LibraryDeps
  #following: Promise<Following | null> | null = null
  #sources: Promise<readonly ReaderSource[]> | null = null
  #feeds: Promise<readonly ReaderFeed[]> | null = null

  constructor(reader: Reader, deps: LibraryDeps) {
    this.reader = reader
    this.#deps = deps
  }

  /** null: everything, as the user follows nothing. */
  following(): Promise<Following | null> {
    this.#following ??= this.#deps.store.follows(this.reader.user.id).then(followingOf)
    return this.#following
  }

  /** Those that the user follows and may see, in the order of ids. */
  sources(): Promise<readonly ReaderSource[]> {
    this.#sources ??= this.#list()
    return this.#sources
  }

  /** Those filed there, and not in a folder below it: an app shows each folder for itself. */
  async sourcesIn(folder: string): Promise<readonly ReaderSource[]> {
    return (await this.#list(folder)).filter(({ categories }) => categories.includes(folder))
  }

  /** Query feeds that the user may see and that show what they hold. */
  feeds(): Promise<readonly ReaderFeed[]> {
    this.#feeds ??= this.#readFeeds()
    return this.#feeds
  }

  /** Which of these sources the user may see. */
  async seen(ids: Iterable<SourceId>): Promise<ReadonlySet<SourceId>> {
    const view = await this.#deps.access()
    return new Set([...ids].filter((id) => this.#sees(view, id)))
  }

  /** All that the user follows. */
  async scope(): Promise<ReadingScope> {
    const view = await this.#deps.access()
    const following = await this.following()
    if (following === null) {
      const isSeen = view.mayBuiltIn(this.reader.caller, 'see', isPrivateIn(view.hidden, { kind: 'all' }))
      return isSeen ? { kind: 'all' } : { kind: 'sources', ids: [], feeds: [] }
    }
    const feeds = following.feeds.size === 0 ? [] : (await this.feeds()).filter(({ isFollowed }) => isFollowed)
    return { kind: 'sources', ids: await this.#followedIds(following, view), feeds: feeds.map(({ feed }) => feed.id) }
  }

  async #followedIds(following: Following, view: AccessView): Promise<readonly SourceId[]> {
    const ids = new Set(following.sources)
    for (const category of following.categories) {
      for (const { id } of await allListedSources(this.#deps.store, category)) ids.add(id)
    }
    // Who may see what is hidden may see everything: thousands need not be asked about one by one.
    const seesAll = [true, false].every((isHidden) => view.mayBuiltIn(this.reader.caller, 'see', isHidden))
    return seesAll ? [...ids] : [...ids].filter((id) => this.#sees(view, id))
  }

  async #list(folder?: string): Promise<readonly ReaderSource[]> {
    const view = await this.#deps.access()
    const following = await this.following()
    const all = await allListedSources(this.#deps.store, folder)
    return all
      .filter(({ id, categories }) => follows(following, id, categories) && this.#sees(view, id))
      .map(readerSource)
  }

  async #readFeeds(): Promise<readonly ReaderFeed[]> {
    const view = await this.#deps.access()
    const following = await this.following()
    const feeds = await this.#deps.store.queryFeeds()
    return feeds.flatMap((feed) => {
      const known = view.withId(feed.id)
      if (known === null || !view.may(this.reader.caller, 'see', known) || !view.shows(known)) return []
      return [{ feed, title: feed.title ?? feed.name, isFollowed: following?.feeds.has(feed.name) === true }]
    })
  }

  #sees(view: AccessView, sourceId: SourceId): boolean {
    return view.mayBuiltIn(this.reader.caller, 'see', isPrivateIn(view.hidden, { kind: 'source', sourceId }))
  }
}

function readerSource(source: ListedSource): ReaderSource {
  const { id, siteUrl, categories } = source
  const url = withoutCredentials(source.url)
  return { id, title: sourceTitle(source), url, siteUrl: webAddress(siteUrl, url), categories }
}
