import type { QueryFeed, Source } from '../../model/index.ts'
import type { CreateFeed, FeedQuery } from '../../query/language/ast.ts'
import { type Catalog, namesRead } from '../../query/language/catalog.ts'
import { parseStatements } from '../../query/language/parse.ts'
import type { Store } from '../../store/store.ts'

/** What statements meet when they are checked and applied. */
export interface KnownFeeds {
  /** Of the queries at this moment. */
  readonly revision: number
  readonly sources: readonly Source[]
  readonly feeds: ReadonlyMap<string, KnownFeed>
  readonly categories: readonly string[]
}

export interface KnownFeed {
  readonly feed: QueryFeed
  readonly statement: CreateFeed
}

export async function knownFeeds(store: Store): Promise<KnownFeeds> {
  // First: what changes after it is noticed when the changes are written.
  const revision = await store.queryRevision()
  const feeds = new Map<string, KnownFeed>()
  for (const feed of await store.queryFeeds()) {
    const statement = readCreate(feed.text)
    if (statement !== null) feeds.set(feed.name, { feed, statement })
  }
  const categories = (await store.categories()).map(({ category }) => category)
  return { revision, sources: await store.sources(), feeds, categories }
}

function readCreate(text: string): CreateFeed | null {
  const parsed = parseStatements(text)
  const [statement] = parsed.ok ? parsed.value : []
  return statement?.kind === 'create' ? statement : null
}

/** Without the names that the statements themselves give anew. */
export function catalogOf(known: KnownFeeds, renamed: ReadonlySet<string>): Catalog {
  const names = known.sources.flatMap(({ name }) => (name === null || renamed.has(name) ? [] : [name]))
  const feeds = [...known.feeds]
    .filter(([name]) => !renamed.has(name))
    .map(([name, { statement }]) => [name, readBy(statement.query)] as const)
  return { sources: names, feeds: new Map(feeds), categories: known.categories }
}

export function readBy(query: FeedQuery): string[] {
  return namesRead(query).map(({ name }) => name)
}
