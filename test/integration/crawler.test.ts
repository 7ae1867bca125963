import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startWorld } from '../../lab/worlds/server.ts'
import type { World, WorldOptions } from '../../lab/worlds/world.ts'
import { crawlerFor, fetcherFor, schedulerFor } from '../../src/app/crawling/crawling.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import type { SourceRefresh } from '../../src/crawler/pipeline.ts'
import type { Source, SourceSettings } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { first } from '../support/present.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function world(options: WorldOptions): Promise<World> {
  const started = await startWorld(options)
  closing.push(() => started.close())
  return started
}

const settings = (url: string, more: Partial<SourceSettings> = {}): SourceSettings => ({
  url,
  name: null,
  categories: [],
  weight: 1,
  intervalMs: null,
  headers: {},
  basicAuth: null,
  userAgent: null,
  proxyUrl: null,
  paused: false,
  ...more,
})

/** The real crawler over real HTTP with an archive in memory; `refresh` asks for sources and waits for them. */
async function crawler(sources: readonly SourceSettings[], flags: Record<string, unknown> = {}) {
  const config = loadConfig('none', { allowRange: ['loopback'], hostSpacing: 0, budget: '1000000/min', ...flags }, {})
  const data = createMemoryStore({ clock: systemClock })
  const added = await data.store.addSources(sources, systemClock.now())
  const ids = added.map(({ source }) => source.id)
  const fetcher = fetcherFor(config, systemClock)
  closing.push(() => fetcher.close())
  const refresh = async (chosenIds: readonly number[] = ids): Promise<ReadonlyMap<number, SourceRefresh>> => {
    const results = new Map<number, SourceRefresh>()
    const stopping = new AbortController()
    const crawl = crawlerFor(
      config,
      data,
      fetcher,
      { clock: systemClock, random: seededRandom(1), logger: silentLogger },
      {
        only: new Set(chosenIds),
        onRefreshed(refreshed) {
          results.set(refreshed.record.sourceId, refreshed)
          if (results.size === chosenIds.length) stopping.abort()
        },
      },
    )
    await crawl.sync()
    crawl.requestRefresh(chosenIds)
    await crawl.run(stopping.signal)
    return results
  }
  const source = async (id: number) => (await data.store.source(id)) as Source
  return { data, id: first(ids), ids, refresh, source }
}

describe('a crawl of a living world', () => {
  it('stores every item that was served once, over refreshes, restarts, odd habits and all formats', async () => {
    const feeds = 60
    const served = await world({ feeds, speed: 0, itemsPerDay: 40, oddShare: 0.3, seed: 3 })
    const { data, ids, refresh } = await crawler(Array.from({ length: feeds }, (_, i) => settings(served.feedUrl(i))))
    for (let round = 0; round < 4; round++) {
      await refresh()
      served.advance(6 * 3_600_000)
    }
    for (const [i, sourceId] of ids.entries()) {
      const truth = served.truth(i).filter((item) => item.firstServedAt !== null)
      const stored = await data.store.items({ scope: { kind: 'source', sourceId }, limit: 1_000 })
      expect([served.plan(i).title, stored.map((item) => item.link).sort()]).toEqual([
        served.plan(i).title,
        truth.map((item) => item.link).sort(),
      ])
    }
  })

  it('parses nothing in a second pass, because nothing has changed', async () => {
    const served = await world({ feeds: 10, speed: 0 })
    const { refresh } = await crawler(Array.from({ length: 10 }, (_, i) => settings(served.feedUrl(i))))
    await refresh()
    const second = await refresh()
    for (const { fetched, record } of second.values()) {
      expect(fetched.kind).toBe('not-modified')
      expect(record.observation).toMatchObject({ newItems: 0, notModified: true, windowSize: null })
    }
  })

  it('sees when the window has overflowed between two refreshes, and how much is missing at least', async () => {
    const served = await world({ feeds: 1, speed: 0, itemsPerDay: 200, windowItems: 10, dates: 'virtual', seed: 5 })
    const { data, id, refresh } = await crawler([settings(served.feedUrl(0))])
    await refresh()
    served.advance(24 * 3_600_000)
    const after = (await refresh()).get(id)
    expect(after?.record.observation).toMatchObject({ overlap: 'none', newItems: 10 })
    expect(await data.store.observations(id, { limit: 1 })).toMatchObject([{ overlap: 'none' }])
  })
})

describe('a source in trouble', () => {
  it('notices changes while all its places are taken by sites that do not answer', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    closing.push(async () => {
      silent.closeAllConnections()
      await new Promise((resolve) => silent.close(resolve))
    })
    const { port } = silent.address() as AddressInfo
    const config = loadConfig('none', { allowRange: ['loopback'], hostSpacing: 0, concurrency: 2 }, {})
    const data = createMemoryStore({ clock: systemClock })
    await data.store.addSources(
      [1, 2, 3].map((n) => settings(`http://silent${n}.localhost:${port}/`)),
      systemClock.now(),
    )
    const fetcher = fetcherFor(config, systemClock)
    closing.push(() => fetcher.close())
    const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
    const scheduler = schedulerFor(config, environment)
    const crawl = crawlerFor(config, data, fetcher, environment, { scheduler, syncMs: 50 })
    const stopping = new AbortController()
    const running = crawl.run(stopping.signal)
    await vi.waitFor(() => expect(crawl.busy).toBe(2), { timeout: PATIENCE_MS })
    const [late] = await data.store.addSources([settings('http://late.localhost/')], systemClock.now())
    await vi.waitFor(() => expect(scheduler.has(late!.source.id)).toBe(true), { timeout: PATIENCE_MS })
    expect(crawl.busy).toBe(2)
    stopping.abort()
    await running
  })

  it('moves to its new address after the third permanent redirect, not before', async () => {
    const served = await world({ feeds: 1, speed: 0 })
    const { id, refresh, source } = await crawler([settings(served.faultUrl('301'))])
    for (const expected of [1, 2]) {
      await refresh()
      expect((await source(id)).state.movingTo?.confirmations).toBe(expected)
      expect((await source(id)).url).toBe(served.faultUrl('301'))
    }
    await refresh()
    expect((await source(id)).url).not.toBe(served.faultUrl('301'))
    expect((await source(id)).state.movingTo).toBe(null)
  })

  it('is retired by 410 and comes back when somebody asks and it answers again', async () => {
    const served = await world({ feeds: 1, speed: 0 })
    const { id, refresh, source } = await crawler([settings(served.feedUrl(0))])
    served.setFault(0, '410')
    await refresh()
    expect((await source(id)).state).toMatchObject({ status: 'retired', nextCheckAt: null })
    served.setFault(0, null)
    await refresh()
    expect((await source(id)).state).toMatchObject({ status: 'active', lastError: null, failureCount: 0 })
  })

  it('keeps all it had through failures, waits no longer because somebody tries again, and recovers', async () => {
    const served = await world({ feeds: 1, speed: 0 })
    const { id, refresh, source, data } = await crawler([settings(served.feedUrl(0))])
    await refresh()
    const before = await data.store.itemCount(id)
    served.setFault(0, '500')
    const nextChecks: number[] = []
    for (let i = 0; i < 3; i++) {
      await refresh()
      const { state } = await source(id)
      expect(state).toMatchObject({ status: 'failing', failureCount: 1 })
      expect(state.lastError?.code).toBe('HTTP_SERVER_ERROR')
      nextChecks.push(state.nextCheckAt!)
    }
    expect(nextChecks).toEqual([...nextChecks].sort((a, b) => b - a))
    expect(await data.store.itemCount(id)).toBe(before)
    served.setFault(0, null)
    await refresh()
    expect((await source(id)).state).toMatchObject({ status: 'active', failureCount: 0 })
  })
})
