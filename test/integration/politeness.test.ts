import { afterEach, describe, expect, it } from 'vitest'
import { startWorld } from '../../lab/worlds/server.ts'
import { loadConfig } from '../../src/app/config.ts'
import { crawlerFor, fetcherFor } from '../../src/app/crawling.ts'
import { openPoliteness } from '../../src/app/politeness.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { settings } from '../contract/store.fixture.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Many feeds on few hosts, and a crawler with more budget than it can use. */
async function crowd(feeds: number, feedsPerHost: number) {
  const world = await startWorld({ feeds, feedsPerHost, speed: 0, windowItems: 5 })
  const flags = { allowRange: ['loopback'], hostSpacing: 500, hostConcurrency: 2, budget: '100000/min' }
  const config = loadConfig('none', flags, {})
  const data = createMemoryStore({ clock: systemClock })
  const urls = Array.from({ length: feeds }, (_, index) => settings(world.feedUrl(index)))
  const added = await data.store.addSources(urls, systemClock.now())
  const fetcher = fetcherFor(config, systemClock)
  closing.push(
    () => world.close(),
    () => fetcher.close(),
  )
  /** A node's life: opens what it has learnt, refreshes these feeds, keeps what it learnt. */
  const refresh = async (indices: readonly number[]) => {
    const ids = new Set(indices.map((index) => added[index]!.source.id))
    const politeness = await openPoliteness(config, data.store, systemClock)
    const stopping = new AbortController()
    const waiting = new Set(ids)
    const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
    const crawler = crawlerFor(config, data, fetcher, environment, {
      only: ids,
      limits: politeness.limits,
      onRefreshed({ record }) {
        waiting.delete(record.sourceId)
        if (waiting.size === 0) stopping.abort()
      },
    })
    await crawler.sync()
    crawler.askFor([...ids])
    await crawler.run(stopping.signal)
    await politeness.save()
  }
  return { world, refresh }
}

/** Timers and sockets of a busy machine are late by some milliseconds, now and then by more. */
const LATE_MS = 300

describe('as the sites see it', () => {
  it('no host is asked faster than its spacing nor more at once, however many sources it has', async () => {
    const { world, refresh } = await crowd(8, 4)
    await refresh(Array.from({ length: 8 }, (_, index) => index))
    const { hosts } = world.stats()
    expect(Object.keys(hosts)).toHaveLength(2)
    for (const host of Object.values(hosts)) {
      expect(host.requests).toBe(4)
      expect(host.maxConcurrent).toBeLessThanOrEqual(2)
      expect(host.smallestGapMs).toBeGreaterThan(500 - LATE_MS)
    }
  })

  it('a host that said 503 is asked more slowly and one at a time, also by the next process; others are not', async () => {
    const { world, refresh } = await crowd(8, 4)
    world.setFault(0, { name: '503', retryAfterS: 1 })
    await refresh([0])
    world.resetCounters()
    await refresh([1, 2, 3, 4, 5, 6, 7])
    const [strained, other] = ['host-0.localhost', 'host-1.localhost'].map((name) => world.stats().hosts[name]!)
    expect(strained).toMatchObject({ requests: 3, maxConcurrent: 1 })
    expect(strained!.smallestGapMs).toBeGreaterThan(2_000 - LATE_MS)
    expect(other!.smallestGapMs).toBeLessThan(1_500)
  }, 20_000)
})
