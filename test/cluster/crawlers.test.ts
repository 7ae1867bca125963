import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../lab/live/virtual-clock.ts'
import { createMemoryLeases } from '../../src/cluster/memory/leases.ts'
import { type DurationMs, SECOND_MS } from '../../src/model/index.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { settings } from '../contract/store.fixture.ts'
import { present } from '../support/present.ts'
import { TestCrawler } from './test-crawler.ts'
import { WatchedWorld } from './watched-world.ts'

const LEASE_MS = 3 * SECOND_MS
const SPACING_MS = SECOND_MS
const EVERY_MS = 5 * SECOND_MS
const HOSTS = 14
const FEEDS = 2 * HOSTS
/** Fewer than in a real cluster, so that most have a source. */
const SHARDS = 32
/** From the issue, and until the next refresh of a source that was due meanwhile. */
const OWNED_AGAIN_MS = LEASE_MS + SECOND_MS
const LONGEST_GAP_MS = EVERY_MS + OWNED_AGAIN_MS + 2 * SPACING_MS + SECOND_MS

async function openCluster(names: readonly string[]) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5))
  const leases = createMemoryLeases(() => clock.now())
  const { store, buffer, notifier } = createMemoryStore({ clock, leases })
  const world = new WatchedWorld(clock, HOSTS, 4_300, 200)
  await buffer.register('reader', { from: 'start', owner: 'test', expiresAfterMs: null })
  const added = await store.addSources(
    world.urls.map((url) => settings(url, { intervalMs: EVERY_MS })),
    clock.now(),
  )
  const ids = added.map(({ source }) => source.id)
  const ground = {
    clock,
    store,
    buffer,
    notifier,
    leases,
    world,
    leaseMs: LEASE_MS,
    shards: SHARDS,
    spacingMs: SPACING_MS,
  }
  const start = (name: string) => new TestCrawler(name, ground)
  const pass = (ms: DurationMs) => {
    // Time goes on also where nobody waits for it.
    void clock.sleep(ms)
    return clock.runUntil(clock.now() + ms, () => false)
  }
  /** Waits for something while time goes on. */
  const during = async (work: Promise<void>) => {
    let isDone = false
    void work.then(() => {
      isDone = true
    })
    for (let waited = 0; !isDone; waited++) {
      if (waited > 600) throw new Error('it does not end')
      await pass(100)
    }
  }
  const crawlers = new Map(names.map((name) => [name, start(name)]))
  const crawler = (name: string) => present(crawlers.get(name))
  /** What every run must show, whatever was done to the crawlers. */
  const check = async () => {
    expect(world.crowded).toEqual([])
    expect(tooClose(world)).toEqual([])
    const seqs = (await buffer.read('reader', 100_000)).map(({ item }) => item.seq)
    expect(new Set(seqs).size).toBe(seqs.length)
    expect(seqs).toHaveLength((await store.counts()).items)
    for (const [index, id] of ids.entries()) {
      const { lastSuccessAt } = present(await store.source(id)).state
      // Published while the last answer was on its way: both counts are right.
      const stored = await store.itemCount(id)
      expect(stored).toBeGreaterThanOrEqual(world.publishedBy(index, (lastSuccessAt ?? 0) - 5 * world.latencyMs))
      expect(stored).toBeLessThanOrEqual(world.publishedBy(index, lastSuccessAt ?? 0))
    }
  }
  const end = async () => {
    for (const one of crawlers.values()) one.kill()
  }
  return { clock, store, leases, world, ids, crawlers, crawler, start, pass, during, check, end }
}

/** Requests to one host by two crawlers that follow each other too soon. */
function tooClose({ requests }: WatchedWorld) {
  const last = new Map<string, { by: string; at: number }>()
  return requests.flatMap(({ by, host, at }) => {
    const before = last.get(host)
    last.set(host, { by, at })
    return before !== undefined && before.by !== by && at - before.at < SPACING_MS ? [{ host, by, at, before }] : []
  })
}

function longestGapMs({ requests, urls }: WatchedWorld, from: number, until: number): DurationMs {
  return Math.max(
    ...urls.map((url) => {
      const times = [from, ...requests.filter((one) => one.url === url && one.at > from).map(({ at }) => at), until]
      return Math.max(...times.map((at, k) => at - (times[k - 1] ?? at)))
    }),
  )
}

const countBy = ({ requests }: WatchedWorld, since: number) => {
  const counts: Record<string, number> = {}
  for (const { by, at } of requests) if (at >= since) counts[by] = (counts[by] ?? 0) + 1
  return counts
}

describe('two crawlers on one store', () => {
  it('share the sources, and each is refreshed by one of them', async () => {
    const { world, clock, pass, check, end } = await openCluster(['a', 'b'])
    await pass(30 * SECOND_MS)
    await check()
    const owners = world.urls.map((url) => new Set(world.requests.filter((one) => one.url === url).map(({ by }) => by)))
    expect(owners.every(({ size }) => size === 1)).toBe(true)
    const counts = countBy(world, 0)
    expect(Math.min(counts['a'] ?? 0, counts['b'] ?? 0)).toBeGreaterThan(FEEDS)
    expect(longestGapMs(world, clock.now() - 20 * SECOND_MS, clock.now())).toBeLessThan(LONGEST_GAP_MS)
    await end()
  })

  it.each([0, 170, 2_234])('lose and double nothing when one is killed %i ms after some time', async (moreMs) => {
    const { world, clock, crawler, pass, check, end } = await openCluster(['a', 'b'])
    await pass(20 * SECOND_MS + moreMs)
    crawler('a').kill()
    const killedAt = clock.now()
    await pass(20 * SECOND_MS)
    await check()
    expect(Object.keys(countBy(world, killedAt + 1))).toEqual(['b'])
    expect(longestGapMs(world, killedAt - EVERY_MS, clock.now())).toBeLessThan(LONGEST_GAP_MS)
    await end()
  })

  it.each([0, 700, 2_500])(
    'go on when one stood still for longer than its lease, %i ms after some time',
    async (moreMs) => {
      const { world, clock, crawler, pass, check, end } = await openCluster(['a', 'b'])
      await pass(20 * SECOND_MS + moreMs)
      const stalledAt = clock.now()
      crawler('a').stall(8 * SECOND_MS)
      await pass(30 * SECOND_MS)
      await check()
      expect(longestGapMs(world, stalledAt - EVERY_MS, clock.now())).toBeLessThan(LONGEST_GAP_MS)
      // It takes its part again.
      expect(Object.keys(countBy(world, clock.now() - EVERY_MS)).sort()).toEqual(['a', 'b'])
      await end()
    },
  )

  it('refuse what arrives of one that was cut off when its shards are another’s', async () => {
    const { world, crawler, pass, check, end } = await openCluster(['a', 'b'])
    await pass(20 * SECOND_MS)
    world.latencyMs = 700
    while (world.underWay('a') === 0) await pass(100)
    // What it has asked for it cannot store in time.
    crawler('a').cut(8 * SECOND_MS)
    await pass(22 * SECOND_MS)
    await check()
    expect(crawler('a').refused).toContain('LEASE_LOST')
    expect(crawler('b').refused).toEqual([])
    expect(world.requests.filter(({ by }) => by === 'a').length).toBeGreaterThan(FEEDS)
    await end()
  })

  it('hand over models and requests', async () => {
    const { store, ids, clock, crawler, pass, during, check, start, crawlers, end } = await openCluster(['a'])
    await pass(15 * SECOND_MS)
    await during(crawler('a').stop())
    const models = await store.models(ids)
    expect(models.size).toBe(FEEDS)
    for (const [id, { learntAt }] of models) expect(learntAt).toBe((await store.source(id))?.state.lastSuccessAt)
    await store.requestRefresh([present(ids[3])], clock.now())
    crawlers.set('b', start('b'))
    await pass(15 * SECOND_MS)
    await check()
    expect(await store.takeRefreshRequests()).toEqual([])
    await end()
  })

  it('leave a host alone that asked another of them for it', async () => {
    const { world, clock, crawler, pass, during, check, end } = await openCluster(['a', 'b'])
    await pass(15 * SECOND_MS)
    const { url, host } = present(world.requests.findLast(({ by }) => by === 'a'))
    world.retryAfterMs.set(url, 60 * SECOND_MS)
    await pass(EVERY_MS + 2 * SECOND_MS)
    expect(world.retryAfterMs.size).toBe(0)
    const refusedAt = clock.now()
    await during(crawler('a').stop())
    await pass(15 * SECOND_MS)
    await check()
    expect(Object.keys(countBy(world, clock.now() - EVERY_MS))).toEqual(['b'])
    expect(world.requests.filter((one) => one.host === host && one.at > refusedAt)).toEqual([])
    await end()
  })

  it('end what is under way before another takes over', async () => {
    const { world, crawlers, start, pass, check, end } = await openCluster(['a', 'b'])
    world.latencyMs = 900
    await pass(20 * SECOND_MS)
    crawlers.set('c', start('c'))
    await pass(15 * SECOND_MS)
    await check()
    expect(countBy(world, 0)['c']).toBeGreaterThan(HOSTS / 2)
    expect(world.calledOff).toEqual([])
    await end()
  })

  it('leave no gap in a rolling restart', async () => {
    const { world, clock, crawlers, crawler, start, pass, during, check, end } = await openCluster(['a', 'b', 'c'])
    await pass(20 * SECOND_MS)
    const from = clock.now() - EVERY_MS
    for (const name of ['a', 'b', 'c']) {
      await during(crawler(name).stop())
      crawlers.set(`${name}2`, start(`${name}2`))
      await pass(7 * SECOND_MS)
    }
    await pass(10 * SECOND_MS)
    await check()
    // Given back at once: nobody waits for a lease to end.
    expect(longestGapMs(world, from, clock.now())).toBeLessThan(EVERY_MS + 5 * SECOND_MS)
    expect(Object.keys(countBy(world, clock.now() - 8 * SECOND_MS)).sort()).toEqual(['a2', 'b2', 'c2'])
    await end()
  })
})
