import type { ItemKey, ItemSeq } from '../model/index.ts'
import type { Arrival, DetectLanguage, MatchItem } from './item/arrival.ts'
import { feedAtom, originAtomsOf } from './item/atoms.ts'
import { FeedJoins } from './join/feed-joins.ts'
import { PairFacts } from './join/pair-facts.ts'
import { WindowPool } from './join/window-pool.ts'
import type { FeedQuery, ItemOrigin, WindowClause } from './language/ast.ts'
import { type MatchCost, Matcher } from './match/matcher.ts'

/** An archived item on its way through the query feeds. */
export interface FeedArrival extends Arrival {
  readonly item: MatchItem & { readonly seq: ItemSeq; readonly key?: ItemKey }
}

/** The item is in this feed; `joined` are the items of the windows of its JOINs that fit, last first, 100 at most. */
export interface FeedMatch {
  readonly feed: string
  readonly joined: readonly ItemSeq[]
}

/** Items that a JOIN or DISTINCT remembers: the last of those that come from one of the origins. */
export interface NeededWindow {
  readonly origins: readonly ItemOrigin[]
  readonly window: WindowClause
}

/** What an engine can be given. */
export interface QueryEngineOptions {
  /** For items whose feed does not declare a language; see loadLanguageDetector. Without it they have none. */
  readonly detectLanguage?: DetectLanguage
}

const NONE: readonly ItemSeq[] = []

/**
 * All query feeds at once, with their joins and DISTINCT. What it remembers is a function of the archive and of what the
 * feeds hold: a new engine is as the old one was when every window of `unfilled()` was given its items by `remember` (up
 * to the acknowledged cursor), and `markFilled()` said so. See docs/decisions/0030-join-windows.md.
 */
export class QueryEngine {
  private readonly matcher: Matcher
  private readonly detect: DetectLanguage
  private readonly pool = new WindowPool()
  private readonly joins = new Map<string, FeedJoins>()
  private newestSeq: ItemSeq = 0

  constructor(options: QueryEngineOptions = {}) {
    this.detect = options.detectLanguage ?? (() => '')
    this.matcher = new Matcher(options)
  }

  /** Adds or replaces. Windows that stay the same keep what they hold; look at `unfilled()` for the others. */
  set(name: string, query: FeedQuery): void {
    this.matcher.add(name, query)
    const before = this.joins.get(name)
    if (query.joins.length > 0 || query.distinct !== null)
      this.joins.set(name, new FeedJoins(name, query, this.pool, this.detect))
    else this.joins.delete(name)
    before?.release()
  }

  /** false: there was none. Windows with items of this feed are emptied; look at `unfilled()` for what else they held. */
  remove(name: string): boolean {
    this.joins.get(name)?.release()
    this.joins.delete(name)
    this.pool.forgetFeed(name)
    return this.matcher.remove(name)
  }

  /** Whether there is a query feed of this name. */
  has(name: string): boolean {
    return this.matcher.has(name)
  }

  /** The query feeds, in no promised order. */
  names(): IterableIterator<string> {
    return this.matcher.ids()
  }

  /** Whether some query asks for the language of items, so that a detector is worth loading. */
  get needsLanguage(): boolean {
    return this.matcher.needsLanguage || [...this.joins.values()].some((joins) => joins.needsLanguage)
  }

  /** Whether some query asks for summary or content of items; JOIN and DISTINCT may. */
  get readsTexts(): boolean {
    return this.matcher.readsTexts || this.joins.size > 0
  }

  /** Whether a title, and where an item comes from, is all that queries ask for; JOIN and DISTINCT may ask for more. */
  get readsOnlyTitles(): boolean {
    return this.matcher.readsOnlyTitles && this.joins.size === 0
  }

  /** What matching the last item cost. */
  get lastCost(): MatchCost {
    return this.matcher.lastCost
  }

  /** Items in all windows together: what memory grows with. */
  get remembered(): number {
    return [...this.pool.windows].reduce((sum, { size }) => sum + size, 0)
  }

  /**
   * The feeds that an item is in. Items come in the order of their seq; one that was edited comes again, and is evaluated
   * as if it arrived now.
   */
  process(arrival: FeedArrival): readonly FeedMatch[] {
    const { seq } = arrival.item
    if (this.joins.size === 0) {
      // Nobody remembers items: naming where one comes from would be a tenth of a preview of titles.
      this.newestSeq = Math.max(this.newestSeq, seq)
      return this.matcher.matchArrival(arrival).map((feed) => ({ feed, joined: NONE }))
    }
    const facts = this.factsOnce(arrival)
    const origins = new Set(originAtomsOf(arrival))
    // What windows hold does not change until all queries have been evaluated: their order does not matter.
    const matched = this.matcher.matchArrival(arrival, (name) => {
      const joins = this.joins.get(name)
      if (joins !== undefined && !joins.keeps(seq, facts(), origins)) return false
      origins.add(feedAtom(name))
      return true
    })
    const matches = matched.map((feed) => ({
      feed,
      joined: this.joins.get(feed)?.joined(seq, facts(), origins) ?? NONE,
    }))
    this.pool.enter(seq, facts, origins, seq <= this.newestSeq)
    this.newestSeq = Math.max(this.newestSeq, seq)
    return matches
  }

  /** Windows that were not given what the archive holds for them: after a start, and after `set` of a query that needs more. */
  unfilled(): readonly NeededWindow[] {
    return [...this.pool.windows].filter(({ filled }) => !filled).map(({ origins, window }) => ({ origins, window }))
  }

  /**
   * An item that was processed before: enters every window whose origin it comes from (its source, or one of `feeds`), and
   * is published nowhere. Best in the order of seq; an item that is there already is replaced.
   */
  remember(arrival: FeedArrival): void {
    const { seq } = arrival.item
    this.pool.enter(seq, this.factsOnce(arrival), originAtomsOf(arrival), false)
    this.newestSeq = Math.max(this.newestSeq, seq)
  }

  /** All windows were given what the archive holds for them. */
  markFilled(): void {
    for (const window of this.pool.windows) window.filled = true
  }

  private factsOnce(arrival: Arrival): () => PairFacts {
    let facts: PairFacts | null = null
    return () => {
      facts ??= new PairFacts(arrival, this.detect)
      return facts
    }
  }
}
