import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { lookForTroubles } from '../../src/app/alerts/alert-watch.ts'
import { deliveriesFor, feedServiceFor } from '../../src/app/publishing/publishing.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { createAccessReader } from '../../src/app/users/access.ts'
import type { SubscriptionOutput } from '../../src/model/index.ts'
import { vapidKeysFrom } from '../../src/publisher/webpush/vapid.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import type { Store } from '../../src/store/store.ts'
import { record } from '../contract/store.fixture.ts'
import { startServer } from '../support/local-server.ts'
import { startMailServer } from '../support/mail-server.ts'
import { addSource } from '../support/publishing.ts'
import { publishItems, saveFeed, subscribeTo } from '../support/query-publishing.ts'
import { onNode } from './one-node.ts'
import { row, type SettingRow } from './setting-row.ts'

type Flags = Readonly<Record<string, unknown>>

const VAPID = vapidKeysFrom('secret')

const WAIT = { timeout: 30_000, interval: 20 }

/** One item for one subscription, through the deliveries of a node; checked when `isOver` holds. */
async function delivered<Value>(
  flags: Flags,
  output: SubscriptionOutput,
  look: (stage: { readonly store: Store; readonly dataDir: string }) => Promise<Value>,
): Promise<Value> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-setting-'))
  const config = loadConfig(dataDir, { allowRange: 'loopback', ...flags }, {})
  const data = createMemoryStore({ clock: systemClock })
  const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
  const feeds = feedServiceFor(config, data, systemClock, 'http://node.example')
  const feed = await saveFeed(data.store, 'news')
  await subscribeTo(data.store, feed, output)
  const source = await addSource(data.store, 'https://a.example/feed')
  await publishItems(data.store, feed, source.id, [{ title: 'Ice' }], { at: systemClock.now() })
  const deliveries = deliveriesFor(config, data, feeds, createAccessReader(data.store), environment, VAPID)
  const stopping = new AbortController()
  const running = deliveries.own.run(stopping.signal)
  try {
    return await look({ store: data.store, dataDir })
  } finally {
    stopping.abort()
    await running
    await deliveries.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A node that has never been refreshed and has one source that is gone looks for trouble once. */
async function alerted(flags: Flags): Promise<void> {
  const config = loadConfig('none', { allowRange: 'loopback', ...flags }, {})
  const clock = { ...systemClock, now: () => Date.UTC(2030, 0, 1) }
  const data = createMemoryStore({ clock })
  const environment = { clock, random: seededRandom(1), logger: silentLogger }
  const source = await addSource(data.store, 'https://a.example/feed')
  await data.store.recordRefresh(record(source, { state: { ...source.state, status: 'retired' } }))
  const feeds = feedServiceFor(config, data, clock, 'http://node.example')
  const deliveries = deliveriesFor(config, data, feeds, createAccessReader(data.store), environment, VAPID)
  const { signal } = new AbortController()
  await lookForTroubles({ ...environment, ...deliveries, ...data, config, baseUrl: feeds.baseUrl }, signal)
  await deliveries.close()
}

async function lastErrorOf(store: Store): Promise<string | null> {
  return vi.waitFor(async () => {
    const [subscription] = await store.subscriptions()
    expect(subscription!.lastError ?? subscription!.deliveredAt).not.toBeNull()
    return subscription!.lastError
  }, WAIT)
}

const elsewhere = mkdtempSync(join(tmpdir(), 'headwater-elsewhere-'))

/** What subscribers get. */
export const DELIVERY_ROWS: readonly SettingRow[] = [
  row('outputDir', {
    values: [undefined, elsewhere],
    effect: (flags) =>
      delivered(flags, { kind: 'file', path: 'news.rss' }, async ({ dataDir }) => {
        const folders = [join(dataDir, 'files'), elsewhere]
        const filled = () => folders.map((folder) => existsSync(folder) && readdirSync(folder).includes('news.rss'))
        await vi.waitFor(() => expect(filled()).toContain(true), WAIT)
        return filled()
      }),
    shows: (usual, own) =>
      expect([usual, own]).toEqual([
        [true, false],
        [false, true],
      ]),
  }),
  row('smtpUrl', {
    values: [undefined, 'a server'],
    effect: async ({ smtpUrl }) => {
      const server = await startMailServer()
      try {
        return await delivered(
          smtpUrl === undefined ? {} : { smtpUrl: server.url },
          { kind: 'mail', address: 'reader@example.org' },
          async ({ store }) => {
            await lastErrorOf(store)
            return server.mails.length
          },
        )
      } finally {
        await server.close()
      }
    },
    shows: (none, one) => expect([none, one]).toEqual([0, 1]),
  }),
  row('mailFrom', {
    values: [undefined, 'news@example.org'],
    effect: async (flags) => {
      const server = await startMailServer()
      try {
        return await delivered({ smtpUrl: server.url, ...flags }, { kind: 'mail', address: 'reader@example.org' }, () =>
          vi.waitFor(() => {
            expect(server.mails).toHaveLength(1)
            return server.mails[0]!.from
          }, WAIT),
        )
      } finally {
        await server.close()
      }
    },
    shows: (usual, own) => expect([usual, own]).toEqual(['headwater@localhost', 'news@example.org']),
  }),
  row('webhookTimeout', {
    values: ['200ms', '30s'],
    // Far later than the one, far sooner than the other.
    effect: async (flags) => {
      const receiver = await startServer((_request, response) => void setTimeout(() => response.end(), 2_000))
      try {
        return await delivered(
          flags,
          { kind: 'webhook', url: receiver.url('/hook') },
          async ({ store }) => (await lastErrorOf(store)) === null,
        )
      } finally {
        await receiver.close()
      }
    },
    shows: (short, long) => expect([short, long]).toEqual([false, true]),
  }),
  row('alertMail', {
    values: [undefined, 'me@example.org'],
    effect: async (flags) => {
      const server = await startMailServer()
      try {
        await alerted({ smtpUrl: server.url, ...flags })
        return server.mails.length
      } finally {
        await server.close()
      }
    },
    shows: (none, one) => expect([none, one]).toEqual([0, 1]),
  }),
  row('alertWebhook', {
    values: [undefined, 'a receiver'],
    effect: async ({ alertWebhook }) => {
      const receiver = await startServer((_request, response) => void response.end())
      try {
        await alerted(alertWebhook === undefined ? {} : { alertWebhook: receiver.url('/hook') })
        return receiver.requests.length
      } finally {
        await receiver.close()
      }
    },
    shows: (none, one) => expect([none, one]).toEqual([0, 1]),
  }),
  row('traceUrl', {
    values: [undefined, 'a collector'],
    effect: async ({ traceUrl }) => {
      const collector = await startServer((request, response) => request.resume().on('end', () => response.end('{}')))
      const flags = traceUrl === undefined ? {} : { traceUrl: collector.url('/v1/traces') }
      try {
        await onNode(flags, async ({ node, siteUrl }) => {
          await addSource(node.data.store, siteUrl)
          await vi.waitFor(async () => expect((await node.data.store.counts()).items).toBe(20), WAIT)
        })
        // What is left is sent when the node stops.
        return collector.requests.length > 0
      } finally {
        await collector.close()
      }
    },
    shows: (none, one) => expect([none, one]).toEqual([false, true]),
  }),
  row('alertSecret', {
    values: ['one secret', 'another secret'],
    effect: async (flags) => {
      const receiver = await startServer((_request, response) => void response.end())
      try {
        await alerted({ alertWebhook: receiver.url('/hook'), ...flags })
        return Object.entries(receiver.requests[0]!.headers).filter(([name]) => name.includes('signature'))
      } finally {
        await receiver.close()
      }
    },
    shows: (one, another) => expect(one).not.toEqual(another),
  }),
]
