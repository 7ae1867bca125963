import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_OPERATIONS } from '../../src/api/operations/index.ts'
import { auditAction } from '../../src/api/operations/operation.ts'
import { AUDIT_ACTIONS, MINUTE_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { addOne } from '../contract/store.fixture.ts'
import { addPerson, type TestUser } from '../support/people.ts'
import { type ApiNode, claim, openApiNode, PASSWORD } from './api-node.ts'

let node: ApiNode
let owner: string
let ann: TestUser
let bob: TestUser
// Stands still, so that what is counted by the minute is so on a busy machine too.
const now = Math.floor(systemClock.now() / MINUTE_MS) * MINUTE_MS

beforeAll(async () => {
  node = await openApiNode({ clock: { ...systemClock, now: () => now } })
  owner = await claim(node)
  ann = await addPerson(node.data.store, 'ann', 'member', now)
  bob = await addPerson(node.data.store, 'bob', 'member', now)
})
afterAll(() => node.close())

interface Entry {
  readonly id: number
  readonly userName: string
  readonly action: string
  readonly subject: string
  readonly count: number
}

const read = async (cookie: string, rest = '') =>
  (await node.ask('GET', `/api/audit${rest}`, { cookie })).body as { entries: Entry[]; next: string | null }
const short = ({ userName, action, subject }: Entry) => [userName, action, subject].filter(Boolean).join(' ')

it('every operation that changes something is written down, or is listed here', () => {
  const changing = ALL_OPERATIONS.filter(({ method, audit }) => method !== 'GET' && audit === null)
  expect(changing.map(({ id }) => id).sort()).toEqual(UNWRITTEN)
  expect(ALL_OPERATIONS.filter(({ method, audit }) => method === 'GET' && audit !== null).map(({ id }) => id)).toEqual([
    'backup',
  ])
  expect(auditAction.options).toEqual([...AUDIT_ACTIONS])
})

/** They ask, add, or mark for oneself; sources and their folders show what they are. */
const UNWRITTEN = [
  'addRule',
  'addSource',
  'checkQueries',
  'checkSettings',
  'discoverSource',
  'fetchPageAgain',
  'follow',
  'importOpml',
  'markAllRead',
  'markItems',
  'previewListing',
  'previewQueries',
  'refreshSource',
  'removeRule',
  'renameCategory',
  'requeueDeadLetters',
  'runLab',
  'setLetters',
  'setSource',
  'setWish',
  'subscribe',
  'suggestListings',
  'trustSource',
  'trySiteRule',
  'unfollow',
]

it('records what was done, by whom and to what, without secrets', async () => {
  const ask = async (method: string, path: string, cookie: string, body?: unknown) => {
    const answer = await node.ask(method, path, { cookie, ...(body === undefined ? {} : { body }) })
    expect([method, path, answer.status < 300]).toEqual([method, path, true])
    return answer
  }
  const { secret, token } = (await ask('POST', '/api/tokens', ann.cookie, { scope: 'read', label: 'phone' })).body
  await ask('DELETE', `/api/tokens/${token.id}`, ann.cookie)
  await ask('DELETE', '/api/tokens', ann.cookie)
  await ask('POST', '/api/queries', ann.cookie, { text: 'CREATE FEED a AS RETURN ALL; CREATE FEED b AS RETURN ALL' })
  await ask('PATCH', '/api/queries/a', ann.cookie, { isPrivate: true })
  const opened = (await ask('POST', '/api/queries/a/tokens', ann.cookie, {})).body
  await ask('DELETE', `/api/queries/a/tokens/${opened.id}`, ann.cookie)
  await ask('DELETE', '/api/queries/a', ann.cookie)
  await ask('POST', '/api/queries', ann.cookie, { text: 'DROP FEED b' })
  await ask('DELETE', '/api/sessions', ann.cookie)
  const url = 'http://user:pass@127.0.0.1:9/feed?key=hush'
  const source = await addOne(node.data.store, url, { name: 'News' })
  await ask('DELETE', `/api/sources/${source.id}`, owner)
  await ask('PUT', '/api/feeds/access', owner, { feed: '/feeds/all', isPrivate: true })
  await ask('PATCH', '/api/settings', owner, { userAgent: 'hush-agent' })
  await ask('GET', '/api/backup', owner)
  const { user, invitation } = (await ask('POST', '/api/users', owner, { name: 'eve' })).body
  const eve = await node.ask('POST', '/api/session/invitation', { body: { invitation, password: PASSWORD } })
  expect(eve.status).toBe(201)
  await ask('DELETE', `/api/users/${user.id}`, owner)
  // What is refused was not done.
  expect((await node.ask('DELETE', '/api/users/1', { cookie: ann.cookie })).status).toBe(403)
  expect((await node.ask('DELETE', '/api/tokens/999', { cookie: ann.cookie })).status).toBe(404)

  const { entries } = await read(owner)
  expect(entries.map(short).reverse()).toEqual([
    'owner user-added owner',
    'owner log-in',
    `ann token-made token ${token.id}, read, phone`,
    `ann token-revoked token ${token.id}`,
    'ann token-revoked all others: 0',
    'ann feed-access-changed private: a',
    `ann token-made token ${opened.id} of feed a`,
    `ann token-revoked token ${opened.id} of feed a`,
    'ann feed-dropped a',
    'ann feed-dropped b',
    'ann sessions-ended all others',
    `owner source-removed source ${source.id}, News`,
    'owner feed-access-changed private: /feeds/all',
    'owner settings-changed userAgent',
    'owner backup',
    'owner user-added eve',
    'eve password-changed invitation',
    'eve log-in',
    'owner user-removed eve',
  ])
  const text = JSON.stringify(entries)
  for (const hidden of [secret, opened.secret, invitation, PASSWORD, 'hush', 'pass@'])
    expect(text).not.toContain(hidden)
})

it('shows members only their own entries, page by page', async () => {
  expect((await read(bob.cookie)).entries).toEqual([])
  const own = (await read(ann.cookie)).entries
  expect(new Set(own.map(({ userName }) => userName))).toEqual(new Set(['ann']))
  const pages: Entry[] = []
  let rest = '?limit=4'
  for (;;) {
    const { entries, next } = await read(ann.cookie, rest)
    pages.push(...entries)
    if (next === null) break
    rest = `?limit=4&cursor=${next}`
  }
  expect(pages).toEqual(own)
  // A place in the list of another opens nothing.
  const { next } = await read(owner, '?limit=1')
  const entries = (await read(bob.cookie, `?cursor=${next}`)).entries
  expect(entries).toEqual([])
  const readOnly = (await node.ask('POST', '/api/tokens', { cookie: owner, body: { scope: 'read' } })).body.secret
  const few = (await node.ask('GET', '/api/audit', { token: readOnly })).body.entries as Entry[]
  expect(new Set(few.map(({ userName }) => userName))).toEqual(new Set(['owner']))
  const feedToken = (await node.ask('POST', '/api/tokens', { cookie: owner, body: { scope: 'feed' } })).body.secret
  expect((await node.ask('GET', '/api/audit', { token: feedToken })).status).toBeGreaterThanOrEqual(401)
})

it('counts wrong passwords per account and minute, and keeps no name that nobody has', async () => {
  const fail = async (name: string, remoteAddress: string) => {
    const answer = await node.ask('POST', '/api/session', { body: { name, password: 'wrong wrong' }, remoteAddress })
    expect(answer.body.code).toBe('LOGIN_FAILED')
  }
  for (const host of [1, 2]) await fail('Bob', `192.0.2.${host}`)
  for (const host of [1, 2]) await fail(`my-secret-${host}`, `198.51.100.${host}`)
  const { entries } = await read(owner, '?limit=2')
  expect(entries).toMatchObject([
    {
      userId: null,
      userName: '',
      action: 'log-in-failed',
      subject: 'no such account',
      count: 2,
      address: '198.51.100.2',
    },
    { userId: bob.user.id, userName: 'bob', action: 'log-in-failed', count: 2, address: '192.0.2.2' },
  ])
  expect((await read(bob.cookie)).entries.map(({ action, count }) => [action, count])).toEqual([['log-in-failed', 2]])
  expect(JSON.stringify((await read(owner)).entries)).not.toContain('my-secret')
})

it('writes down that a session ended, and not that none did', async () => {
  expect((await node.ask('DELETE', '/api/session', { cookie: bob.cookie })).status).toBe(204)
  expect((await node.ask('DELETE', '/api/session', { cookie: bob.cookie })).status).toBe(204)
  const { entries } = await read(owner, '?limit=2')
  expect(entries.map(short)).toEqual(['bob log-out', 'log-in-failed no such account'])
})
