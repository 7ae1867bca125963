import {
  addressesOf,
  DAY_MS,
  type InstantMs,
  type Item,
  type ItemParts,
  type ItemSeq,
  type ItemTitle,
  type ParsedItem,
  type SourceId,
} from '../../model/index.ts'
import { arrivalsOf } from '../../query/arrivals.ts'
import { type FeedArrival, QueryEngine } from '../../query/engine.ts'
import { inputKey, ownKeys, withoutInputs } from '../../query/inputs.ts'
import { loadLanguageDetector } from '../../query/item/language.ts'
import type { FeedQuery, QueryStatement, RegisterFeed } from '../../query/language/ast.ts'
import { parseQuery } from '../../query/language/parse.ts'
import { wordsNeededBy } from '../../query/plan/words-needed.ts'
import { normalizeSourceUrl } from '../../sources/source-url.ts'
import type { Store } from '../../store/store.ts'
import type { WordNeeds } from '../../store/text/words-needed.ts'
import { withParts } from '../../store/text-limit.ts'
import { checkText, invalid, isQueryStatement } from './apply.ts'
import { feedsReadBy, type KnownFeeds, knownFeeds } from './catalog.ts'

export interface QueryFeedPreview {
  /** null: the text was a query without a name. */
  readonly name: string | null
  readonly matches: number
  readonly bySource: readonly { readonly sourceId: SourceId; readonly matches: number }[]
  /** Days in UTC, by the order of publication of items; newest first. */
  readonly byDay: readonly { readonly day: InstantMs; readonly matches: number }[]
  /** By when they were published, as far as is known; newest first. Without summary and content. */
  readonly newest: readonly { readonly item: Item; readonly joined: readonly ItemSeq[] }[]
}

export interface Preview {
  /** Items of the archive that the queries were evaluated on. */
  readonly items: number
  readonly feeds: readonly QueryFeedPreview[]
}

export interface PreviewOptions {
  readonly after: ItemSeq
  readonly newest: number
  /** Names of feeds that are to be read as if they were not there; absent: none. */
  readonly unread?: ReadonlySet<string>
  readonly onProgress?: (items: number) => void
  /** Aborts with the reason that is then thrown. */
  readonly signal?: AbortSignal
}

/** Evaluated in one go: some ten milliseconds. */
const BATCH = 200
/** The same of titles alone. */
const TITLES = 1_000
/** Numbers of items read in one go: the index takes some ten milliseconds. */
const CANDIDATES = 20_000
/** Of these, those that are examined for phrases in one go: a few milliseconds. */
const CHOSEN_FROM = 1_000
const UNNAMED = ''

/** What queries would hold, had they been there for the archive; nothing is saved. Works beside a running node. */
export async function previewQueries(text: string, store: Store, options: PreviewOptions): Promise<Preview> {
  const { unread = new Set() } = options
  const known = await knownFeeds(store, text)
  const { queries: feedQueries, registered } = readQueries(text, known, unread)
  const queries = withThoseRead(feedQueries, known)
  const engine = await engineFor(queries)
  const counts = new Map([...feedQueries.keys()].map((name) => [name, new Counts(options.newest)]))
  let items = 0
  const needed = options.after > 0 || remembers(queries.values()) ? null : wordsNeededBy([...feedQueries.values()])
  const all = needed === null ? null : (await store.counts()).items
  const batches = needed === null ? allAfter(options.after, engine, store) : allHolding(needed, store)
  for await (const batch of batches) {
    options.signal?.throwIfAborted()
    for (const arrival of await arrivalsOf(store, batch)) {
      for (const { feed, joined } of engine.process(withName(arrival, registered))) {
        counts.get(feed)?.add(arrival.item as MatchedItem, joined)
      }
    }
    items += batch.length
    options.onProgress?.(items)
    // A node that serves readers meanwhile must not stand still.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (all !== null) options.onProgress?.(all)
  const labels = await labelsOf(
    [...counts.values()].flatMap((count) => count.newestSeqs),
    store,
  )
  const feeds = [...counts].map(([name, count]) => count.preview(name === UNNAMED ? null : name, labels))
  return { items: all ?? items, feeds }
}

/** With the name that its source would have. */
function withName(arrival: FeedArrival, registered: ReadonlyMap<string, string>): FeedArrival {
  if (registered.size === 0) return arrival
  const { source } = arrival
  const names = addressesOf(source).map((url) => registered.get(url))
  return { ...arrival, source: { ...source, name: names.find((one) => one !== undefined) ?? source.name } }
}

/** What JOIN and DISTINCT remember depends on every item, in its order. */
function remembers(queries: Iterable<FeedQuery>): boolean {
  return [...queries].some(({ joins, distinct }) => joins.length > 0 || distinct !== null)
}

/** The fields of items that these queries read. */
type MatchedItem = ParsedItem & ItemTitle

/** Field by field: `{ ...BLANK_ITEM, ...title }` takes as long as reading the title. */
function titled({ seq, sourceId, firstSeenAt, sortAt, title }: ItemTitle): MatchedItem {
  return {
    seq,
    sourceId,
    firstSeenAt,
    sortAt,
    title,
    id: null,
    link: null,
    published: null,
    updated: null,
    authors: [],
    categories: [],
    summary: null,
    content: null,
    enclosures: [],
    language: null,
    commentsUrl: null,
    image: null,
    extensions: null,
  }
}

async function* allAfter(from: ItemSeq, engine: QueryEngine, store: Store): AsyncGenerator<readonly MatchedItem[]> {
  const parts: ItemParts = engine.readsTexts ? 'all' : 'labels'
  const next = async (after: ItemSeq): Promise<readonly MatchedItem[]> => {
    if (!engine.readsOnlyTitles) return store.itemsAfter(after, BATCH, parts)
    return (await store.titlesAfter(after, TITLES)).map(titled)
  }
  for (let after = from; ; ) {
    const batch = await next(after)
    const last = batch.at(-1)
    if (last === undefined) return
    yield batch
    after = last.seq
  }
}

/** Asking about an item costs a tenth of a millisecond; the text index rules most of them out for next to nothing. */
async function* allHolding(needed: WordNeeds, store: Store): AsyncGenerator<readonly Item[]> {
  for (let after = 0; ; ) {
    const seqs = await store.seqsHolding(needed, { after, limit: CANDIDATES })
    for (let at = 0; at < seqs.length; at += CHOSEN_FROM) {
      yield* readAll(await store.holdingPhrases(seqs.slice(at, at + CHOSEN_FROM), needed), store)
    }
    const last = seqs.at(-1)
    if (last === undefined || seqs.length < CANDIDATES) return
    after = last
  }
}

async function* readAll(seqs: readonly ItemSeq[], store: Store): AsyncGenerator<readonly Item[]> {
  for (let at = 0; at < seqs.length; ) {
    const { items, count } = await store.firstBySeq(seqs.slice(at, at + BATCH))
    yield items
    at += count
  }
}

interface ReadQueries {
  readonly queries: ReadonlyMap<string, FeedQuery>
  /** Names that sources get by the text, by address. */
  readonly registered: ReadonlyMap<string, string>
}

/** Statements, or one query alone. */
function readQueries(text: string, known: KnownFeeds, unread: ReadonlySet<string>): ReadQueries {
  const keys = new Set([...unread].map((name) => inputKey({ kind: 'name', name })))
  const alone = parseQuery(text)
  if (alone.ok && !/^\s*CREATE\b/i.test(text))
    return { queries: new Map([[UNNAMED, withoutInputs(alone.value, keys)]]), registered: new Map() }
  const unseen = new Map([...unread].map((name) => [name, []] as const))
  const { statements, errors } = checkText(text, known, { replace: true, unseen })
  if (errors.length > 0) throw invalid(errors)
  const queries = statements.filter(isQueryStatement)
  // What the text itself makes may be read.
  for (const { feed } of queries) keys.delete(inputKey({ kind: 'name', name: feed.name }))
  return {
    queries: new Map(queries.map(({ feed, query }) => [feed.name, withoutInputs(query, keys)])),
    registered: new Map(
      statements.filter(isRegister).map(({ url, feed }) => [normalizeSourceUrl(url), feed.name] as const),
    ),
  }
}

function isRegister(statement: QueryStatement): statement is RegisterFeed {
  return statement.kind === 'register'
}

/** With the feeds that are read, and those that they read. */
function withThoseRead(feedQueries: ReadonlyMap<string, FeedQuery>, known: KnownFeeds): ReadonlyMap<string, FeedQuery> {
  const queries = new Map(feedQueries)
  const waiting = [...feedQueries.values()]
  for (let query = waiting.pop(); query !== undefined; query = waiting.pop()) {
    for (const name of feedsReadBy(query)) {
      const stored = known.feeds.get(name)
      if (stored === undefined || queries.has(name)) continue
      const read = withoutInputs(stored.statement.query, ownKeys(name, stored.feed.without))
      queries.set(name, read)
      waiting.push(read)
    }
  }
  return queries
}

async function engineFor(queries: ReadonlyMap<string, FeedQuery>): Promise<QueryEngine> {
  const filled = (options = {}) => {
    const engine = new QueryEngine(options)
    for (const [name, query] of queries) engine.set(name, query)
    return engine
  }
  const engine = filled()
  return engine.needsLanguage ? filled({ detectLanguage: await loadLanguageDetector() }) : engine
}

interface Match {
  readonly seq: ItemSeq
  readonly sortAt: InstantMs
  readonly joined: readonly ItemSeq[]
}

class Counts {
  private readonly most: number
  private matches = 0
  private readonly bySource = new Map<SourceId, number>()
  private readonly byDay = new Map<InstantMs, number>()
  private newest: Match[] = []

  constructor(most: number) {
    this.most = most
  }

  get newestSeqs(): ItemSeq[] {
    return this.newest.map(({ seq }) => seq)
  }

  add({ seq, sourceId, sortAt }: ItemTitle, joined: readonly ItemSeq[]): void {
    this.matches += 1
    const day = Math.floor(sortAt / DAY_MS) * DAY_MS
    this.bySource.set(sourceId, (this.bySource.get(sourceId) ?? 0) + 1)
    this.byDay.set(day, (this.byDay.get(day) ?? 0) + 1)
    if (this.most === 0) return
    this.newest.push({ seq, sortAt, joined })
    if (this.newest.length > 2 * this.most) this.newest = this.newest.sort(byPublication).slice(0, this.most)
  }

  /** `items`: by number, without those that have gone meanwhile. */
  preview(name: string | null, items: ReadonlyMap<ItemSeq, Item>): QueryFeedPreview {
    const bySource = [...this.bySource].map(([sourceId, matches]) => ({ sourceId, matches }))
    const byDay = [...this.byDay].map(([day, matches]) => ({ day, matches }))
    return {
      name,
      matches: this.matches,
      bySource: bySource.sort((a, b) => b.matches - a.matches || a.sourceId - b.sourceId),
      byDay: byDay.sort((a, b) => b.day - a.day),
      newest: this.newest
        .sort(byPublication)
        .slice(0, this.most)
        .flatMap(({ seq, joined }) => {
          const item = items.get(seq)
          return item === undefined ? [] : [{ item, joined }]
        }),
    }
  }
}

/** A first fetch brings old items last or first, as the feed has them: arrival says nothing about what is new. */
function byPublication(a: Match, b: Match): number {
  return b.sortAt - a.sortAt || b.seq - a.seq
}

/** Without their texts, which are read a few at a time. */
async function labelsOf(seqs: readonly ItemSeq[], store: Store): Promise<ReadonlyMap<ItemSeq, Item>> {
  const labels = new Map<ItemSeq, Item>()
  for await (const items of readAll(seqs, store)) {
    for (const item of items) labels.set(item.seq, withParts(item, 'labels'))
  }
  return labels
}
