import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deliveriesFor, feedServiceFor } from '../../src/app/publishing/publishing.ts'
import { vapidKeys } from '../../src/app/publishing/web-push.ts'
import { createAccessReader } from '../../src/app/users/access.ts'
import type { QueryFeed, Source } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { type ApiNode, claim, openApiNode } from '../api/api-node.ts'
import { eventually } from '../support/patience.ts'
import { addPerson } from '../support/people.ts'
import { addSource } from '../support/publishing.ts'
import { type PushBrowser, readVapid, startPushBrowser } from '../support/push-browser.ts'
import { publishItems } from '../support/query-publishing.ts'

let node: ApiNode
let owner: string
let browser: PushBrowser
let feed: QueryFeed
let source: Source
let stop: (() => Promise<void>) | null

beforeEach(async () => {
  node = await openApiNode({ flags: { contact: 'me@example.org', memberSubscriptions: 1 } })
  owner = await claim(node)
  browser = await startPushBrowser()
  const { store } = node.data
  const text = 'CREATE FEED ice TITLE "All of the ice" AS RETURN ALL;'
  await node.ask('POST', '/api/queries', { cookie: owner, body: { text } })
  feed = (await store.queryFeed('ice'))!
  source = await addSource(store, 'https://a.example/feed')
  stop = null
})

afterEach(async () => {
  await stop?.()
  await browser.close()
  await node.close()
})

const output = (path = '/push/1', keys = browser.keys) => ({
  kind: 'webpush',
  endpoint: browser.server.url(path),
  keys,
})

const subscribe = (what: object, cookie = owner) =>
  node.ask('POST', '/api/subscriptions', { cookie, body: { feed: 'ice', output: what } })

const listed = async () => (await node.ask('GET', '/api/subscriptions', { cookie: owner })).body.subscriptions

const publish = (title: string) =>
  publishItems(node.data.store, feed, source.id, [{ title, summary: '<p>Cold</p>' }], { at: systemClock.now() })

/** As the publisher of a node runs them. */
async function startDeliveries(): Promise<void> {
  const { data, config } = node
  const feeds = feedServiceFor(config, data, systemClock, 'http://node.example')
  const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
  const access = createAccessReader(data.store)
  const deliveries = deliveriesFor(config, data, feeds, access, environment, await vapidKeys(data))
  const stopping = new AbortController()
  const running = deliveries.own.run(stopping.signal)
  stop = async () => {
    stopping.abort()
    await running
    await deliveries.close()
  }
}

describe('notifications in a browser', () => {
  it('are subscribed to by the API, encrypted for the browser, and signed by the node that it subscribed to', async () => {
    const { key } = (await node.ask('GET', '/api/push-key', { cookie: owner })).body
    const answer = await subscribe(output())
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ secret: null, subscription: { output: { kind: 'webpush' } } })
    expect(answer.text).not.toContain(browser.keys.auth)
    const [seq] = await publish('A floe')
    await startDeliveries()
    expect(await eventually(async () => browser.notices.length === 1)).toBe(true)
    expect(browser.notices[0]).toMatchObject({
      title: 'A floe',
      body: 'All of the ice: Cold',
      path: `/read?feed=ice&item=${seq}`,
    })
    const [{ path, headers, body }] = browser.pushed as [(typeof browser.pushed)[0]]
    expect([path, headers['content-encoding'], headers['ttl']]).toEqual(['/push/1', 'aes128gcm', '86400'])
    expect(body.includes('floe')).toBe(false)
    const { exp, ...claims } = readVapid(String(headers['authorization']))
    expect(claims).toEqual({ aud: browser.server.url('').replace(/\/$/, ''), sub: 'mailto:me@example.org', key })
    expect(exp * 1_000).toBeLessThan(systemClock.now() + 86_400_000)
  })

  it('come as often as the push service fails, and end when it says that the browser is gone', async () => {
    for (const status of [410, 404]) {
      browser.answer(503)
      await subscribe(output(`/push/${status}`))
      await publish('A floe')
      if (stop === null) await startDeliveries()
      expect(await eventually(async () => (await listed())[0]?.failureCount >= 1)).toBe(true)
      browser.answer(status)
      await node.data.store.recordDelivery((await listed())[0].id, {
        kind: 'failed',
        error: 'x',
        nextAttemptAt: systemClock.now(),
      })
      expect(await eventually(async () => (await listed()).length === 0)).toBe(true)
    }
    expect(browser.notices).toEqual([])
  })

  it('stay where the push service refuses for another reason', async () => {
    browser.answer(403)
    await subscribe(output())
    await publish('A floe')
    await startDeliveries()
    expect(await eventually(async () => (await listed())[0]?.failureCount >= 1)).toBe(true)
    expect((await listed())[0].lastError).toBe('HTTP_UNEXPECTED: status 403')
  })

  it('are refused to keys that are none, addresses that may not be reached, and plain HTTP beyond this machine', async () => {
    const keys = { ...browser.keys, p256dh: `${browser.keys.p256dh.slice(0, -2)}AA` }
    const wrong = [
      [output('/push', keys), 'USAGE'],
      [output('/push', { ...browser.keys, auth: 'short' }), 'REQUEST_INVALID'],
      [{ ...output(), endpoint: 'https://10.0.0.1/push' }, 'FETCH_ADDRESS_REFUSED'],
      [{ ...output(), endpoint: 'http://push.example/' }, 'FETCH_BAD_URL'],
      [{ ...output(), endpoint: 'ftp://push.example/' }, 'REQUEST_INVALID'],
      [{ ...output(), keys: undefined }, 'REQUEST_INVALID'],
    ] as const
    for (const [what, code] of wrong) {
      const answer = await subscribe(what)
      expect([Math.floor(answer.status / 100), answer.body.code]).toEqual([4, code])
    }
    expect(await listed()).toEqual([])
  })

  it('count among the subscriptions that a member may have, are for feeds of their own, and of no one else', async () => {
    const { cookie } = await addPerson(node.data.store, 'ann', 'member', systemClock.now())
    const foreign = await subscribe(output(), cookie)
    expect([foreign.status, foreign.body.code]).toEqual([403, 'RIGHT_MISSING'])
    const text = 'CREATE FEED snow AS RETURN ALL;'
    await node.ask('POST', '/api/queries', { cookie, body: { text } })
    const make = (path: string) =>
      node.ask('POST', '/api/subscriptions', { cookie, body: { feed: 'snow', output: output(path) } })
    // The same browser twice is one subscription.
    expect([(await make('/1')).status, (await make('/1')).status]).toEqual([201, 201])
    const more = await make('/2')
    expect([more.status, more.body.code]).toEqual([409, 'LIMIT_REACHED'])
    await subscribe(output('/of-the-owner'))
    const { text: shown } = await node.ask('GET', '/api/subscriptions', { cookie })
    expect(shown).toContain(browser.server.url('/1'))
    expect(shown).not.toContain('of-the-owner')
  })

  it('leave no key in the database that can be read without the key of the node', async () => {
    await subscribe(output())
    const files = ['headwater.db', 'headwater.db-wal']
    const bytes = Buffer.concat(
      files.flatMap((name) => {
        try {
          return [readFileSync(join(node.config.dataDir, name))]
        } catch {
          return []
        }
      }),
    )
    expect(bytes.includes('webpush')).toBe(true)
    expect(bytes.includes(browser.keys.auth)).toBe(false)
    expect(bytes.includes(browser.keys.p256dh)).toBe(false)
  })
})
