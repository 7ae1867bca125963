import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { HOUR_MS } from '../../src/model/index.ts'
import { packHubKeys } from '../../src/publisher/hub/hub-keys.ts'
import { createHubClient } from '../../src/push/ask-hub.ts'
import { PushSubscriber } from '../../src/push/subscriber.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { randomSecret, seededRandom } from '../../src/runtime/random.ts'
import { onNode } from '../settings/one-node.ts'
import { eventually } from '../support/patience.ts'
import { onSubscriberStage } from './subscriber-stage.ts'

const HANGS = '127.0.7.1'
const WORKS = '127.0.7.2'
/** Nothing of what hangs ends by itself while a test waits. */
const TIMEOUT_MS = HOUR_MS
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** On an address of its own: a site, as others are. */
async function startAt(host: string, isAnswering: boolean) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (isAnswering) response.writeHead(202).end()
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { asked, url: (path: string) => `http://${host}:${port}${path}` }
}

it.each([
  ['one address', 1],
  ['an address for each source', 120],
])('a site whose hubs hang, at %s, keeps nobody from subscribing elsewhere', async (_, ports) => {
  const hanging = await Promise.all(Array.from({ length: ports }, () => startAt(HANGS, false)))
  const works = await startAt(WORKS, true)
  // More than are looked through at a time.
  const hubs = [...Array.from({ length: 120 }, (_none, n) => hanging[n % ports]?.url(`/${n}`) ?? ''), works.url('/hub')]
  await onNode({ push: false }, async ({ node: { data } }) => {
    const urls = hubs.map((_hub, n) => `http://127.0.0.1:9/${n}`)
    const added = await data.store.addSources(
      urls.map((url) => ({ ...withSourceDefaults({ url }), paused: true })),
      0,
    )
    for (const [n, { source }] of added.entries()) {
      const push = { sourceId: source.id, kind: 'websub', hub: hubs[n] ?? '', topic: urls[n] ?? '' } as const
      await data.store.savePush({ ...push, key: randomSecret(), secret: randomSecret(), nextAt: n }, 0)
    }
    const client = createHubClient({
      clock: systemClock,
      allowRanges: ['loopback'],
      userAgent: 'test',
      timeoutMs: TIMEOUT_MS,
    })
    const subscriber = new PushSubscriber({
      store: data.store,
      client,
      listener: { follow: () => {}, unfollow: () => {} },
      baseUrl: 'http://127.0.0.1:9',
      part: () => undefined,
      clock: systemClock,
      random: seededRandom(1),
    })
    const end = new AbortController()
    const running = subscriber.run(end.signal)
    expect(await eventually(() => works.asked.length === 1)).toBe(true)
    end.abort()
    await running
    await client.close()
    const asked = hanging.flatMap((one) => one.asked)
    expect(asked.length).toBeLessThanOrEqual(2)
  })
})

it('a site whose callbacks hang, however many ports it has, keeps nobody from getting messages', () =>
  onSubscriberStage(
    async ({ node, feed, publish }) => {
      const hanging = await Promise.all(Array.from({ length: 10 }, () => startAt(HANGS, false)))
      const works = await startAt(WORKS, true)
      const now = systemClock.now()
      const secret = packHubKeys({ secret: null, token: null })
      const subscribe = (url: string) =>
        node.data.store.saveHubSubscription(
          {
            feedId: feed.id,
            output: { kind: 'websub', url, format: 'rss' },
            secret,
            leaseEndsAt: now + HOUR_MS,
          },
          now,
        )
      for (const one of hanging) {
        for (let n = 0; n < 4; n++) await subscribe(one.url(`/cb/${n}`))
      }
      await subscribe(works.url('/cb'))
      await publish('second')
      expect(await eventually(() => works.asked.length === 1)).toBe(true)
      expect(hanging.flatMap((one) => one.asked).length).toBeLessThanOrEqual(4)
    },
    { webhookTimeout: '1h' },
  ))
