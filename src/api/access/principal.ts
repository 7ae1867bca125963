import { createHash } from 'node:crypto'
import { parseCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { ACCESS_TABLE, type AccessTable, type Caller, type Right, rightsOf } from '../../access/index.ts'
import { type ClientOrigin, DAY_MS, type InstantMs, MINUTE_MS, type User } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import { tokenOf } from '../credentials.ts'
import { originOf } from './client-words.ts'
import { isAtTheMachine } from './origin.ts'

export const SESSION_COOKIE = 'headwater_session'
/** From its last use. */
export const SESSION_MS = 30 * DAY_MS
/** Uses are noted at most this often: reading need not write each time. */
const NOTE_EVERY_MS = 5 * MINUTE_MS

/** Who sends the request, and what they may do. */
export interface Principal {
  readonly user: User
  readonly rights: ReadonlySet<Right>
  /** Hash of the session; null: by token. */
  readonly session: string | null
  /** The only query feed that the token is for; null: it is not bound to one. */
  readonly onlyFeed: string | null
}

/** As the table of access knows it. */
export function callerOf({ user, rights, onlyFeed }: Principal): Caller {
  return { user, rights, onlyFeed, tokenOf: null }
}

export type AccountReader = Pick<
  Store,
  'sessionUser' | 'prolongSession' | 'apiTokenUser' | 'noteTokenUse' | 'userNamed'
>

/** The principal of a request by its token or its session; null: nobody is known by what it brings. */
export type Authenticate = (request: FastifyRequest) => Promise<Principal | null>

export function createAuthenticator(
  store: AccountReader,
  clock: Pick<Clock, 'now'>,
  table: AccessTable = ACCESS_TABLE,
  visitor: string | null = null,
): Authenticate {
  return async (request) => {
    const token = tokenOf(request.headers.authorization, undefined)
    const used = { now: clock.now(), origin: originOf(request) }
    if (token !== null) return byToken(secretHash(token), store, used, table)
    const session = sessionOf(request)
    if (session !== null) return bySession(secretHash(session), store, used, table)
    return visitor === null || !isAtTheMachine(request) ? null : byVisit(visitor, store, table)
  }
}

/** What stands for the session of one who needs none: the rules for cookies hold for them, too. */
const VISIT = 'visit'

/** At the machine of a demo. */
async function byVisit(name: string, store: AccountReader, table: AccessTable): Promise<Principal | null> {
  const user = await store.userNamed(name)
  return user && { user, rights: rightsOf(user.role, 'admin', table), session: VISIT, onlyFeed: null }
}

/** The principal of a token alone, however it was shown. */
export function principalByToken(
  hash: string,
  store: AccountReader,
  clock: Pick<Clock, 'now'>,
  request: FastifyRequest,
  table: AccessTable,
): Promise<Principal | null> {
  return byToken(hash, store, { now: clock.now(), origin: originOf(request) }, table)
}

export function sessionOf(request: FastifyRequest): string | null {
  const { cookie } = request.headers
  return (cookie === undefined ? undefined : parseCookie(cookie)[SESSION_COOKIE]) || null
}

/** Secrets are random and long: a plain hash cannot be turned back. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

interface Use {
  readonly now: InstantMs
  readonly origin: ClientOrigin
}

async function bySession(
  hash: string,
  store: AccountReader,
  { now, origin }: Use,
  table: AccessTable,
): Promise<Principal | null> {
  const found = await store.sessionUser(hash, now)
  if (found === null) return null
  // Farther off than it can be: a clock that was ahead has opened it, and it must not last for years.
  const isFromAhead = found.endsAt > now + SESSION_MS
  if (isFromAhead || found.endsAt < now + SESSION_MS - NOTE_EVERY_MS)
    await store.prolongSession(hash, now + SESSION_MS, now, origin)
  const { user } = found
  return { user, rights: rightsOf(user.role, 'admin', table), session: hash, onlyFeed: null }
}

/** Who may read may do so on a full disk, too. */
async function noteUse(id: number, store: AccountReader, { now, origin }: Use): Promise<void> {
  await store.noteTokenUse(id, now, origin).catch(() => {})
}

async function byToken(hash: string, store: AccountReader, used: Use, table: AccessTable): Promise<Principal | null> {
  const found = await store.apiTokenUser(hash)
  if (found === null) return null
  const { user, token } = found
  if ((token.lastUsedAt ?? 0) < used.now - NOTE_EVERY_MS) await noteUse(token.id, store, used)
  return { user, rights: rightsOf(user.role, token.scope, table), session: null, onlyFeed: token.feed }
}
