import type { ItemSeq } from '../model/index.ts'
import type { FeedQuery, Origin, Window } from './language/ast.ts'
import type { DetectLanguage, MatchItem, MatchSource } from './match/arrival.ts'
import { Matcher } from './match/matcher.ts'

/** An archived item on its way through the query feeds. */
export interface FeedArrival {
  readonly item: MatchItem & { readonly seq: ItemSeq }
  readonly source: MatchSource
  /** Query feeds that are known to hold the item; `process` finds those of its own queries itself. */
  readonly feeds?: readonly string[]
}

/** The item is in this feed; `joined` are the items of the windows of its JOINs that fit, last first. */
export interface FeedMatch {
  readonly feed: string
  readonly joined: readonly ItemSeq[]
}

/** Items that a JOIN or DISTINCT remembers: the last of those that come from an origin. */
export interface NeededWindow {
  readonly origin: Origin
  readonly window: Window
}

export interface QueryEngineOptions {
  readonly detectLanguage?: DetectLanguage
}

/**
 * All query feeds at once, with their joins and DISTINCT. What it remembers is a function of the archive and of what the
 * feeds hold: a new engine is as the old one was when every window of `unfilled()` was given its items by `remember`
 * (up to the acknowledged cursor), and `markFilled()` said so. See docs/decisions.
 */
export class QueryEngine {
  private readonly matcher: Matcher

  constructor(options: QueryEngineOptions = {}) {
    this.matcher = new Matcher(options)
  }

  /** Adds or replaces. Look at `unfilled()` afterwards. */
  set(name: string, query: FeedQuery): void {
    if (query.joins.length > 0 || query.distinct !== null) throw new Error('JOIN and DISTINCT are not built yet')
    this.matcher.add(name, query)
  }

  /** false: there was none. What windows hold of this feed is forgotten. */
  remove(name: string): boolean {
    return this.matcher.remove(name)
  }

  has(name: string): boolean {
    return this.matcher.has(name)
  }

  /** Whether some query asks for the language of items, so that a detector is worth loading. */
  get needsLanguage(): boolean {
    return this.matcher.needsLanguage
  }

  /**
   * The feeds that an item is in. Items come in the order of their seq; one that was edited comes again, and is looked at
   * as if it arrived now.
   */
  process(arrival: FeedArrival): readonly FeedMatch[] {
    return this.matcher.match(arrival.item, arrival.source).map((feed) => ({ feed, joined: [] }))
  }

  /** Windows that were not given what the archive holds for them: after a start, and after `set` of a query that needs more. */
  unfilled(): readonly NeededWindow[] {
    return []
  }

  /**
   * An item that was processed before: enters every window whose origin it comes from (its source, or one of `feeds`), and
   * is published nowhere. Best in the order of seq; an item that is there already is replaced.
   */
  remember(_arrival: FeedArrival): void {}

  markFilled(): void {}
}
