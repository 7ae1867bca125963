import {
  ACCESS_TABLE,
  type AccessFeed,
  type AccessTable,
  AccessView,
  type FeedInput,
  type ReadAccess,
} from '../../access/index.ts'
import { addressesOf, type QueryFeed, type QueryFeedId, type Source, type SourceId } from '../../model/index.ts'
import { parseFeedPath } from '../../publisher/addresses.ts'
import { readPrivateFeeds } from '../../publisher/feed-access.ts'
import { withoutCredentials } from '../../publisher/web-address.ts'
import { inputKey, originsOf } from '../../query/inputs.ts'
import type { FeedQuery, ItemOrigin } from '../../query/language/ast.ts'
import { parseQuery } from '../../query/language/parse.ts'
import type { FeedReview } from '../../query/query-pipeline.ts'
import type { Store } from '../../store/store.ts'

export type AccessReaderStore = Pick<
  Store,
  'queryRevision' | 'queryFeeds' | 'queryFeedOwners' | 'users' | 'state' | 'sourcesById' | 'scheduleChanges'
>

/** Reads all that access depends on, and again whenever some of it has changed, also by another process. */
export function createAccessReader(store: AccessReaderStore, table: AccessTable = ACCESS_TABLE): ReadAccess {
  const origins = new Map<QueryFeedId, { readonly text: string; readonly origins: readonly ItemOrigin[] }>()
  let sources = 0
  let known: { readonly state: string; readonly view: AccessView } | null = null

  return async () => {
    // First: what changes after it is seen the next time.
    const revision = await store.queryRevision()
    const hidden = await readPrivateFeeds(store)
    const names = await sourceRevision(hidden)
    const state = JSON.stringify([revision, [...hidden], names])
    if (known?.state !== state) known = { state, view: await readView(hidden) }
    return known.view
  }

  /** Which sources a name or an address means matters only where single ones are hidden. */
  async function sourceRevision(paths: ReadonlySet<string>): Promise<number> {
    if (hiddenSourceIds(paths).length > 0) sources = (await store.scheduleChanges(sources)).revision
    return sources
  }

  async function readView(paths: ReadonlySet<string>): Promise<AccessView> {
    const [feeds, owners, users] = await Promise.all([store.queryFeeds(), store.queryFeedOwners(), store.users()])
    const hidden = await readHidden(paths, store)
    const names = new Set(feeds.map(({ name }) => name))
    const entries = feeds.map((feed): AccessFeed => {
      const { id, name, isPrivate, without = [], isClearing = false } = feed
      const inputs = originsIn(feed).map((origin) => inputOf(origin, names, hidden))
      return { id, name, isPrivate, ownerId: owners.get(id) ?? null, inputs, without, isClearing }
    })
    const present = new Set(feeds.map(({ id }) => id))
    for (const id of origins.keys()) if (!present.has(id)) origins.delete(id)
    return new AccessView({ feeds: entries, users, hidden: paths }, table)
  }

  function originsIn({ id, text }: QueryFeed): readonly ItemOrigin[] {
    const cached = origins.get(id)
    if (cached?.text === text) return cached.origins
    const parsed = parseQuery(text)
    const read = parsed.ok ? originsOf(parsed.value) : []
    origins.set(id, { text, origins: read })
    return read
  }
}

/** For the query processor: which feeds must be rebuilt, because access has changed. */
export function reviewOf(readAccess: ReadAccess): () => Promise<readonly FeedReview[]> {
  let known: { readonly view: AccessView; readonly reviews: readonly FeedReview[] } | null = null
  return async () => {
    const view = await readAccess()
    if (known?.view !== view) {
      const changed = view.feeds.filter((feed) => view.withoutOf(feed).join('\n') !== feed.without.join('\n'))
      known = { view, reviews: changed.map((feed) => ({ name: feed.name, without: view.withoutOf(feed) })) }
    }
    return known.reviews
  }
}

/** Inputs of a query that is not saved yet, as they are now. */
export async function inputsOf(
  query: FeedQuery,
  view: AccessView,
  store: Pick<Store, 'state' | 'sourcesById'>,
): Promise<readonly FeedInput[]> {
  const hidden = await readHidden(await readPrivateFeeds(store), store)
  const names = new Set(view.feeds.map(({ name }) => name))
  return originsOf(query).map((origin) => inputOf(origin, names, hidden))
}

/** Built-in feeds that strangers may not open, as queries name what they show. */
interface HiddenNames {
  readonly isAll: boolean
  readonly areSources: boolean
  /** Of categories, and of names and addresses of sources. */
  readonly keys: ReadonlySet<string>
}

async function readHidden(paths: ReadonlySet<string>, store: Pick<Store, 'sourcesById'>): Promise<HiddenNames> {
  const categories = [...paths].flatMap((path) => {
    const address = parseFeedPath(`${path}.rss`)?.address
    return address?.kind === 'category' ? [inputKey(address)] : []
  })
  const sources = await store.sourcesById(hiddenSourceIds(paths))
  const keys = new Set([...categories, ...[...sources.values()].flatMap(sourceKeys)])
  return { isAll: paths.has('/feeds/all'), areSources: paths.has('/feeds/source/*'), keys }
}

function hiddenSourceIds(paths: ReadonlySet<string>): readonly SourceId[] {
  return [...paths].flatMap((path) => {
    const id = /^\/feeds\/source\/(\d+)$/.exec(path)?.[1]
    return id === undefined ? [] : [Number(id)]
  })
}

function sourceKeys(source: Source): readonly string[] {
  const urls = addressesOf(source).map((url) => inputKey({ kind: 'url', url }))
  return source.name === null ? urls : [...urls, inputKey({ kind: 'name', name: source.name })]
}

function inputOf(origin: ItemOrigin, names: ReadonlySet<string>, hidden: HiddenNames): FeedInput {
  const key = inputKey(origin)
  const isFeed = origin.kind === 'name' && names.has(origin.name)
  const feed = isFeed ? origin.name : null
  return {
    key,
    words: describeOrigin(origin),
    isName: origin.kind === 'name',
    feed,
    builtIn: isHidden(origin, key, isFeed, hidden),
  }
}

/** A name may be that of a query feed and of sources: then it means both. */
function isHidden(origin: ItemOrigin, key: string, isFeed: boolean, hidden: HiddenNames): FeedInput['builtIn'] {
  if (hidden.keys.has(key)) return 'hidden'
  if (isFeed) return null
  if (origin.kind === 'all') return hidden.isAll ? 'hidden' : 'public'
  return origin.kind !== 'category' && hidden.areSources ? 'hidden' : 'public'
}

function describeOrigin(origin: ItemOrigin): string {
  switch (origin.kind) {
    case 'all':
      return 'ALL'
    case 'category':
      return `CATEGORY "${origin.category}"`
    case 'url':
      return withoutCredentials(origin.url)
    case 'name':
      return origin.name
  }
}
