import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { addOne, newItem, record } from '../contract/store.fixture.ts'
import { type ApiNode, claim, cookieOf, openApiNode, PASSWORD } from './api-node.ts'

let node: ApiNode
let owner: string
let ann: string
let later = 0
const START = systemClock.now()

beforeAll(async () => {
  node = await openApiNode({
    flags: { smtpUrl: 'smtp://127.0.0.1:1' },
    // It stands still unless a test moves it: what may be tried again after some seconds must not be, on a slow machine.
    clock: { ...systemClock, now: () => START + later, monotonicMs: () => later },
  })
  owner = await claim(node)
  const { invitation } = (await node.ask('POST', '/api/users', { cookie: owner, body: { name: 'ann' } })).body
  const body = { invitation, password: PASSWORD }
  ann = cookieOf(await node.ask('POST', '/api/session/invitation', { body }))
  expect((await node.ask('POST', '/api/session/invitation', { body })).body.code).toBe('INVITATION_INVALID')
})
afterAll(() => node.close())

const apply = (cookie: string, text: string, more = {}) =>
  node.ask('POST', '/api/queries', { cookie, body: { text, ...more } })

describe('sessions', () => {
  it('live in a cookie that scripts and other sites do not see', async () => {
    const answer = await node.ask('POST', '/api/session', { body: { name: 'OWNER', password: PASSWORD } })
    const [session, device] = answer.headers['set-cookie'] as string[]
    expect(session).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$|HttpOnly.*SameSite=Lax/)
    expect(device).toMatch(/^headwater_device=.*; Path=\/api\/session; HttpOnly; SameSite=Strict$/)
    expect(answer.text).not.toContain(cookieOf(answer).split('=')[1])
    const { token } = (await node.ask('POST', '/api/tokens', { cookie: owner, body: { scope: 'read' } })).body
    expect(token).not.toHaveProperty('hash')
  })

  it('end with log-out, and a month after their last use', async () => {
    const cookie = cookieOf(await node.ask('POST', '/api/session', { body: { name: 'ann', password: PASSWORD } }))
    const isKnown = async () => (await node.ask('GET', '/api/session', { cookie })).body.user !== null
    for (let days = 20; days <= 60; days += 20) {
      later = days * DAY_MS
      expect(await isKnown()).toBe(true)
    }
    later = 91 * DAY_MS
    expect(await isKnown()).toBe(false)
    later = 0
    const other = cookieOf(await node.ask('POST', '/api/session', { body: { name: 'ann', password: PASSWORD } }))
    await node.ask('DELETE', '/api/session', { cookie: other })
    expect((await node.ask('GET', '/api/sources', { cookie: other })).status).toBe(401)
  })

  it('are not to be had by guessing', async () => {
    const codes = new Set<string>()
    for (let attempt = 0; attempt < 12; attempt++) {
      const body = { name: attempt % 2 === 0 ? 'owner' : 'nobody', password: `guess ${attempt}` }
      codes.add((await node.ask('POST', '/api/session', { body, remoteAddress: '192.0.2.7' })).body.code)
    }
    expect([...codes]).toEqual(['LOGIN_FAILED', 'TOO_MANY_ATTEMPTS'])
  })

  it('are had with the right password by a browser that was here before, whatever strangers do', async () => {
    const known = await node.ask('POST', '/api/session', { body: { name: 'ann', password: PASSWORD } })
    const device = (known.headers['set-cookie'] as string[])[1]!.split(';')[0]!
    const logIn = (address: string, password: string, cookie?: string) =>
      node.ask('POST', '/api/session', { body: { name: 'Ann', password }, remoteAddress: address, cookie })
    const guesses = await Promise.all(
      Array.from({ length: 16 }, (_, index) => logIn(`198.51.100.${index % 10}`, `guess ${index}`)),
    )
    for (const guess of guesses) {
      if (guess.status === 401) continue
      expect([429, 503]).toContain(guess.status)
      expect(Number(guess.headers['retry-after'])).toBeGreaterThan(0)
    }
    // The rest of what all strangers together have.
    for (let index = 0; index < 20; index++) await logIn(`203.0.113.${index}`, 'guess')
    expect((await logIn('203.0.113.99', PASSWORD)).status).toBe(429)
    expect((await logIn('203.0.113.98', PASSWORD, 'headwater_device=1.forged')).status).toBe(429)
    expect((await logIn('203.0.113.99', PASSWORD, device)).status).toBe(200)
    const other = await node.ask('POST', '/api/session', {
      body: { name: 'owner', password: 'guess' },
      remoteAddress: '203.0.113.99',
      cookie: device,
    })
    expect(other.body.code).toBe('LOGIN_FAILED')
  })

  it('never show whether a token may do more than its maker', async () => {
    const answer = await node.ask('POST', '/api/tokens', { cookie: ann, body: { scope: 'admin' } })
    expect(answer.body.code).toBe('RIGHT_MISSING')
    const { secret } = (await node.ask('POST', '/api/tokens', { cookie: owner, body: { scope: 'write' } })).body
    const more = await node.ask('POST', '/api/tokens', { token: secret, body: { scope: 'admin' } })
    expect(more.body.code).toBe('RIGHT_MISSING')
    expect((await node.ask('GET', '/api/users', { token: secret })).status).toBe(403)
  })
})

describe('users', () => {
  it('have query feeds of their own, which others neither change nor see when private', async () => {
    const { store } = node.data
    await addOne(store, 'http://a.example/', { name: 'alpha' })
    expect((await apply(ann, 'CREATE FEED hers AS RETURN alpha;')).status).toBe(200)
    expect((await apply(owner, 'CREATE FEED his AS RETURN alpha;')).status).toBe(200)
    for (const text of ['ALTER FEED his TITLE "mine";', 'DROP FEED his;', 'CREATE FEED his AS RETURN ALL;']) {
      expect([text, (await apply(ann, text, { replace: true })).body.code]).toEqual([text, 'RIGHT_MISSING'])
    }
    for (const text of [
      'ALTER FEED alpha WEIGHT 9;',
      'REGISTER FEED "http://a.example/" AS beta;',
      'DROP FEED alpha;',
    ]) {
      expect([text, (await apply(ann, text)).body.code]).toEqual([text, 'RIGHT_MISSING'])
    }
    expect((await node.ask('DELETE', '/api/queries/his', { cookie: ann })).body.code).toBe('RIGHT_MISSING')
    await node.ask('PATCH', '/api/queries/his', { cookie: owner, body: { isPrivate: true } })
    const weighed = await node.ask('PATCH', '/api/queries/his', { cookie: owner, body: { weight: 3 } })
    expect(weighed.body).toMatchObject({ isPrivate: true, weight: 3 })
    const names = async (cookie: string) =>
      (await node.ask('GET', '/api/queries', { cookie })).body.feeds.map(({ name }: { name: string }) => name)
    expect(await names(ann)).toEqual(['hers'])
    expect(await names(owner)).toEqual(['hers', 'his'])
    expect((await node.ask('GET', '/api/queries/his', { cookie: ann })).body.code).toBe('QUERY_NOT_FOUND')
    expect((await node.ask('GET', '/api/items?feed=his', { cookie: ann })).body.code).toBe('QUERY_NOT_FOUND')
    expect((await node.ask('GET', '/api/queries/graph', { cookie: ann })).text).not.toContain('his')
    const subscribed = { feed: 'hers', output: { kind: 'mail', address: 'a@b.example' } }
    const { subscription } = (await node.ask('POST', '/api/subscriptions', { cookie: ann, body: subscribed })).body
    expect((await node.ask('GET', '/api/subscriptions', { cookie: ann })).body.subscriptions).toHaveLength(1)
    await apply(owner, 'SUBSCRIBE TO his OUTPUT MAIL "o@b.example";')
    expect((await node.ask('DELETE', `/api/subscriptions/${subscription.id + 1}`, { cookie: ann })).status).toBe(404)
  })

  it('read a private feed with a session or token of its owner, and with no other', async () => {
    await node.ask('PATCH', '/api/queries/hers', { cookie: ann, body: { isPrivate: true } })
    const hers = (await node.ask('POST', '/api/tokens', { cookie: ann, body: { scope: 'feed', feed: 'hers' } })).body
      .secret
    const status = async (path: string, options = {}) => (await node.ask('GET', path, options)).status
    expect(await status('/feeds/hers.rss')).toBe(401)
    expect(await status(`/feeds/hers.rss?token=${hers}`)).toBe(200)
    expect(await status('/feeds/hers.rss', { cookie: ann })).toBe(200)
    expect(await status(`/feeds/his.rss?token=${hers}`)).toBe(401)
    expect(await status('/feeds/his.rss', { cookie: ann })).toBe(401)
    expect(await status('/feeds/hers.rss', { cookie: owner })).toBe(200)
    expect(await status('/api/items', { token: hers })).toBe(403)
  })

  it('have read, starred and trust for themselves, in pages of what is asked for', async () => {
    const { store } = node.data
    const source = await addOne(store, 'http://b.example/', { categories: ['B'] })
    const titles = Array.from({ length: 7 }, (_, index) => `Item ${index}`)
    const newItems = titles.map((title, index) => newItem(title, { sortAt: index }))
    await store.recordRefresh(record(source, { newItems }))
    const page = async (search: string, cookie = ann) => {
      const { items, next } = (await node.ask('GET', `/api/items?${search}`, { cookie })).body
      return {
        titles: items.map(({ title }: { title: string }) => title),
        seqs: items.map((i: { seq: number }) => i.seq),
        next,
      }
    }
    const all: string[] = []
    for (let cursor = ''; ; ) {
      const { titles, next } = await page(`category=B&limit=3${cursor}`)
      all.push(...titles)
      if (next === null) break
      cursor = `&cursor=${next}`
    }
    expect(all).toEqual([...titles].reverse())
    const { seqs } = await page('category=B')
    const mark = (body: object, cookie = ann) => node.ask('POST', '/api/items/mark', { cookie, body })
    await mark({ seqs: [seqs[0], seqs[2]], isRead: true })
    await mark({ seqs: [seqs[1], seqs[4]], isStarred: true })
    expect((await page('category=B&unread=true')).titles).toEqual(['Item 5', 'Item 3', 'Item 2', 'Item 1', 'Item 0'])
    const first = await page('category=B&unread=true&limit=2')
    expect((await page(`category=B&unread=true&limit=2&cursor=${first.next}`)).titles).toEqual(['Item 2', 'Item 1'])
    expect((await page('category=B&starred=true')).titles).toEqual(['Item 5', 'Item 2'])
    expect((await page('category=C&starred=true')).titles).toEqual([])
    expect((await page('starred=true&text=5')).titles).toEqual(['Item 5'])
    expect((await page('category=B&unread=true', owner)).titles).toHaveLength(7)
    await node.ask('POST', '/api/items/mark-all-read', { cookie: ann, body: { sourceId: source.id } })
    expect((await page('category=B&unread=true')).titles).toEqual([])
    await node.ask('PUT', `/api/sources/${source.id}/trust`, { cookie: ann, body: { trust: 0 } })
    const trust = async (cookie: string) => (await node.ask('GET', `/api/sources/${source.id}`, { cookie })).body.trust
    expect([await trust(ann), await trust(owner)]).toEqual([0, 1])
    expect((await node.ask('GET', '/api/items?cursor=nonsense', { cookie: ann })).body.code).toBe('REQUEST_INVALID')
  })

  it('cannot make the node ask through a proxy of theirs', async () => {
    const body = { url: 'http://c.example/', discover: false, proxyUrl: 'http://127.0.0.1:1' }
    expect((await node.ask('POST', '/api/sources', { cookie: ann, body })).body.code).toBe('RIGHT_MISSING')
  })
})
