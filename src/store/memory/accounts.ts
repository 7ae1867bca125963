import type { ApiToken, InstantMs, User, UserId } from '../../model/index.ts'
import { type AccountStore, type LogInSession, type NewUser, NO_ORIGIN } from '../accounts.ts'
import type { MemoryTables } from './tables.ts'

interface OpenSession extends LogInSession {
  readonly userId: UserId
}

interface Accounts {
  lastUserId: UserId
  lastTokenId: number
  readonly users: Map<UserId, User>
  readonly invitations: Map<string, { readonly userId: UserId; readonly endsAt: InstantMs }>
  readonly sessions: Map<string, OpenSession>
  readonly tokens: Map<number, ApiToken>
}

export function accountVerbs(world: MemoryTables, forgetUser: (id: UserId) => void): AccountStore {
  const accounts: Accounts = {
    lastUserId: 0,
    lastTokenId: 0,
    users: new Map(),
    invitations: new Map(),
    sessions: new Map(),
    tokens: world.apiTokens,
  }
  const { users, invitations, sessions, tokens } = accounts
  const { queries } = world
  const { owners } = queries
  const change = (id: UserId, patch: Partial<User>) => {
    const user = users.get(id)
    if (user !== undefined) users.set(id, { ...user, ...patch })
  }
  const nextTokenId = () => {
    accounts.lastTokenId += world.step
    return accounts.lastTokenId
  }
  const named = (name: string) =>
    [...users.values()].find((user) => user.name.toLowerCase() === name.toLowerCase()) ?? null

  return {
    users: async () => [...users.values()],
    user: async (id) => users.get(id) ?? null,
    userNamed: async (name) => named(name),
    addUser: async (user, now) => (named(user.name) === null ? addUser(accounts, user, now, world.step) : null),
    setPassword: async (id, passwordHash) => change(id, { passwordHash }),
    async acceptInvitation(hash, passwordHash, now) {
      const invitation = invitations.get(hash)
      if (invitation === undefined || invitation.endsAt <= now) return null
      invitations.delete(hash)
      change(invitation.userId, { passwordHash })
      return users.get(invitation.userId) ?? null
    },
    setWish: async (id, wish) => change(id, { wish }),
    async removeUser(id) {
      if ((users.get(id)?.role ?? 'owner') === 'owner') return false
      users.delete(id)
      for (const [hash, { userId }] of invitations) if (userId === id) invitations.delete(hash)
      for (const [hash, { userId }] of sessions) if (userId === id) sessions.delete(hash)
      for (const [token, { userId }] of tokens) if (userId === id) tokens.delete(token)
      for (const [feedId, userId] of owners) if (userId === id) owners.delete(feedId)
      queries.revision += queries.step
      for (const [sourceId, userId] of world.adders) if (userId === id) world.adders.delete(sourceId)
      forgetUser(id)
      return true
    },

    async openSession({ hash, userId, endsAt, origin }, now) {
      sessions.set(hash, { hash, userId, createdAt: now, endsAt, origin })
      change(userId, { lastSeenAt: now })
    },
    async sessionUser(hash, now) {
      const session = sessions.get(hash)
      const user = session === undefined ? undefined : users.get(session.userId)
      if (session === undefined || user === undefined || session.endsAt <= now) return null
      return { user, endsAt: session.endsAt }
    },
    async prolongSession(hash, endsAt, now, origin) {
      const session = sessions.get(hash)
      if (session === undefined) return
      sessions.set(hash, { ...session, endsAt, origin })
      change(session.userId, { lastSeenAt: now })
    },
    async closeSession(hash) {
      sessions.delete(hash)
    },
    async sessions(userId, now) {
      const own = [...sessions.values()].filter((one) => one.userId === userId && one.endsAt > now)
      const sorted = own.sort((a, b) => a.createdAt - b.createdAt || (a.hash < b.hash ? -1 : 1))
      return sorted.map(({ hash, createdAt, endsAt, origin }) => ({ hash, createdAt, endsAt, origin }))
    },
    async closeOtherSessions(userId, exceptHash) {
      for (const [hash, session] of sessions) {
        if (session.userId === userId && hash !== exceptHash) sessions.delete(hash)
      }
    },

    async addApiToken(token, now) {
      const added: ApiToken = {
        ...token,
        id: nextTokenId(),
        createdAt: now,
        lastUsedAt: null,
        lastOrigin: NO_ORIGIN,
      }
      tokens.set(added.id, added)
      return added
    },
    apiTokens: async (userId) => [...tokens.values()].filter((token) => token.userId === userId),
    async apiTokenUser(hash) {
      const token = [...tokens.values()].find((one) => one.hash === hash)
      const user = token === undefined ? undefined : users.get(token.userId)
      return token === undefined || user === undefined ? null : { user, token }
    },
    async noteTokenUse(id, now, lastOrigin) {
      const token = tokens.get(id)
      if (token !== undefined) tokens.set(id, { ...token, lastUsedAt: now, lastOrigin })
    },
    removeApiToken: async (userId, id) => tokens.get(id)?.userId === userId && tokens.delete(id),

    async removeOtherApiTokens(userId, exceptHash) {
      const others = [...tokens.values()].filter((token) => token.userId === userId && token.hash !== exceptHash)
      for (const { id } of others) tokens.delete(id)
      return others.length
    },

    queryFeedOwners: async () => new Map(owners),
    async setQueryFeedOwner(feedId, userId) {
      if (queries.feeds.has(feedId)) owners.set(feedId, userId)
      queries.revision += queries.step
    },
    sourceAdders: async () => new Map(world.adders),
  }
}

function addUser(accounts: Accounts, { invitation, ...fields }: NewUser, now: InstantMs, step: number): User | null {
  const isTaken = fields.role === 'owner' && [...accounts.users.values()].some(({ role }) => role === 'owner')
  if (isTaken) return null
  accounts.lastUserId += step
  const user: User = { ...fields, id: accounts.lastUserId, createdAt: now, lastSeenAt: null, wish: null }
  accounts.users.set(user.id, user)
  if (invitation !== null) accounts.invitations.set(invitation.hash, { userId: user.id, endsAt: invitation.endsAt })
  return user
}
