import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { secretHash } from '../../src/api/access/principal.ts'
import { ALL_OPERATIONS } from '../../src/api/operations/index.ts'
import type { Operation } from '../../src/api/operations/operation.ts'
import { addOne, newItem, record } from '../contract/store.fixture.ts'
import { anyOf, jsonOf } from './any-values.ts'
import { type ApiNode, claim, openApiNode } from './api-node.ts'

/** Every operation with values at, beyond and between its bounds: it answers, never with 500, and its work is bounded. */

const ITEMS = 4_000
const CALLS = 40
/** Of CPU time, of all threads. A password's hash takes a quarter of a second; nothing may take many times as long. */
const MOST_CPU_MS = 8_000
/** Never end, or end what the others need. */
const ELSEWHERE = new Set(['events', 'setSettings', 'logOut', 'restore'])

let node: ApiNode
let token: string

beforeAll(async () => {
  node = await openApiNode()
  await claim(node)
  await giveToken()
  const { store } = node.data
  const source = await addOne(store, 'http://127.0.0.1:1/feed', { name: 'alpha', categories: ['News'] })
  const newItems = Array.from({ length: ITEMS }, (_, index) =>
    newItem(`Item ${index} of ice`, { sortAt: index * 1_000 }),
  )
  await store.recordRefresh(record(source, { newItems }))
  await node.ask('POST', '/api/queries', { token, body: { text: 'CREATE FEED one AS RETURN ALL;', backFill: 'none' } })
})
afterAll(() => node.close())

/** Some operations take tokens back. */
beforeEach(giveToken)
let tokens = 0

async function giveToken(): Promise<void> {
  token = `hw_${++tokens}`
  const newToken = { userId: 1, label: null, scope: 'admin' as const, feed: null, hash: secretHash(token) }
  await node.data.store.addApiToken(newToken, 0)
}

/** What goes into an address as text. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function callsOf({ params, query, body, rawBody }: Operation) {
  return fc.record({
    params: fc.oneof(fc.constant(null), anyOf(jsonOf(params))),
    query: anyOf(jsonOf(query)),
    body:
      rawBody === null ? (body === null ? fc.constant(undefined) : anyOf(jsonOf(body))) : fc.string().map(Buffer.from),
  })
}

function addressOf({ path }: Operation, params: unknown, query: unknown): string {
  const values = (params ?? {}) as Readonly<Record<string, unknown>>
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(wellFormed(text(values[name] ?? (name === 'name' ? 'one' : 1)))),
  )
  const search = Object.entries((query ?? {}) as object).map(
    ([name, value]) => `${encodeURIComponent(wellFormed(name))}=${encodeURIComponent(wellFormed(text(value) ?? ''))}`,
  )
  return search.length === 0 ? filled : `${filled}?${search.join('&')}`
}

function wellFormed(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\ufffd')
}

describe('unknown values', () => {
  it('is refused by name, in address and body', async () => {
    for (const operation of ALL_OPERATIONS.filter(({ id }) => id !== 'events')) {
      const address = `${addressOf(operation, null, {})}?bogus=1`
      const answer = await node.ask(operation.method, address, {
        token,
        ...(operation.body === null ? {} : { body: {} }),
      })
      if (answer.status === 429) continue
      expect([operation.id, answer.status, answer.body?.code]).toEqual([operation.id, 400, 'REQUEST_INVALID'])
      expect(answer.body.errors.map(({ path }: { path: string }) => path)).toContain('query.bogus')
    }
    const body = { trust: 1, bogus: 2 }
    expect((await node.ask('PUT', '/api/sources/1/trust', { token, body })).body.errors).toEqual([
      { path: 'body.bogus', message: 'there is no such field', code: 'unrecognized_keys' },
    ])
    const needless = await node.ask('POST', '/api/sources/1/refresh', { token, body: { now: true } })
    expect([needless.status, needless.body.errors[0].path]).toEqual([400, 'body.now'])
  })

  it('is refused at the addresses of feeds and lists, but for what others add to them', async () => {
    const status = async (path: string) => (await node.ask('GET', path)).status
    for (const path of [
      '/feeds',
      '/feeds.json',
      '/feeds.opml',
      '/opml',
      '/metrics',
      '/api/docs',
      '/api/openapi.json',
    ]) {
      expect([path, await status(path), await status(`${path}?bogus=1`)]).toEqual([path, 200, 400])
    }
    for (const path of ['/feeds/all.rss', '/feeds/category/News.atom', '/feeds/one.json']) {
      expect([path, await status(path), await status(`${path}?bogus=1&_=2`)]).toEqual([path, 200, 400])
      expect([path, await status(`${path}?utm_source=mail&fbclid=x&_=1&token=hw_none`)]).toEqual([path, 200])
    }
    expect(await status('/feeds/all.rss?after=1')).toBe(400)
    expect((await node.ask('GET', '/feeds/one.rss?Bogus=1')).body.errors).toEqual([
      { path: 'query.Bogus', message: 'there is no such parameter' },
    ])
    // Also of what is not there: nothing is learnt from it.
    expect(await status('/feeds/none.rss?bogus=1')).toBe(400)
  })
})

describe('every operation, with any values', () => {
  for (const operation of ALL_OPERATIONS.filter(({ id }) => !ELSEWHERE.has(id))) {
    it(`${operation.id} answers, and its work is bounded`, async () => {
      const statuses = new Set<number>()
      await fc.assert(
        fc.asyncProperty(callsOf(operation), async ({ params, query, body }) => {
          const address = addressOf(operation, params, query)
          const before = process.cpuUsage()
          const answer = await node.ask(operation.method, address, { token, ...(body === undefined ? {} : { body }) })
          const { user, system } = process.cpuUsage(before)
          statuses.add(answer.status)
          // 501: the lab is not there.
          expect([address.slice(0, 200), answer.status, answer.status < 500 || answer.status > 500]).toEqual([
            address.slice(0, 200),
            answer.status,
            true,
          ])
          expect((user + system) / 1_000).toBeLessThan(MOST_CPU_MS)
        }),
        { numRuns: CALLS },
      )
      expect([...statuses]).not.toEqual([401])
    })
  }
})
