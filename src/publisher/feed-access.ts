import { createHash, timingSafeEqual } from 'node:crypto'
import { type AccessView, type Caller, holderOf, type ReadAccess, rightsOf, STRANGER } from '../access/index.ts'
import type { InstantMs, QueryFeedId } from '../model/index.ts'
import { jsonState, type NamedState, readWords } from '../store/node-state.ts'
import type { Store } from '../store/store.ts'
import { type FeedAddress, feedPath, parseFeedPath } from './addresses.ts'

/**
 * `open`: for everybody. `denied` and `missing` look alike wherever something is closed (see absence), or names of what is
 * closed could be guessed.
 */
export type FeedAccess = 'open' | 'granted' | 'denied' | 'missing'

/** `session` is the secret of the cookie. */
export type CheckAccess = (address: FeedAddress, token: string | null, session?: string | null) => Promise<FeedAccess>

export type AccessStore = Pick<Store, 'feedTokens'> & Partial<Pick<Store, 'state' | 'apiTokenUser' | 'sessionUser'>>

/** Whether the holder of a token or a session may open a feed. */
export function createAccessCheck(
  store: AccessStore,
  readAccess: ReadAccess,
  now: () => InstantMs = () => 0,
): CheckAccess {
  return async (address, token, session = null) => {
    const view = await readAccess()
    if (address.kind === 'query') return checkQueryFeed(address.name, view)
    const isHidden = isPrivateIn(await readPrivateFeeds(store), address)
    if (view.mayBuiltIn(STRANGER, 'open', isHidden)) return 'open'
    return view.mayBuiltIn(await callerBy(view), 'open', isHidden) ? 'granted' : 'denied'

    async function checkQueryFeed(name: string, { table }: AccessView): Promise<FeedAccess> {
      const feed = view.findFeed(name)
      if (feed === null || !view.shows(feed)) return absence(view)
      if (view.may(STRANGER, 'open', feed)) return 'open'
      const holder = token !== null && (await isItsToken(feed.id, token, store)) ? holderOf(feed.id, table) : null
      if (holder !== null && view.may(holder, 'open', feed)) return 'granted'
      return view.may(await callerBy(view), 'open', feed) ? 'granted' : 'denied'
    }

    function callerBy({ table }: AccessView): Promise<Caller> {
      return callerOf(token, session, store, now(), table)
    }
  }
}

/** How a missing feed is answered. Where nothing is closed there is nothing to hide: the answer may name it. */
export function absence(view: AccessView): FeedAccess {
  return view.hidesAnything ? 'denied' : 'missing'
}

async function isItsToken(feedId: QueryFeedId, token: string, store: AccessStore): Promise<boolean> {
  const actual = Buffer.from(tokenHash(token))
  // All of them, and each to its end: the time taken says nothing about how near a guess was.
  return (await store.feedTokens(feedId)).filter(({ hash }) => isEqual(actual, Buffer.from(hash))).length > 0
}

async function callerOf(
  token: string | null,
  session: string | null,
  store: AccessStore,
  now: InstantMs,
  table: AccessView['table'],
): Promise<Caller> {
  const byToken = token === null ? null : await store.apiTokenUser?.(tokenHash(token))
  if (byToken) {
    const { user, token: apiToken } = byToken
    return { user, rights: rightsOf(user.role, apiToken.scope, table), onlyFeed: apiToken.feed, tokenOf: null }
  }
  const bySession = session === null ? null : await store.sessionUser?.(tokenHash(session), now)
  if (!bySession) return STRANGER
  const { user } = bySession
  return { user, rights: rightsOf(user.role, 'admin', table), onlyFeed: null, tokenOf: null }
}

/** Where it cannot be read, it is unknown what strangers may open: then nobody opens anything. */
const PRIVATE_FEEDS: NamedState<readonly string[]> = { ...jsonState('private-feeds', [], readWords), isGuard: true }

/** Paths of feeds other than query feeds that are hidden; `/feeds/source/*` stands for those of all sources. */
export async function readPrivateFeeds(store: Partial<Pick<Store, 'state'>>): Promise<ReadonlySet<string>> {
  return new Set((await store.state?.(PRIVATE_FEEDS))?.map(canonicalPath))
}

/** Hides a feed, or shows it again. */
export async function setPrivateFeed(
  path: string,
  isPrivate: boolean,
  store: Pick<Store, 'changeState'>,
): Promise<void> {
  const named = canonicalPath(path)
  await store.changeState(PRIVATE_FEEDS, (paths) => {
    const others = paths.map(canonicalPath).filter((one) => one !== named)
    return [...others, ...(isPrivate ? [named] : [])].sort()
  })
}

/** However it is written: `/feeds/category/Caf%c3%a9` is `/feeds/category/Caf%C3%A9`. */
export function canonicalPath(path: string): string {
  const address = parseFeedPath(`${path}.rss`)?.address
  return address === undefined || address.kind === 'query' ? path : feedPath(address)
}

/** Categories differ in no capitals here, so that a hidden one is not found under another writing. */
export function isPrivateIn(hidden: ReadonlySet<string>, address: FeedAddress): boolean {
  if (hidden.size === 0) return false
  if (hidden.has(feedPath(address)) || (address.kind === 'source' && hidden.has('/feeds/source/*'))) return true
  if (address.kind !== 'category') return false
  const name = foldCategory(address.category)
  return [...hidden].some((path) => {
    const other = parseFeedPath(`${path}.rss`)?.address
    return other?.kind === 'category' && foldCategory(other.category) === name
  })
}

function foldCategory(category: string): string {
  return category.normalize('NFKC').toLowerCase()
}

/** Tokens are random and long, so that a plain hash cannot be turned back; no salt is needed (unlike for passwords). */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
