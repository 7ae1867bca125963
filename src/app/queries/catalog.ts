import type { QueryFeed, Source } from '../../model/index.ts'
import type { CreateFeed, FeedQuery } from '../../query/language/ast.ts'
import { type Catalog, namesIn } from '../../query/language/catalog.ts'
import { parseQuery, parseStatements } from '../../query/language/parse.ts'
import { normalizeSourceUrl } from '../../sources/source-url.ts'
import type { Store } from '../../store/store.ts'

/** What statements meet when they are checked and applied. */
export interface KnownFeeds {
  /** Of the queries at this moment. */
  readonly revision: number
  /** Those that the text names, by name or address; all of fifty thousand would take half a second. */
  readonly sources: readonly Source[]
  /** Names of all sources, to say which one was meant; empty as long as there is no mistake. */
  readonly names: readonly string[]
  readonly feeds: ReadonlyMap<string, KnownFeed>
  /** null: the text names none. */
  readonly categories: readonly string[] | null
}

export interface KnownFeed {
  readonly feed: QueryFeed
  readonly statement: CreateFeed
}

/** `withNames`: for the hints of mistakes. */
export async function knownFeeds(store: Store, text: string, withNames = false): Promise<KnownFeeds> {
  // First: what changes after it is noticed when the changes are written.
  const revision = await store.queryRevision()
  const feeds = new Map<string, KnownFeed>()
  for (const feed of await store.queryFeeds()) {
    const statement = readCreate(feed.text)
    if (statement !== null) feeds.set(feed.name, { feed, statement })
  }
  const mentions = mentioned(text)
  const categories = mentions.hasCategories ? (await store.categories()).map(({ category }) => category) : null
  const names = withNames ? await store.sourceNames() : []
  return { revision, sources: await sourcesIn(mentions, store), names, feeds, categories }
}

interface MentionedNames {
  /** Names and addresses that may be those of sources. */
  readonly names: readonly string[]
  readonly addresses: readonly string[]
  readonly hasCategories: boolean
}

async function sourcesIn({ names, addresses }: MentionedNames, store: Store): Promise<readonly Source[]> {
  const found = new Map<number, Source>()
  for (const source of names.length === 0 ? [] : await store.sources({ names })) found.set(source.id, source)
  for (const address of addresses) {
    const source = await store.sourceByUrl(address)
    if (source !== null) found.set(source.id, source)
  }
  return [...found.values()].sort((a, b) => a.id - b.id)
}

function mentioned(text: string): MentionedNames {
  const parsed = parseStatements(text)
  const alone = parsed.ok ? null : parseQuery(text)
  const statements = parsed.ok ? parsed.value : []
  const queries = [
    ...statements.flatMap((one) => ('query' in one && one.query) || []),
    ...(alone?.ok ? [alone.value] : []),
  ]
  const origins = queries.flatMap(({ sources, joins }) => [...sources, ...joins.flatMap((join) => join.sources)])
  const urls = [
    ...statements.flatMap((one) => (one.kind === 'register' ? [one.url] : [])),
    ...origins.flatMap(({ origin }) => (origin.kind === 'url' ? [origin.url] : [])),
  ]
  const names = [...statements.map(({ feed }) => feed.name), ...queries.flatMap(feedsReadBy)]
  const hasCategories = origins.some(({ origin }) => origin.kind === 'category')
  return { names: [...new Set(names)], addresses: [...new Set(urls.flatMap(normalAddress))], hasCategories }
}

/** The check reports what is no address. */
function normalAddress(url: string): string[] {
  try {
    return [normalizeSourceUrl(url)]
  } catch {
    return []
  }
}

function readCreate(text: string): CreateFeed | null {
  const parsed = parseStatements(text)
  const [statement] = parsed.ok ? parsed.value : []
  return statement?.kind === 'create' ? statement : null
}

/** Without the names that the statements themselves define, and without feeds that are not seen. */
export function catalogOf(
  known: KnownFeeds,
  renamed: ReadonlySet<string>,
  unseen: ReadonlyMap<string, readonly string[]> = new Map(),
  isForGood = false,
): Catalog {
  const all = [...known.sources.flatMap(({ name }) => name ?? []), ...known.names]
  const names = all.filter((name) => !renamed.has(name))
  const feeds = [...known.feeds]
    .filter(([name]) => !renamed.has(name) && !unseen.has(name))
    .map(([name, { statement }]) => [name, feedsReadBy(statement.query)] as const)
  return { sources: names, feeds: new Map(feeds), categories: known.categories, unseen, isForGood }
}

export function feedsReadBy(query: FeedQuery): string[] {
  return namesIn(query).map(({ name }) => name)
}
