import { createHash, timingSafeEqual } from 'node:crypto'
import type { InstantMs, QueryFeed, User } from '../model/index.ts'
import type { Store } from '../store/store.ts'
import { type FeedAddress, feedPath } from './addresses.ts'

/** `open`: for everybody, or there is no such feed, which shows when it is looked for. */
export type Access = 'open' | 'granted' | 'denied'

/**
 * Who may read a private feed: whoever shows one of its tokens, or a token or session of a user who may see it. `session`
 * is the secret of the cookie.
 */
export type CheckAccess = (address: FeedAddress, token: string | null, session?: string | null) => Promise<Access>

export type AccessStore = Pick<Store, 'queryFeed' | 'queryFeeds' | 'queryRevision' | 'feedTokens'> &
  Partial<Pick<Store, 'nodeState' | 'apiTokenUser' | 'sessionUser' | 'queryFeedOwners'>>

export function createAccessCheck(store: AccessStore, now: () => InstantMs = () => 0): CheckAccess {
  const hasPrivateFeeds = privateFeedsCheck(store)
  return async (address, token, session = null) => {
    if (address.kind !== 'query') {
      if (!(await isHidden(address, store))) return 'open'
      return (await userOf(token, session, store, now())) === null ? 'denied' : 'granted'
    }
    const feed = await store.queryFeed(address.name)
    // The answer to a name that is not there is that to a private one, or names of private feeds could be guessed. Where
    // nothing is private there is nothing to hide, and a mistyped name is told from a closed door.
    if (feed === null) return (await hasPrivateFeeds()) ? 'denied' : 'open'
    if (!feed.isPrivate) return 'open'
    if (token !== null && (await isItsToken(feed, token, store))) return 'granted'
    const viewer = await userOf(token, session, store, now())
    return viewer !== null && (await maySee(feed, viewer, store)) ? 'granted' : 'denied'
  }
}

/** Asked for every wrong name: looked up once per state of the queries. */
function privateFeedsCheck(store: AccessStore): () => Promise<boolean> {
  let known = { revision: -1, answer: false }
  return async () => {
    const revision = await store.queryRevision()
    if (revision !== known.revision) {
      known = { revision, answer: (await store.queryFeeds()).some(({ isPrivate }) => isPrivate) }
    }
    return known.answer
  }
}

async function isItsToken(feed: QueryFeed, token: string, store: AccessStore): Promise<boolean> {
  const given = Buffer.from(tokenHash(token))
  // All of them, and each to its end: the time taken says nothing about how near a guess was.
  return (await store.feedTokens(feed.id)).filter(({ hash }) => isEqual(given, Buffer.from(hash))).length > 0
}

interface Viewer {
  readonly user: User
  /** The only query feed that the token opens; null: all. */
  readonly feed: string | null
}

async function userOf(
  token: string | null,
  session: string | null,
  store: AccessStore,
  now: InstantMs,
): Promise<Viewer | null> {
  const byToken = token === null ? null : await store.apiTokenUser?.(tokenHash(token))
  if (byToken) return { user: byToken.user, feed: byToken.token.feed }
  const bySession = session === null ? null : await store.sessionUser?.(tokenHash(session), now)
  return bySession ? { user: bySession.user, feed: null } : null
}

async function maySee(feed: QueryFeed, { user, feed: only }: Viewer, store: AccessStore): Promise<boolean> {
  if (only !== null && only !== feed.name) return false
  return user.role === 'owner' || (await store.queryFeedOwners?.())?.get(feed.id) === user.id
}

const HIDDEN_STATE = 'private-feeds'

/** Paths of feeds other than query feeds that are private; `/feeds/source/*` stands for those of all sources. */
export async function readPrivateFeeds(store: Partial<Pick<Store, 'nodeState'>>): Promise<ReadonlySet<string>> {
  const text = (await store.nodeState?.(HIDDEN_STATE)) ?? '[]'
  return new Set(JSON.parse(text) as string[])
}

export function savePrivateFeeds(paths: ReadonlySet<string>, store: Pick<Store, 'saveNodeState'>): Promise<void> {
  return store.saveNodeState(HIDDEN_STATE, JSON.stringify([...paths].sort()))
}

async function isHidden(address: FeedAddress, store: AccessStore): Promise<boolean> {
  return isPrivateIn(await readPrivateFeeds(store), address)
}

export function isPrivateIn(hidden: ReadonlySet<string>, address: FeedAddress): boolean {
  return hidden.has(feedPath(address)) || (address.kind === 'source' && hidden.has('/feeds/source/*'))
}

/** Tokens are random and long, so that a plain hash cannot be turned back; no salt is needed (unlike for passwords). */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
