import { phrase } from '../../runtime/phrase.ts'
import type { AlterFeed, FeedQuery, Name, QueryStatement } from './ast.ts'
import { type Catalog, categoriesIn, findCycle, type NameUse, namesIn } from './catalog.ts'
import { describeFailure, type QueryError, QueryFailure } from './errors.ts'
import { didYouMean } from './suggest.ts'

/**
 * Whether the statements of one text can be applied together: names exist and are free, feeds do not need each other.
 * A feed may read one that is created further down.
 */
export function checkStatements(
  text: string,
  statements: readonly QueryStatement[],
  catalog: Catalog,
): readonly QueryError[] {
  const check = new Check(catalog)
  for (const statement of statements) check.apply(statement)
  check.finish()
  return check.failures.sort((a, b) => a.span.start - b.span.start).map((failure) => describeFailure(text, failure))
}

class Check {
  readonly failures: QueryFailure[] = []
  private readonly sources: Set<string>
  private readonly feeds: Map<string, readonly string[]>
  /** Only where a name must really be free. */
  private readonly unseen: ReadonlyMap<string, readonly string[]>
  private readonly categories: Set<string> | null
  private readonly queries = new Map<string, { readonly feed: Name; readonly query: FeedQuery }>()
  private readonly subscribed: Name[] = []
  private readonly dropped = new Map<string, Name>()

  constructor(catalog: Catalog) {
    this.sources = new Set(catalog.sources)
    this.feeds = new Map(catalog.feeds)
    this.unseen = (catalog.isForGood && catalog.unseen) || new Map()
    this.categories = catalog.categories === null ? null : new Set(catalog.categories.map((name) => name.toLowerCase()))
  }

  apply(statement: QueryStatement): void {
    const { feed } = statement
    switch (statement.kind) {
      case 'register':
        this.claim(feed)
        this.sources.add(feed.name)
        if (statement.category !== null) this.addCategory(statement.category)
        return
      case 'create':
        this.claim(feed)
        this.define(feed, statement.query)
        return
      case 'alter':
        this.alter(statement)
        return
      case 'drop':
        this.drop(feed)
        return
      default:
        // It may still be created further down.
        if (!this.feeds.has(feed.name)) this.subscribed.push(feed)
    }
  }

  /** What depends on all statements together. */
  finish(): void {
    for (const feed of this.subscribed) {
      if (!this.feeds.has(feed.name)) this.unknownFeed(feed, this.feeds.keys())
    }
    for (const { query } of this.queries.values()) {
      for (const use of namesIn(query)) this.checkName(use)
      for (const use of categoriesIn(query)) this.checkCategory(use)
    }
    for (const feed of this.dropped.values()) this.checkUnused(feed)
    this.checkCycles()
  }

  private alter(statement: AlterFeed): void {
    const { feed, query } = statement
    const forQueryFeeds = query !== undefined || statement.title !== undefined || statement.limit !== undefined
    const forSources = statement.category !== undefined
    const isFeed = this.feeds.has(feed.name)
    if (!isFeed && !this.sources.has(feed.name)) this.unknownFeed(feed, this.allNames())
    else if ((isFeed && forSources) || (!isFeed && forQueryFeeds)) {
      const kind = isFeed ? phrase`a query feed` : phrase`a registered source`
      this.fail(new QueryFailure('QUERY_WRONG_KIND', feed.at, phrase`${feed.name} is ${kind}`))
    } else if (query !== undefined) this.define(feed, query)
    if (statement.category) this.addCategory(statement.category)
  }

  private drop(feed: Name): void {
    this.queries.delete(feed.name)
    if (this.sources.delete(feed.name)) this.dropped.set(feed.name, feed)
    // Whose it is may always drop it: who reads it goes on without.
    else if (!this.feeds.delete(feed.name)) this.unknownFeed(feed, this.allNames())
  }

  private define(feed: Name, query: FeedQuery): void {
    this.feeds.set(
      feed.name,
      namesIn(query).map(({ name }) => name),
    )
    this.queries.set(feed.name, { feed, query })
    this.dropped.delete(feed.name)
  }

  private claim({ name, at }: Name): void {
    if (this.unseen.has(name)) {
      // Neither what it is nor whose.
      this.fail(
        new QueryFailure('QUERY_NAME_TAKEN', at, phrase`The name ${name} cannot be used`, phrase`Choose another name.`),
      )
      return
    }
    if (!this.sources.has(name) && !this.feeds.has(name)) return
    const kind = this.feeds.has(name) ? phrase`a query feed` : phrase`a registered source`
    this.fail(new QueryFailure('QUERY_NAME_TAKEN', at, phrase`${name} is ${kind} already`))
  }

  private addCategory(category: string): void {
    const parts = category.toLowerCase().split('/')
    for (let i = 1; i <= parts.length; i++) this.categories?.add(parts.slice(0, i).join('/'))
  }

  private checkName({ name, at }: NameUse): void {
    if (this.sources.has(name) || this.feeds.has(name) || this.dropped.has(name)) return
    const hint = didYouMean(name, this.allNames())
    this.fail(new QueryFailure('QUERY_UNKNOWN_SOURCE', at, phrase`There is no source or query feed ${name}`, hint))
  }

  private checkCategory({ name, at }: NameUse): void {
    if (this.categories === null || this.categories.has(name.toLowerCase())) return
    const hint = didYouMean(name, this.categories)
    this.fail(new QueryFailure('QUERY_UNKNOWN_CATEGORY', at, phrase`No source is in the category “${name}”`, hint))
  }

  private checkUnused({ name, at }: Name): void {
    const readers = [...this.feeds].filter(([, reads]) => reads.includes(name)).map(([reader]) => reader)
    if (readers.length === 0) return
    this.fail(new QueryFailure('QUERY_FEED_IN_USE', at, phrase`${name} is read by ${readers.sort().join(', ')}`))
  }

  private checkCycles(): void {
    const reported = new Set<string>()
    for (const { feed } of this.queries.values()) {
      if (reported.has(feed.name)) continue
      const cycle = findCycle(feed.name, (name) => this.feeds.get(name) ?? this.unseen.get(name) ?? [])
      if (cycle === null || !cycle.includes(feed.name)) continue
      for (const name of cycle) reported.add(name)
      const way = cycle.map((name) => (this.feeds.has(name) ? name : '…')).join(' → ')
      this.fail(new QueryFailure('QUERY_CYCLE', feed.at, phrase`These query feeds need each other: ${way}`))
    }
  }

  private unknownFeed({ name, at }: Name, known: Iterable<string>): void {
    this.fail(new QueryFailure('QUERY_UNKNOWN_FEED', at, phrase`There is no feed ${name}`, didYouMean(name, known)))
  }

  private allNames(): string[] {
    return [...this.sources, ...this.feeds.keys()]
  }

  private fail(failure: QueryFailure): void {
    this.failures.push(failure)
  }
}
