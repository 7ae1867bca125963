import { afterEach, describe, expect, it } from 'vitest'
import { CLEAN_HABITS, type FeedPlan } from '../../lab/worlds/feed-plan.ts'
import { startWorld } from '../../lab/worlds/server.ts'
import { crawlerFor, fetcherFor } from '../../src/app/crawling/crawling.ts'
import { openPoliteness } from '../../src/app/crawling/politeness.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { steady } from '../../src/runtime/steady-clock.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { settings } from '../contract/store.fixture.ts'
import { type Admissions, noteAdmissions, smallestGapMs } from '../support/admissions.ts'

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
  const admissions: Admissions = new Map()
  const admissionsOf = (index: number) => admissions.get(new URL(world.feedUrl(index)).host)!
  /** A node's life: opens what it has learnt, refreshes these feeds, keeps what it learnt. */
  const refresh = async (indices: readonly number[]) => {
    const ids = new Set(indices.map((index) => added[index]!.source.id))
    const politeness = await openPoliteness(config, data.store, steady(systemClock))
    noteAdmissions(politeness.limits, admissions)
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
    crawler.requestRefresh([...ids])
    await crawler.run(stopping.signal)
    await politeness.save()
    return politeness.limits
  }
  return { world, refresh, admissions, admissionsOf }
}

/** Spacing is checked where it is decided: on a busy machine one request arrives late and the next in time. */
describe('however many sources there are', () => {
  it('no host gets requests faster than its spacing nor more at once', async () => {
    const { world, refresh, admissions } = await crowd(8, 4)
    await refresh(Array.from({ length: 8 }, (_, index) => index))
    expect(Object.values(world.stats().hosts).map(({ requests }) => requests)).toEqual([4, 4])
    expect(admissions.size).toBe(2)
    for (const host of admissions.values()) {
      expect(host.at).toHaveLength(4)
      expect(host.maxConcurrent).toBeLessThanOrEqual(2)
      expect(smallestGapMs(host)).toBeGreaterThanOrEqual(500)
    }
  })

  it('a host that said 503 gets requests more slowly and one at a time, also by the next process; others are not', async () => {
    const { world, refresh, admissions, admissionsOf } = await crowd(8, 4)
    world.setFault(0, { name: '503', retryAfterS: 1 })
    await refresh([0])
    world.resetCounters()
    admissions.clear()
    const limits = await refresh([1, 2, 3, 4, 5, 6, 7])
    expect(world.stats().hosts['host-0.localhost']).toMatchObject({ requests: 3 })
    expect(admissionsOf(0).maxConcurrent).toBe(1)
    expect(smallestGapMs(admissionsOf(0))).toBeGreaterThanOrEqual(2_000)
    const strains = limits.keep(systemClock.now())!.strains.map(([name]) => name)
    expect(strains).toEqual([new URL(world.feedUrl(0)).host])
  })
})

describe('older pages', () => {
  it('keep the spacing of their host and are paid from the budget like refreshes', async () => {
    const start = systemClock.now()
    const feed: FeedPlan = {
      title: 'T',
      category: null,
      publication: { kind: 'constant', intervalMs: 60_000 },
      windowItems: 10,
      habits: CLEAN_HABITS,
      fault: null,
      headlines: null,
    }
    const world = await startWorld({ feeds: [feed], speed: 0, startAt: start, dates: 'virtual', pages: 9 })
    // A request a second, nothing saved up.
    const flags = { allowRange: ['loopback'], hostSpacing: 500, hostConcurrency: 2, budget: '60/min', burst: 1 }
    const config = loadConfig('none', flags, {})
    let aheadMs = 0
    const clock = steady({
      ...systemClock,
      now: () => systemClock.now() + aheadMs,
      monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    })
    const data = createMemoryStore({ clock })
    const [{ source } = { source: null! }] = await data.store.addSources([settings(world.feedUrl(0))], start)
    const fetcher = fetcherFor(config, clock)
    closing.push(
      () => world.close(),
      () => fetcher.close(),
    )
    const admissions: Admissions = new Map()
    const refresh = async () => {
      const stopping = new AbortController()
      const environment = { clock, random: seededRandom(1), logger: silentLogger }
      const onRefreshed = () => stopping.abort()
      const { limits } = await openPoliteness(config, data.store, clock)
      noteAdmissions(limits, admissions)
      const crawler = crawlerFor(config, data, fetcher, environment, { onRefreshed, limits })
      await crawler.sync()
      crawler.requestRefresh([source.id])
      await crawler.run(stopping.signal)
    }
    await refresh()
    world.resetCounters()
    admissions.clear()
    world.advance(35 * 60_000)
    aheadMs = 35 * 60_000
    const before = systemClock.monotonicMs()
    await refresh()
    const tookMs = systemClock.monotonicMs() - before
    // The feed and three pages: 10 + 10 + 10, and the one that overlaps.
    expect(Object.values(world.stats().hosts)).toMatchObject([{ requests: 4 }])
    const [host] = admissions.values()
    expect(host).toMatchObject({ maxConcurrent: 1 })
    expect(smallestGapMs(host!)).toBeGreaterThanOrEqual(500)
    expect(tookMs).toBeGreaterThan(2_500)
    expect(await data.store.itemCount(source.id)).toBe(45)
    expect((await data.store.quality({ kind: 'node' }, 0, clock.now() + 7_200_000)).requests).toBe(5)
  })
})
