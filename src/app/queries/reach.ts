import { type AccessView, type Caller, type ReadAccess, userAsCaller } from '../../access/index.ts'
import { addressesOf, type Source, type UserId } from '../../model/index.ts'
import { isPrivateIn } from '../../publisher/feed-access.ts'
import type { CreateFeed, QueryStatement, RegisterFeed } from '../../query/language/ast.ts'
import { describeFailure, type QueryError, QueryFailure } from '../../query/language/errors.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { phrase } from '../../runtime/phrase.ts'
import { normalizeSourceUrl } from '../../sources/source-url.ts'
import type { Store } from '../../store/store.ts'
import { inputsOf } from '../users/access.ts'
import { feedsReadBy, type KnownFeeds } from './catalog.ts'

/** On whose behalf statements are checked and carried out; null: the operator at the command line, who may do everything. */
export interface Behalf {
  readonly caller: Caller
  readonly access: ReadAccess
}

/** Feeds that must look as if they were not there, and the names that they read. */
export function unseenBy(known: KnownFeeds, view: AccessView, caller: Caller): ReadonlyMap<string, readonly string[]> {
  const unseen = [...known.feeds].filter(([name]) => {
    const feed = view.findFeed(name)
    return feed !== null && !view.may(caller, 'see', feed)
  })
  return new Map(unseen.map(([name, { statement }]) => [name, feedsReadBy(statement.query)]))
}

/**
 * A user changes own query feeds, and registers sources that are not there yet; what others share is the admin's. Of feeds
 * that are not seen nothing is said: they are refused as unknown.
 */
export function refuseForeign(
  statements: readonly QueryStatement[],
  known: KnownFeeds,
  view: AccessView,
  by: Caller,
): void {
  for (const statement of statements) {
    const { name } = statement.feed
    // Pages cost requests and room of all.
    if ('query' in statement && statement.query?.fulltext?.fetchesPages && !view.mayBuiltIn(by, 'change', false)) {
      throw new HeadwaterError('RIGHT_MISSING', `admin, for FULLTEXT FETCH of ${name}`)
    }
    if (statement.kind === 'register') {
      refuseAnew(statement, known, view, by)
      continue
    }
    const feed = known.feeds.has(name) ? view.findFeed(name) : null
    if (feed !== null && view.may(by, 'see', feed) && !view.may(by, 'change', feed)) {
      throw new HeadwaterError('RIGHT_MISSING', `${name} is the feed of another user`)
    }
    const sources = known.sources.filter((source) => source.name === name)
    const isChange = statement.kind === 'alter' || statement.kind === 'drop'
    if (feed === null && isChange && !sources.every((source) => mayChangeSource(source, view, by))) {
      throw new HeadwaterError('RIGHT_MISSING', `admin, to change the source ${name}`)
    }
  }
}

/** By whichever of its addresses: one that is there stays as it is, with its name and its place. */
function refuseAnew(statement: RegisterFeed, known: KnownFeeds, view: AccessView, by: Caller): void {
  const { url, feed, category, weight } = statement
  const address = normalizeSourceUrl(url)
  const source = known.sources.find((one) => addressesOf(one).includes(address))
  if (source === undefined || mayChangeSource(source, view, by)) return
  const isSame =
    source.name === feed.name &&
    (category === null || (source.categories.length === 1 && source.categories[0] === category)) &&
    (weight === null || weight === source.weight)
  if (!isSame)
    throw new HeadwaterError('RIGHT_MISSING', `admin, to register ${feed.name} again: it is a source already`)
}

/** Sources are shared by all, like the built-in feeds that show them. */
function mayChangeSource({ id }: Source, view: AccessView, by: Caller): boolean {
  return view.mayBuiltIn(by, 'change', isPrivateIn(view.hidden, { kind: 'source', sourceId: id }))
}

export interface ReachReport {
  readonly errors: readonly QueryError[]
  /** New feeds that must begin as private ones, because they read what strangers may not. */
  readonly privateFeeds: ReadonlySet<string>
}

/**
 * Whether those whose feeds these are may read what the statements name. A new feed that reads something hidden is made
 * private; one that is there and public is refused.
 */
export async function reachOf(
  text: string,
  queries: readonly Pick<CreateFeed, 'feed' | 'query'>[],
  by: Caller,
  view: AccessView,
  store: Pick<Store, 'state' | 'sourcesById'>,
): Promise<ReachReport> {
  const errors: QueryError[] = []
  const privateFeeds = new Set<string>()
  for (const { feed, query } of queries) {
    const there = view.findFeed(feed.name)
    const ownerId: UserId | null = there === null ? (by.user?.id ?? null) : there.ownerId
    const judged = { ownerId, inputs: await inputsOf(query, view, store) }
    const isPrivate = there?.isPrivate ?? view.unreadable({ ...judged, isPrivate: false }).length > 0
    if (there === null && isPrivate) privateFeeds.add(feed.name)
    for (const { words } of view.unreadable({ ...judged, isPrivate })) {
      const detail = phrase`${feed.name} may not show ${words}`
      errors.push(describeFailure(text, new QueryFailure('QUERY_NOT_READABLE', feed.at, detail)))
    }
  }
  return { errors, privateFeeds }
}

/** Of a preview: what the caller may not see, or what is not shown at the moment, is as if it were not there. */
export function unreadInPreview(view: AccessView, by: Caller | null): ReadonlySet<string> {
  const caller = by ?? userAsCaller(null, view.table)
  const isRead = (feed: AccessView['feeds'][number]) => view.may(caller, 'see', feed) && view.shows(feed)
  return new Set(view.feeds.filter((feed) => !isRead(feed)).map(({ name }) => name))
}
