import type { QueryFeed, QueryFeedId } from '../model/index.ts'
import { ownKeys, withoutInputs } from './inputs.ts'
import type { FeedQuery } from './language/ast.ts'
import { parseQuery } from './language/parse.ts'

/** A query feed with what its text means, without what its owner may not read. */
export interface AskedFeed {
  readonly feed: QueryFeed
  readonly query: FeedQuery
}

/** The query feeds of the store as far as they can be read, each parsed once per version. */
export class FeedQueries {
  private readonly asked = new Map<QueryFeedId, AskedFeed>()
  private readonly onUnreadable: (feed: QueryFeed) => void

  constructor(onUnreadable: (feed: QueryFeed) => void) {
    this.onUnreadable = onUnreadable
  }

  get feeds(): readonly QueryFeed[] {
    return [...this.asked.values()].map(({ feed }) => feed)
  }

  get(id: QueryFeedId): AskedFeed | undefined {
    return this.asked.get(id)
  }

  /** What is no longer asked, or otherwise, and what is asked newly. */
  update(feeds: readonly QueryFeed[]): { readonly gone: readonly AskedFeed[]; readonly come: readonly AskedFeed[] } {
    const present = new Map(feeds.map((feed) => [feed.id, feed]))
    const gone = [...this.asked.values()].filter(({ feed }) => present.get(feed.id)?.version !== feed.version)
    for (const { feed } of gone) this.asked.delete(feed.id)
    const come: AskedFeed[] = []
    for (const feed of feeds) {
      const known = this.asked.get(feed.id)
      if (known !== undefined) this.asked.set(feed.id, { ...known, feed })
      else {
        const asked = this.read(feed)
        if (asked !== null) come.push(asked)
      }
    }
    for (const one of come) this.asked.set(one.feed.id, one)
    return { gone, come }
  }

  private read(feed: QueryFeed): AskedFeed | null {
    const parsed = parseQuery(feed.text)
    if (parsed.ok) return { feed, query: withoutInputs(parsed.value, ownKeys(feed.name, feed.without)) }
    this.onUnreadable(feed)
    return null
  }
}
