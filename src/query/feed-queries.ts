import type { QueryFeed, QueryFeedId } from '../model/index.ts'
import { ownKeys, withoutInputs } from './inputs.ts'
import type { FeedQuery } from './language/ast.ts'
import { parseQuery } from './language/parse.ts'

/** A query feed with what its text means, without what its owner may not read. */
export interface LiveQuery {
  readonly feed: QueryFeed
  readonly query: FeedQuery
}

/** The query feeds of the store as far as they can be read, each parsed once per version. */
export class FeedQueries {
  private readonly byId = new Map<QueryFeedId, LiveQuery>()
  private readonly onUnreadable: (feed: QueryFeed) => void

  constructor(onUnreadable: (feed: QueryFeed) => void) {
    this.onUnreadable = onUnreadable
  }

  get feeds(): readonly QueryFeed[] {
    return [...this.byId.values()].map(({ feed }) => feed)
  }

  /** Some feed holds items back until their pages are there. */
  get waitForPages(): boolean {
    return [...this.byId.values()].some(({ query }) => (query.fulltext?.waitMs ?? null) !== null)
  }

  get(id: QueryFeedId): LiveQuery | undefined {
    return this.byId.get(id)
  }

  /** Queries that are gone or changed, and new ones. */
  update(feeds: readonly QueryFeed[]): { readonly removed: readonly LiveQuery[]; readonly come: readonly LiveQuery[] } {
    const present = new Map(feeds.map((feed) => [feed.id, feed]))
    const removed = [...this.byId.values()].filter(({ feed }) => present.get(feed.id)?.version !== feed.version)
    for (const { feed } of removed) this.byId.delete(feed.id)
    const come: LiveQuery[] = []
    for (const feed of feeds) {
      const known = this.byId.get(feed.id)
      if (known !== undefined) this.byId.set(feed.id, { ...known, feed })
      else {
        const query = this.read(feed)
        if (query !== null) come.push(query)
      }
    }
    for (const one of come) this.byId.set(one.feed.id, one)
    return { removed, come }
  }

  private read(feed: QueryFeed): LiveQuery | null {
    const parsed = parseQuery(feed.text)
    if (parsed.ok) return { feed, query: withoutInputs(parsed.value, ownKeys(feed.name, feed.without)) }
    this.onUnreadable(feed)
    return null
  }
}
