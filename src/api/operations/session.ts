import { z } from 'zod'
import { type AuditRecord, operation } from './operation.ts'
import { byId, id, instant, instantOrNull } from './shared.ts'
import { chosenWish, shownWish } from './wish.ts'

const role = z.enum(['owner', 'member'])
const password = z.string().min(10).max(1_000)
const userName = z
  .string()
  .trim()
  .max(64)
  .regex(/^[\p{L}\p{N}._@-]{1,64}$/u, 'letters, digits, . _ @ -, at most 64')

const user = z.object({
  id: z.int(),
  name: z.string(),
  role,
  createdAt: instant,
  lastSeenAt: instantOrNull,
  /** Invited, but has not chosen a password yet. */
  isInvited: z.boolean(),
})

export const me = z.object({
  user: z.object({ id: z.int(), name: z.string(), role }).nullable(),
  rights: z.array(z.enum(['read', 'write', 'admin'])),
  /** Nobody owns the node yet: POST /api/session/owner. */
  needsOwner: z.boolean(),
  version: z.string(),
  /** Where readers reach the published feeds. */
  baseUrl: z.string(),
})

/** Of the last use, to within some minutes. */
const origin = {
  /** The program, in short words: `Firefox on Linux`; null: it did not say. */
  client: z.string().nullable(),
  address: z.string().nullable(),
}

const TAG = 'Session'
const sessionId = z.string().min(1).max(64)
const session = z.object({
  id: sessionId,
  createdAt: instant,
  /** To within some minutes. */
  lastUsedAt: instant,
  endsAt: instant,
  ...origin,
  /** The one that asks. */
  isThis: z.boolean(),
})
const credentials = z.strictObject({ name: userName, password: z.string().max(1_000) })

/** Of someone who was nobody before. */
const auditRecords = (action: AuditRecord['action'], by: z.input<typeof me>['user'], subject = ''): AuditRecord[] =>
  by === null ? [] : [{ action, subject, by }]

export const sessionOperations = {
  me: operation('me', TAG, {
    method: 'GET',
    path: '/api/session',
    right: 'public',
    summary: 'Who is asking, with which rights; whether the node still waits for its owner',
    answer: me,
  }),
  claimNode: operation('claimNode', TAG, {
    method: 'POST',
    path: '/api/session/owner',
    right: 'public',
    summary:
      'First start: become the owner. Answered once only, and from the machine itself unless configured otherwise',
    body: z.strictObject({ name: userName.default('owner'), password }),
    answer: me,
    status: 201,
    audit: (_heard, { user }) => [
      ...auditRecords('user-added', user, user?.name ?? ''),
      ...auditRecords('log-in', user),
    ],
  }),
  logIn: operation('logIn', TAG, {
    method: 'POST',
    path: '/api/session',
    right: 'public',
    summary: 'Log in; sets the session cookie. A few attempts a minute',
    body: credentials,
    answer: me,
    audit: (_heard, { user }) => auditRecords('log-in', user),
  }),
  logOut: operation('logOut', TAG, {
    method: 'DELETE',
    path: '/api/session',
    right: 'public',
    summary: 'Log out: the session ends at once',
    audit: ({ hasSession }) => (hasSession ? [{ action: 'log-out', subject: '' }] : []),
  }),
  changePassword: operation('changePassword', TAG, {
    method: 'PUT',
    path: '/api/session/password',
    right: 'write',
    summary: 'Change your own password; your other sessions end',
    body: z.strictObject({ current: z.string().max(1_000), password }),
    audit: () => [{ action: 'password-changed', subject: '' }],
  }),
  showWish: operation('showWish', TAG, {
    method: 'GET',
    path: '/api/wish',
    right: 'read',
    summary: 'Which quality the asking user wishes for, and what that takes of the budget',
    answer: z.object({ wish: shownWish.nullable() }),
  }),
  setWish: operation('setWish', TAG, {
    method: 'PUT',
    path: '/api/wish',
    right: 'write',
    summary: 'Wish for a quality of all that one reads; null: for none',
    body: z.strictObject({ wish: chosenWish.nullable() }),
    answer: z.object({ wish: shownWish.nullable() }),
  }),
  listSessions: operation('listSessions', TAG, {
    method: 'GET',
    path: '/api/sessions',
    right: 'read',
    summary: 'The own sessions: when each began and was last used, from where and with what',
    answer: z.object({ sessions: z.array(session) }),
  }),
  endSession: operation('endSession', TAG, {
    method: 'DELETE',
    path: '/api/sessions/{id}',
    right: 'write',
    summary: 'End one of your own sessions, at once',
    params: z.object({ id: sessionId }),
    audit: ({ params }) => [{ action: 'sessions-ended', subject: params.id }],
  }),
  endOtherSessions: operation('endOtherSessions', TAG, {
    method: 'DELETE',
    path: '/api/sessions',
    right: 'write',
    summary: 'End all own sessions but that of this request; with a token, all of them',
    audit: () => [{ action: 'sessions-ended', subject: 'all others' }],
  }),
  acceptInvitation: operation('acceptInvitation', TAG, {
    method: 'POST',
    path: '/api/session/invitation',
    right: 'public',
    summary: 'Choose a password with the secret of an invitation, and log in',
    body: z.strictObject({ invitation: z.string().min(1).max(200), password }),
    answer: me,
    status: 201,
    audit: (_heard, { user }) => [
      ...auditRecords('password-changed', user, 'invitation'),
      ...auditRecords('log-in', user),
    ],
  }),
}

export const userOperations = {
  listUsers: operation('listUsers', 'Users', {
    method: 'GET',
    path: '/api/users',
    right: 'admin',
    summary: 'All users',
    answer: z.object({ users: z.array(user) }),
  }),
  inviteUser: operation('inviteUser', 'Users', {
    method: 'POST',
    path: '/api/users',
    right: 'admin',
    summary: 'Invite a user; the secret is shown once, and lasts a week',
    body: z.strictObject({ name: userName }),
    answer: z.object({ user, invitation: z.string(), url: z.string() }),
    status: 201,
    audit: ({ body }) => [{ action: 'user-added', subject: body.name }],
  }),
  removeUser: operation('removeUser', 'Users', {
    method: 'DELETE',
    path: '/api/users/{id}',
    right: 'admin',
    summary:
      'Remove a user with sessions, tokens, read state and trust; query feeds stay and become the owner’s, without tokens and subscriptions',
    params: byId,
    audit: ({ params }) => [{ action: 'user-removed', subject: `user ${params.id}` }],
  }),
}

const scope = z.enum(['read', 'write', 'admin', 'feed', 'app', 'fever'])
const token = z.object({
  id: z.int(),
  label: z.string().nullable(),
  scope,
  /** Of scope `feed`: the one private feed that it opens; null: all that the user may read. */
  feed: z.string().nullable(),
  createdAt: instant,
  lastUsedAt: instantOrNull,
  ...origin,
})

export const tokenOperations = {
  listTokens: operation('listTokens', 'Tokens', {
    method: 'GET',
    path: '/api/tokens',
    right: 'read',
    summary: 'The own tokens',
    answer: z.object({ tokens: z.array(token) }),
  }),
  addToken: operation('addToken', 'Tokens', {
    method: 'POST',
    path: '/api/tokens',
    right: 'write',
    summary:
      'Make a token, or a password for a reader app (scope app); it is shown once. It never has more rights than its maker',
    body: z.strictObject({
      label: z.string().trim().max(200).nullable().default(null),
      scope,
      feed: z.string().min(1).max(200).nullable().default(null),
    }),
    answer: z.object({ token, secret: z.string() }),
    status: 201,
    audit: ({ body }, { token: { id } }) => [
      { action: 'token-made', subject: [`token ${id}`, body.scope, body.feed, body.label].filter(Boolean).join(', ') },
    ],
  }),
  removeTokens: operation('removeTokens', 'Tokens', {
    method: 'DELETE',
    path: '/api/tokens',
    right: 'write',
    summary: 'Take all own tokens back, but the one that asks',
    answer: z.object({ removed: z.int() }),
    audit: (_heard, { removed }) => [{ action: 'token-revoked', subject: `all others: ${removed}` }],
  }),
  removeToken: operation('removeToken', 'Tokens', {
    method: 'DELETE',
    path: '/api/tokens/{id}',
    right: 'write',
    summary: 'Take a token back; who has it is shut out at once',
    params: z.object({ id }),
    audit: ({ params }) => [{ action: 'token-revoked', subject: `token ${params.id}` }],
  }),
}
