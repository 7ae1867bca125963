import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { QueryFeed, Source } from '../../src/model/index.ts'
import { type Channel, DELIVERY_DONE } from '../../src/publisher/channels/channel.ts'
import type { DeliveryPolicy } from '../../src/publisher/channels/delivery.ts'
import { createWebhookChannel } from '../../src/publisher/channels/webhook.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'
import { MOST_TEXT_CHARS } from '../../src/store/text-limit.ts'
import { deliveriesOver } from '../support/deliveries.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { first, present } from '../support/present.ts'
import { addSource } from '../support/publishing.ts'
import { publishItems, saveFeed, subscribeTo } from '../support/query-publishing.ts'
import { isSignedMessage } from '../support/signed-message.ts'

/** What a receiver does with a message: takes it, fails before or after taking it, or never answers. */
type Mood = 'take' | 'fail' | 'take and fail' | 'hang' | 'take and hang' | 'hang up' | 'refuse'

let folder: string
let store: Store
let source: Source
let feed: QueryFeed
let receiver: LocalServer
let mood: (id: string) => Mood
/** Every message that was taken, repetitions too. */
let deliveries: { readonly id: string; readonly title: string }[]
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-webhook-'))
  ;({ store } = await openSqliteStore({ path: join(folder, 'node.db'), clock: systemClock }))
  source = await addSource(store, 'https://a.example/feed')
  feed = await saveFeed(store, 'news')
  mood = () => 'take'
  deliveries = []
  receiver = await startServer(receive)
})

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await receiver.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = String(request.headers['webhook-id'])
  const now = mood(id)
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    return
  }
  const body = Buffer.concat(chunks).toString()
  if (!isSignedMessage(request.headers, body, 'whsec_c2VjcmV0', systemClock.now())) throw new Error('not signed')
  if (now.startsWith('take')) deliveries.push({ id, title: JSON.parse(body).item.title })
  if (now === 'hang up') request.socket.destroy()
  else if (!now.endsWith('hang')) response.writeHead(now === 'take' ? 204 : now === 'refuse' ? 422 : 503).end()
}

/** What a receiver has that looks at the id and takes nothing twice. */
const delivered = () => [...new Map(deliveries.map(({ id, title }) => [id, title])).values()]
const titles = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `t${from + i}`)
const publish = (from: number, to: number) =>
  publishItems(
    store,
    feed,
    source.id,
    titles(from, to).map((title) => ({ title })),
    { at: systemClock.now() },
  )

/** Answers that hang are given up soon; where each message is counted, a slow one must not be. */
const SOON_MS = 150

function startDeliveries(policy: Partial<DeliveryPolicy> = {}, timeoutMs = SOON_MS): () => Promise<void> {
  const stopping = new AbortController()
  const webhook: Channel = createWebhookChannel({
    clock: systemClock,
    allowRanges: ['loopback'],
    userAgent: 'test',
    timeoutMs,
  })
  const running = deliveriesOver(store, { webhook }, policy).run(stopping.signal)
  const stop = async () => {
    stopping.abort()
    await running
    await webhook.close()
  }
  stops.push(stop)
  return stop
}

async function until(condition: () => boolean | Promise<boolean>, limitMs = PATIENCE_MS): Promise<void> {
  const end = systemClock.now() + limitMs
  while (!(await condition())) {
    if (systemClock.now() > end) throw new Error('it did not happen in time')
    await systemClock.sleep(10)
  }
}

describe('a receiver', () => {
  it('of very long items gets each of them with its text', async () => {
    const content = 'word '.repeat(MOST_TEXT_CHARS / 5 + 1)
    const deliveries: [string | null, boolean][] = []
    const webhook: Channel = {
      mostItems: () => 10,
      async deliver({ items }) {
        for (const { item } of items) deliveries.push([item.title, item.contentHtml?.includes('word word') === true])
        return DELIVERY_DONE
      },
      close: async () => {},
    }
    await subscribeTo(store, feed, { kind: 'webhook', url: receiver.url('/hook') })
    const items = titles(0, 3).map((title) => ({ title, summary: null, content }))
    await publishItems(store, feed, source.id, items, { at: systemClock.now() })
    const stopping = new AbortController()
    const running = deliveriesOver(store, { webhook }).run(stopping.signal)
    await until(() => deliveries.length === 3)
    stopping.abort()
    await running
    expect(deliveries).toEqual(titles(0, 3).map((title) => [title, true]))
  })

  it('that fails, hangs and comes back gets every item, in order, once per id', async () => {
    const subscription = await subscribeTo(store, feed, { kind: 'webhook', url: receiver.url('/hook') })
    const random = seededRandom(7)
    const moods: Mood[] = ['take', 'take', 'take', 'fail', 'take and fail', 'hang', 'take and hang', 'hang up']
    mood = () => present(moods[Math.floor(random() * moods.length)])
    startDeliveries()
    for (let n = 0; n < 40; n += 10) {
      await publish(n, n + 10)
      await systemClock.sleep(50)
    }
    await until(() => delivered().length >= 30)
    mood = () => 'take'
    await until(() => delivered().length === 40)
    expect(delivered()).toEqual(titles(0, 40))
    expect(deliveries.length).toBeGreaterThan(40)
    await until(async () => (await store.subscriptions())[0]?.failureCount === 0)
    expect((await store.subscriptions())[0]).toMatchObject({ id: subscription.id, lastError: null })
    expect(await store.deadLetters({ limit: 9 })).toEqual([])
  })

  it('keeps nobody else waiting while it hangs', async () => {
    await subscribeTo(store, feed, { kind: 'webhook', url: receiver.url('/hook') })
    const other = await startServer((request, response) => {
      request.resume().on('end', () => response.end())
    })
    await subscribeTo(store, feed, { kind: 'webhook', url: other.url() })
    mood = () => 'hang'
    startDeliveries()
    await publish(0, 5)
    await until(() => other.requests.length === 5)
    await other.close()
  })

  it('is not sent again what it has had, after a restart or a lost record', async () => {
    await subscribeTo(store, feed, { kind: 'webhook', url: receiver.url('/hook') })
    await publish(0, 3)
    const recordDelivery = store.recordDelivery
    store.recordDelivery = () => Promise.reject(new Error('power cut'))
    const webhook = createWebhookChannel({ clock: systemClock, allowRanges: ['loopback'], userAgent: 'test' })
    await expect(deliveriesOver(store, { webhook }).run(new AbortController().signal)).rejects.toThrow('power cut')
    await webhook.close()
    store.recordDelivery = recordDelivery
    startDeliveries({}, PATIENCE_MS)
    await until(() => delivered().length === 3)
    expect(deliveries.map(({ title }) => title)).toEqual(['t0', 't0', 't1', 't2'])
    expect(delivered()).toEqual(titles(0, 3))
  })
})

describe('an item that a receiver does not want', () => {
  it('is given up after the stated attempts, seen among the dead letters, and delivered on request', async () => {
    const { id } = await subscribeTo(store, feed, { kind: 'webhook', url: receiver.url('/hook') })
    await publish(0, 4)
    const third = present((await store.publications(feed.id, { limit: 3 }))[2])
    const unwanted = `-${third.seq}`
    let requests = 0
    mood = (message) => {
      if (!message.endsWith(unwanted)) return 'take'
      requests++
      return 'refuse'
    }
    startDeliveries({ mostRefusals: 3 }, PATIENCE_MS)
    await until(() => delivered().length === 3)
    expect(delivered()).toEqual(['t0', 't2', 't3'])
    expect(requests).toBe(3)
    const letters = await store.deadLetters({ subscriptionId: id, limit: 9 })
    expect(letters).toMatchObject([{ reason: 'HTTP_CLIENT_ERROR: status 422' }])

    await store.requeueDeadLetters({ ids: [first(letters).id] })
    await until(async () => requests === 4 && (await store.requeuedDeadLetters(9)).length === 0)
    mood = () => 'take'
    expect(await store.deadLetters({ limit: 9 })).toHaveLength(1)
    await store.requeueDeadLetters({ subscriptionId: id })
    await until(async () => (await store.deadLetters({ limit: 9 })).length === 0)
    expect(delivered()).toEqual(['t0', 't2', 't3', 't1'])
  })
})

describe('a node that is killed', () => {
  it('goes on from its cursor: every item, in order, once per id', async () => {
    await subscribeTo(store, feed, { kind: 'webhook', url: receiver.url('/hook') })
    await publish(0, 60)
    const slowly = (message: string) => (message.endsWith('5') ? ('fail' as const) : ('take' as const))
    const random = seededRandom(3)
    for (let kill = 0; kill < 4; kill++) {
      const count = deliveries.length
      mood = kill % 2 === 0 ? () => 'take' : (message) => (random() < 0.5 ? slowly(message) : 'take')
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', join(import.meta.dirname, 'deliveries.child.ts'), join(folder, 'node.db')],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      )
      const ended = once(child, 'exit')
      // Somewhere within a message, its answer or its record.
      await until(() => deliveries.length > count + Math.floor(random() * 8))
      child.kill('SIGKILL')
      await ended
    }
    mood = () => 'take'
    startDeliveries()
    await until(() => delivered().length === 60)
    expect(delivered()).toEqual(titles(0, 60))
  })
})
