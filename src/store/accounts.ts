import type {
  ApiToken,
  ClientOrigin,
  InstantMs,
  QualityWish,
  QueryFeedId,
  SourceId,
  TokenScope,
  User,
  UserId,
  UserRole,
} from '../model/index.ts'

export interface NewUser {
  /** Unique whatever its capitals. */
  readonly name: string
  readonly role: UserRole
  readonly passwordHash: string | null
  /** Lets who knows the secret choose the password, until then. */
  readonly invitation: { readonly hash: string; readonly endsAt: InstantMs } | null
}

export interface NewApiToken {
  readonly userId: UserId
  readonly label: string | null
  readonly scope: TokenScope
  readonly feed: string | null
  readonly hash: string
}

export interface LogInSession {
  readonly hash: string
  readonly createdAt: InstantMs
  readonly endsAt: InstantMs
  /** Of its last use, to within some minutes. */
  readonly origin: ClientOrigin
}

export const NO_ORIGIN: ClientOrigin = { client: null, address: null }

export type NewSession = Pick<LogInSession, 'hash' | 'endsAt' | 'origin'> & { readonly userId: UserId }

/** Part of `Store`: who may use the node, and as whom. Secrets come as hashes only. */
export interface AccountStore {
  /** Ordered by id. */
  users(): Promise<readonly User[]>
  user(id: UserId): Promise<User | null>
  userNamed(name: string): Promise<User | null>
  /** null: the name is taken, or there is an owner already. */
  addUser(user: NewUser, now: InstantMs): Promise<User | null>
  setPassword(id: UserId, passwordHash: string): Promise<void>
  /** Gives the invited user a password, once; null: no such invitation, or it has ended. */
  acceptInvitation(hash: string, passwordHash: string, now: InstantMs): Promise<User | null>
  /** null: none any more. */
  setWish(id: UserId, wish: QualityWish | null): Promise<void>
  /** With sessions, tokens, marks and trust; query feeds stay and are nobody's. The owner stays: false. */
  removeUser(id: UserId): Promise<boolean>

  openSession(session: NewSession, now: InstantMs): Promise<void>
  /** Whose it is; null: none, or it has ended. */
  sessionUser(hash: string, now: InstantMs): Promise<{ readonly user: User; readonly endsAt: InstantMs } | null>
  /** Used now, from there: lasts until then. */
  prolongSession(hash: string, endsAt: InstantMs, now: InstantMs, origin: ClientOrigin): Promise<void>
  closeSession(hash: string): Promise<void>
  /** Those that have not ended, oldest first. */
  sessions(userId: UserId, now: InstantMs): Promise<readonly LogInSession[]>
  /** All of a user but this one. */
  closeOtherSessions(userId: UserId, exceptHash: string | null): Promise<void>

  addApiToken(token: NewApiToken, now: InstantMs): Promise<ApiToken>
  /** Ordered by id. */
  apiTokens(userId: UserId): Promise<readonly ApiToken[]>
  apiTokenUser(hash: string): Promise<{ readonly user: User; readonly token: ApiToken } | null>
  noteTokenUse(id: number, now: InstantMs, origin: ClientOrigin): Promise<void>
  removeApiToken(userId: UserId, id: number): Promise<boolean>
  /** All of a user but this one; how many there were. */
  removeOtherApiTokens(userId: UserId, exceptHash: string | null): Promise<number>

  /** Feeds that are missing are nobody's. */
  queryFeedOwners(): Promise<ReadonlyMap<QueryFeedId, UserId>>
  setQueryFeedOwner(feedId: QueryFeedId, userId: UserId): Promise<void>

  /** Who added each source; those that are missing were added by the operator, or by one who is gone. */
  sourceAdders(): Promise<ReadonlyMap<SourceId, UserId>>
}
