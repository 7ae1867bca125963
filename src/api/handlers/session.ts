import { stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rightsOf } from '../../access/index.ts'
import { DAY_MS, type User, type UserId } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import type { LogInSession } from '../../store/accounts.ts'
import { originOf } from '../access/client-words.ts'
import { isAtTheMachine } from '../access/origin.ts'
import { SESSION_COOKIE, SESSION_MS, secretHash } from '../access/principal.ts'
import { basePathFor } from '../base-path.ts'
import type { sessionOperations, userOperations } from '../operations/session.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'
import { wishRow } from './wish.ts'

const INVITATION_MS = 7 * DAY_MS

export function sessionHandlers(deps: HandlerDeps): Pick<Handlers, keyof typeof sessionOperations> {
  const { store, services, clock, logIn, passwords: desk, devices, events } = deps
  const tell = async (user: User | null, rights = user === null ? null : rightsOf(user.role)) => ({
    user: user && { id: user.id, name: user.name, role: user.role },
    rights: (['read', 'write', 'admin'] as const).filter((right) => rights?.has(right)),
    needsOwner: !(await hasOwner(deps)),
    version: deps.version,
    baseUrl: deps.feeds.baseUrl,
  })
  const begin = async (user: User, request: FastifyRequest, reply: FastifyReply) => {
    const secret = randomSecret()
    const now = clock.now()
    const session = { hash: secretHash(secret), userId: user.id, endsAt: now + SESSION_MS, origin: originOf(request) }
    await store.openSession(session, now)
    const device = await devices.cookieFor(user.id, isSecure(deps), basePathFor(request.host, deps.feeds.baseUrl))
    reply.header('set-cookie', [cookieOf(secret, SESSION_MS / 1000, request, deps), device])
    return tell(user)
  }

  return {
    me: async (_input, { principal }) => tell(principal?.user ?? null, principal?.rights),
    async claimNode({ body }, { request, reply }) {
      if (await hasOwner(deps)) throw new HeadwaterError('OWNER_EXISTS')
      if (!isAtTheMachine(request)) throw new HeadwaterError('OWNER_ELSEWHERE')
      const passwordHash = await desk.hash(body.password, 'known')
      const user = { name: body.name, role: 'owner' as const, passwordHash, invitation: null }
      const owner = await store.addUser(user, clock.now())
      if (owner === null) throw new HeadwaterError('OWNER_EXISTS')
      return begin(owner, request, reply)
    },
    async logIn({ body }, { request, reply }) {
      const user = await store.userNamed(body.name)
      const isRight = await logIn.isRight(body.name, user, body.password, request)
      if (user === null || !isRight) throw new HeadwaterError('LOGIN_FAILED')
      return begin(user, request, reply)
    },
    async logOut(_input, { principal, request, reply }) {
      if (principal?.session) await store.closeSession(principal.session)
      await events.review()
      reply.header('set-cookie', cookieOf('', 0, request, deps))
      return undefined
    },
    async changePassword({ body }, { user, principal }) {
      if (!(await logIn.isOwn(user, principal?.session ?? '', body.current))) throw new HeadwaterError('LOGIN_FAILED')
      await store.setPassword(user.id, await desk.hash(body.password, 'known'))
      await store.closeOtherSessions(user.id, principal?.session ?? null)
      await events.review()
      return undefined
    },
    async listSessions(_input, { user, principal }) {
      const sessions = await store.sessions(user.id, clock.now())
      return { sessions: sessions.map((one) => shownSession(one, principal?.session ?? null)) }
    },
    async endSession({ params }, { user }) {
      const found = (await store.sessions(user.id, clock.now())).find(({ hash }) => sessionId(hash) === params.id)
      if (found === undefined) throw new HeadwaterError('SESSION_NOT_FOUND', params.id)
      await store.closeSession(found.hash)
      await events.review()
      return undefined
    },
    async endOtherSessions(_input, { user, principal }) {
      await store.closeOtherSessions(user.id, principal?.session ?? null)
      await events.review()
      return undefined
    },
    async showWish(_input, { user }) {
      const { wish } = (await store.user(user.id)) ?? { wish: null }
      return { wish: wishRow(wish, await services.wishes.ofUser(user.id)) }
    },
    async setWish({ body: { wish } }, { user }) {
      await store.setWish(user.id, wish)
      return { wish: wishRow(wish, await services.wishes.ofUser(user.id)) }
    },
    async acceptInvitation({ body }, { request, reply }) {
      const passwordHash = await desk.hash(body.password, 'strange')
      const user = await store.acceptInvitation(secretHash(body.invitation), passwordHash, clock.now())
      if (user === null) throw new HeadwaterError('INVITATION_INVALID')
      return begin(user, request, reply)
    },
  }
}

/** Part of the hash of its secret: distinguishes sessions, and opens nothing. */
function sessionId(hash: string): string {
  return hash.slice(0, 16)
}

function shownSession({ hash, createdAt, endsAt, origin }: LogInSession, own: string | null) {
  return { id: sessionId(hash), createdAt, lastUsedAt: endsAt - SESSION_MS, endsAt, ...origin, isThis: hash === own }
}

async function hasOwner({ store }: Pick<HandlerDeps, 'store'>): Promise<boolean> {
  return (await store.users()).some(({ role }) => role === 'owner')
}

function isSecure({ feeds }: HandlerDeps): boolean {
  return feeds.baseUrl.startsWith('https:')
}

/** Below a path of a host the other sites of that host are not sent it. */
function cookieOf(value: string, maxAge: number, { host }: FastifyRequest, deps: HandlerDeps): string {
  const secure = isSecure(deps)
  const path = basePathFor(host, deps.feeds.baseUrl) || '/'
  return stringifySetCookie({ name: SESSION_COOKIE, value, httpOnly: true, sameSite: 'lax', path, maxAge, secure })
}

/**
 * Feeds stay and become the node owner's, who may publish more than a member: those that were made without something become
 * private, so that nothing is published that nobody decided to. Whom the user let in, and where the user sent them, ends.
 */
async function closeBehind(userId: UserId, { store, access, clock }: HandlerDeps): Promise<void> {
  const view = await access()
  for (const feed of view.feeds.filter(({ ownerId }) => ownerId === userId)) {
    if (view.withoutOf(feed).length > 0) await store.updateQueryFeed(feed.id, { isPrivate: true })
    for (const { id } of await store.feedTokens(feed.id)) await store.removeFeedToken(id)
    if ((await store.subscriptions(feed.id)).length === 0) continue
    const change = { kind: 'unsubscribe' as const, feed: feed.name, output: null }
    if (!(await store.changeQueries([change], await store.queryRevision(), clock.now())))
      throw new HeadwaterError('QUERY_BUSY')
  }
}

export function userHandlers(deps: HandlerDeps): Pick<Handlers, keyof typeof userOperations> {
  const { store, services, events } = deps
  return {
    listUsers: async () => ({ users: (await store.users()).map(userRow) }),
    inviteUser: ({ body }) => inviteMember(body.name, deps),
    async removeUser({ params }, { nameSubject }) {
      const user = await store.user(params.id)
      if (user === null) throw new HeadwaterError('USER_NOT_FOUND', String(params.id))
      if (user.role === 'owner') throw new HeadwaterError('RIGHT_MISSING', 'the owner stays')
      await closeBehind(params.id, deps)
      nameSubject(user.name)
      await store.removeUser(params.id)
      await services.addressRules.removeAllOf(params.id)
      await services.rules.removeAllOf(params.id)
      await events.review()
      return undefined
    },
  }
}

function userRow({ passwordHash, ...user }: User) {
  return { ...user, isInvited: passwordHash === null }
}

async function inviteMember(name: string, { store, clock, feeds }: HandlerDeps) {
  const secret = randomSecret()
  const invitation = { hash: secretHash(secret), endsAt: clock.now() + INVITATION_MS }
  const user = await store.addUser({ name, role: 'member', passwordHash: null, invitation }, clock.now())
  if (user === null) throw new HeadwaterError('USER_EXISTS', name)
  // After the #, so that it is in no log.
  return { user: userRow(user), invitation: secret, url: `${feeds.baseUrl}/invitation#${secret}` }
}
