import { addressesOf, type Source, type UserId } from '../../model/index.ts'
import type { AlterFeed, CreateFeed, QueryStatement, RegisterFeed } from '../../query/language/ast.ts'
import { printQuery, printStatement } from '../../query/language/print.ts'
import { normalizeSourceUrl } from '../../sources/source-url.ts'
import type { CatchUpStart, QueryChange } from '../../store/query-feeds.ts'
import { type NewSource, withSourceDefaults } from '../sources/import-sources.ts'
import { feedsReadBy, type KnownFeeds } from './catalog.ts'

/** What a statement does, for people. */
export interface AppliedChange {
  readonly name: string
  readonly action: 'registered' | 'created' | 'altered' | 'unchanged' | 'dropped' | 'subscribed' | 'unsubscribed'
}

export interface ChangePlan {
  readonly changes: readonly QueryChange[]
  readonly done: readonly AppliedChange[]
}

export interface ChangePlanOptions {
  /** What a query that asks something new begins with. */
  readonly from: Exclude<CatchUpStart, 'no'>
  readonly newSecret: () => string
  /** Whose statements they are; null: those of the operator at the command line. */
  readonly by: UserId | null
  /** How a new feed begins. */
  readonly first: (name: string) => { readonly isPrivate: boolean; readonly ownerId: UserId | null }
}

/** Statements that were checked, as changes of the store. */
export function planChanges(
  statements: readonly QueryStatement[],
  known: KnownFeeds,
  options: ChangePlanOptions,
): ChangePlan {
  const plan = new Plan(known, options)
  for (const statement of statements) plan.add(statement)
  return plan.finish()
}

class Plan {
  private readonly known: KnownFeeds
  private readonly from: Exclude<CatchUpStart, 'no'>
  private readonly options: ChangePlanOptions
  private readonly dropped = new Set<string>()
  /** As they are after the statements so far. */
  private readonly feeds: Map<string, CreateFeed>
  private readonly sources: Map<string, readonly Source[]>
  private readonly addresses: Set<string>
  private readonly changedNames = new Set<string>()
  private readonly done: AppliedChange[] = []
  // Sources first, and their removals last: feeds that are dropped further down may read them.
  private readonly ofSources: QueryChange[] = []
  /** Feeds and their subscriptions, in the order of the statements: a feed may be made, subscribed to and dropped. */
  private readonly ofFeeds: QueryChange[] = []
  /** Of feeds that are created further down. */
  private readonly early: Extract<QueryChange, { kind: 'subscribe' | 'unsubscribe' }>[] = []
  private readonly removals: QueryChange[] = []

  constructor(known: KnownFeeds, options: ChangePlanOptions) {
    this.known = known
    this.from = options.from
    this.options = options
    this.feeds = new Map([...known.feeds].map(([name, { statement }]) => [name, statement]))
    this.addresses = new Set(known.sources.flatMap(addressesOf))
    this.sources = new Map()
    for (const source of known.sources) {
      if (source.name !== null) this.sources.set(source.name, [...(this.sources.get(source.name) ?? []), source])
    }
  }

  add(statement: QueryStatement): void {
    const { name } = statement.feed
    switch (statement.kind) {
      case 'register':
        this.register(statement)
        return
      case 'create':
        this.save(statement)
        return
      case 'alter': {
        const feed = this.feeds.get(name)
        if (feed === undefined) this.alterSource(statement)
        else this.alterFeed(feed, statement)
        return
      }
      case 'drop':
        this.drop(name)
        return
      case 'subscribe': {
        const { output, everyMs } = statement
        this.subscription({ kind: 'subscribe', feed: name, output, everyMs, secret: this.options.newSecret() })
        this.done.push({ name, action: 'subscribed' })
        return
      }
      case 'unsubscribe':
        this.subscription({ kind: 'unsubscribe', feed: name, output: statement.output })
        this.done.push({ name, action: 'unsubscribed' })
    }
  }

  finish(): ChangePlan {
    this.askReaders()
    this.clearReaders()
    const changes = [...this.ofSources, ...this.ofFeeds, ...this.early, ...this.removals]
    return { changes, done: this.done }
  }

  private subscription(change: Extract<QueryChange, { kind: 'subscribe' | 'unsubscribe' }>): void {
    if (this.feeds.has(change.feed)) this.ofFeeds.push(change)
    else this.early.push(change)
  }

  private register({ url, feed, category, weight }: RegisterFeed): void {
    const address = normalizeSourceUrl(url)
    const settings = {
      name: feed.name,
      ...(category === null ? {} : { categories: [category] }),
      ...(weight === null ? {} : { weight }),
    }
    this.addresses.add(address)
    const source = this.known.sources.find((one) => addressesOf(one).includes(address))
    if (source === undefined) this.addSource({ url: address, ...settings })
    else this.ofSources.push({ kind: 'alter-source', sourceId: source.id, patch: settings })
    this.done.push({ name: feed.name, action: 'registered' })
  }

  private alterSource({ feed, category, weight }: AlterFeed): void {
    const patch = {
      ...(category === undefined ? {} : { categories: category === null ? [] : [category] }),
      ...(weight === undefined ? {} : { weight }),
    }
    for (const { id } of this.sources.get(feed.name) ?? []) {
      this.ofSources.push({ kind: 'alter-source', sourceId: id, patch })
    }
    this.done.push({ name: feed.name, action: 'altered' })
  }

  private alterFeed(before: CreateFeed, statement: AlterFeed): void {
    const { feed, title, limit, query, weight } = statement
    if (weight !== undefined) this.ofFeeds.push({ kind: 'weigh-feed', name: feed.name, weight })
    const isWeighed = title === undefined && limit === undefined && query === undefined
    if (isWeighed) this.done.push({ name: feed.name, action: 'altered' })
    else this.save(altered(before, statement))
  }

  private save(statement: CreateFeed): void {
    const { name } = statement.feed
    const before = this.feeds.get(name)
    const text = printStatement(statement)
    if (before !== undefined && printStatement(before) === text) {
      this.done.push({ name, action: 'unchanged' })
      return
    }
    this.addAddresses(statement)
    const asksSame = before !== undefined && printQuery(before.query) === printQuery(statement.query)
    if (!asksSame) this.changedNames.add(name)
    this.feeds.set(name, statement)
    const first = before === undefined ? { first: this.options.first(name) } : {}
    this.ofFeeds.push({ ...savedFeed(statement, asksSame ? 'no' : this.from), ...first })
    this.done.push({ name, action: before === undefined ? 'created' : 'altered' })
  }

  /** An address that is no source yet becomes one, or its query would wait for ever. */
  private addAddresses({ query }: CreateFeed): void {
    for (const { origin } of [...query.sources, ...query.joins.flatMap(({ sources }) => sources)]) {
      if (origin.kind !== 'url') continue
      const url = normalizeSourceUrl(origin.url)
      if (this.addresses.has(url)) continue
      this.addresses.add(url)
      this.addSource({ url })
    }
  }

  private addSource(source: NewSource): void {
    this.ofSources.push({ kind: 'add-source', settings: withSourceDefaults(source), by: this.options.by })
  }

  private drop(name: string): void {
    if (this.feeds.delete(name)) {
      this.ofFeeds.push({ kind: 'drop-feed', name })
      this.dropped.add(name)
    } else
      for (const { id } of this.sources.get(name) ?? []) this.removals.push({ kind: 'remove-source', sourceId: id })
    this.done.push({ name, action: 'dropped' })
  }

  /** A feed that reads a changed feed holds other items too: both start over together. */
  private askReaders(): void {
    let names = this.changedNames
    while (names.size > 0) {
      const readers = new Set<string>()
      for (const [name, statement] of this.feeds) {
        if (this.changedNames.has(name) || !feedsReadBy(statement.query).some((read) => names.has(read))) continue
        readers.add(name)
        this.ofFeeds.push(savedFeed(statement, this.from))
      }
      for (const name of readers) this.changedNames.add(name)
      names = readers
    }
  }

  /** Who read a feed that is dropped, or read such a reader, shows nothing more of it, whoever takes its name next. */
  private clearReaders(): void {
    const cleared = new Set<string>()
    let removed: ReadonlySet<string> = this.dropped
    while (removed.size > 0) {
      const readers = new Set<string>()
      for (const [name, statement] of this.feeds) {
        if (cleared.has(name) || !feedsReadBy(statement.query).some((read) => removed.has(read))) continue
        cleared.add(name)
        readers.add(name)
        const without = this.known.feeds.get(name)?.feed.without ?? []
        this.ofFeeds.push({ kind: 'clear-feed', name, without })
      }
      removed = readers
    }
  }
}

function altered(before: CreateFeed, { title, limit, query }: AlterFeed): CreateFeed {
  return {
    ...before,
    title: title === undefined ? before.title : title,
    limit: limit === undefined ? before.limit : limit,
    query: query ?? before.query,
  }
}

function savedFeed(statement: CreateFeed, catchUp: CatchUpStart): Extract<QueryChange, { kind: 'save-feed' }> {
  const { feed, title, limit } = statement
  return { kind: 'save-feed', name: feed.name, title, limit, text: printStatement(statement), catchUp }
}
