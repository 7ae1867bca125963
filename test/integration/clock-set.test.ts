import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crawlerFor } from '../../src/app/crawling/crawling.ts'
import { openPoliteness } from '../../src/app/crawling/politeness.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import type { Fetcher, FetchOutcome } from '../../src/crawler/fetch/fetcher.ts'
import { hostKey } from '../../src/crawler/fetch/host-key.ts'
import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/model/index.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { steady } from '../../src/runtime/steady-clock.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { SetClock } from '../support/set-clock.ts'

const START = Date.UTC(2026, 0, 5)
const SOURCES = 8
const HOSTS = 4
const SPACING_MS = 10 * SECOND_MS
const REST_MS = 10 * MINUTE_MS
const INTERVAL_MS = 10 * MINUTE_MS
const LEAST_INTERVAL_MS = 5 * MINUTE_MS
const DOWN_MS = 15 * SECOND_MS
const RUN_MS = 4 * HOUR_MS
/** Less than all sources could take. */
const PER_HOUR = 45

/** What is done to the node, so long after what was done before. */
interface Step {
  readonly afterMs: DurationMs
  /** The wall clock is so far ahead from then on; null: as it was. */
  readonly aheadMs: DurationMs | null
  readonly isRestart: boolean
}

interface Request {
  readonly ms: DurationMs
  readonly url: string
  readonly host: string
  readonly isRefused: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  afterMs: fc.integer({ min: MINUTE_MS, max: 40 * MINUTE_MS }),
  aheadMs: fc.option(
    fc.oneof(
      fc.integer({ min: -400, max: 400 }).map((days) => days * DAY_MS),
      fc.integer({ min: -2 * HOUR_MS, max: 2 * HOUR_MS }),
      fc.constant(0),
    ),
  ),
  isRestart: fc.boolean(),
})

/** Every feed has something new at every request; every fifth request to the first host is refused for ten minutes. */
function noisyFetcher(clock: SetClock, requests: Request[]): Fetcher {
  let requestCount = 0
  return {
    close: async () => {},
    async fetch({ url }): Promise<FetchOutcome> {
      const host = hostKey(url)
      const isRefused = host.startsWith('h0.') && requestCount++ % 5 === 4
      requests.push({ ms: clock.monotonicMs(), url, host, isRefused })
      const spent = { bytes: 100, latencyMs: 1 }
      if (isRefused) {
        const retryAt = clock.now() + REST_MS
        const message = 'too many'
        return { kind: 'failed', code: 'HTTP_TOO_MANY_REQUESTS', message, status: 429, retryAt, host, ...spent }
      }
      const body = `<rss version="2.0"><channel><title>t</title><item><guid>${requests.length}</guid></item></channel></rss>`
      const hints = { maxAgeMs: null, expiresAt: null }
      const address = { finalUrl: url, permanentUrl: null, etag: null, lastModified: null, contentType: null }
      return { kind: 'content', status: 200, body: new TextEncoder().encode(body), hints, ...address, ...spent }
    },
  }
}

/** The crawler of a node, over the same store after every restart; returns its requests and when something was done. */
async function crawl(steps: readonly Step[]): Promise<{ requests: readonly Request[]; doneMs: readonly DurationMs[] }> {
  const flags = {
    budget: `${PER_HOUR}/h`,
    hostSpacing: SPACING_MS,
    hostConcurrency: 1,
    minInterval: LEAST_INTERVAL_MS,
    checkpoint: '10min',
    strategy: 'uniform',
  }
  const config = loadConfig('none', flags, {})
  const wall = new SetClock(START)
  const data = createMemoryStore({ clock: wall })
  const requests: Request[] = []
  const doneMs: DurationMs[] = [START]
  const fetcher = noisyFetcher(wall, requests)
  const urls = Array.from({ length: SOURCES }, (_, k) => `http://h${k % HOSTS}.d${k % HOSTS}.test/${k}`)
  await data.store.addSources(
    urls.map((url) => withSourceDefaults({ url, intervalMs: INTERVAL_MS })),
    wall.now(),
  )
  const begin = async () => {
    const clock = steady(wall)
    const politeness = await openPoliteness(config, data.store, clock)
    const environment = { clock, random: seededRandom(1), logger: silentLogger }
    const crawler = crawlerFor(config, data, fetcher, environment, {
      shared: 'none',
      limits: politeness.limits,
      syncMs: 10 * SECOND_MS,
    })
    const stopping = new AbortController()
    const running = crawler.run(stopping.signal)
    return {
      isBusy: () => crawler.busy > 0,
      async end() {
        stopping.abort()
        wall.wakeAll()
        await running
        await politeness.save()
      },
    }
  }
  let node = await begin()
  for (const { afterMs, aheadMs, isRestart } of steps) {
    const ms: DurationMs = wall.monotonicMs() + afterMs
    if (ms > START + RUN_MS) break
    await wall.runUntil(ms, node.isBusy)
    if (isRestart) await node.end()
    if (aheadMs !== null) wall.aheadMs = aheadMs
    if (isRestart) {
      void wall.sleep(DOWN_MS)
      await wall.runUntil(ms + DOWN_MS, () => false)
      node = await begin()
    }
    doneMs.push(wall.monotonicMs())
  }
  await wall.runUntil(START + RUN_MS, node.isBusy)
  await node.end()
  return { requests, doneMs }
}

/** Windows of the time in which nothing was done to the clock, and a source should have been refreshed but was not. */
function gaps(requests: readonly Request[], doneMs: readonly DurationMs[], mostMs: DurationMs): string[] {
  const found: string[] = []
  for (const url of new Set(requests.map((one) => one.url))) {
    const own = requests.filter((one) => one.url === url)
    const moments = [...own.map(({ ms }) => ms), ...doneMs, START + RUN_MS].sort((a, b) => a - b)
    // The host that refuses is left alone for ever longer: by its rest, by backing off, by the backoff that is learnt.
    const longestMs = own.some(({ host }) => host.startsWith('h0.')) ? mostMs + 2 * HOUR_MS : mostMs
    for (const [k, ms] of moments.entries()) {
      const gapMs = ms - (moments[k - 1] ?? ms)
      if (gapMs > longestMs) found.push(`${url} waits ${gapMs / MINUTE_MS} min until ${(ms - START) / MINUTE_MS}`)
    }
  }
  return found
}

function mostInAnHour(requests: readonly Request[]): number {
  const inHourAfter = (from: DurationMs) => requests.filter(({ ms }) => ms >= from && ms < from + HOUR_MS).length
  return Math.max(...requests.map(({ ms }) => inHourAfter(ms)))
}

function impolite(requests: readonly Request[]): string[] {
  return requests.flatMap((one, k) => {
    const before = requests.slice(0, k).findLast(({ host }) => host === one.host)
    if (before === undefined) return []
    const distanceMs = one.ms - before.ms
    return distanceMs >= (before.isRefused ? REST_MS : SPACING_MS) ? [] : [`${one.host} after ${distanceMs} ms`]
  })
}

/** Its interval, the shortest interval for a node that knows nothing, turns at the host and for the budget. */
const MOST_GAP_MS = INTERVAL_MS + LEAST_INTERVAL_MS + 5 * MINUTE_MS

describe('a wall clock that is set', () => {
  it.each<[string, readonly Step[]]>([
    ['400 days ahead, and back', [set(400 * DAY_MS), set(0)]],
    ['400 days back, and forth', [set(-400 * DAY_MS), set(0)]],
    ['400 days ahead over a restart, and back over another', [set(400 * DAY_MS, true), set(0, true)]],
    ['400 days back over a restart, and forth', [set(-400 * DAY_MS, true), set(0, true)]],
    ['ahead while it runs, and back over a restart', [set(400 * DAY_MS), set(0, true)]],
    ['an hour back, again and again', Array.from({ length: 6 }, (_, k) => set(-k * HOUR_MS, k % 2 === 1))],
  ])('does not stop the crawl: %s', async (_, steps) => {
    const { requests, doneMs } = await crawl(steps)
    expect(new Set(requests.map(({ url }) => url)).size).toBe(SOURCES)
    expect(gaps(requests, doneMs, MOST_GAP_MS)).toEqual([])
    expect(mostInAnHour(requests)).toBeLessThanOrEqual(PER_HOUR)
    expect(impolite(requests)).toEqual([])
  })

  it('neither stops the crawl nor earns budget nor shortens a rest, whatever is done to it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const { requests, doneMs } = await crawl(steps)
        expect(gaps(requests, doneMs, MOST_GAP_MS)).toEqual([])
        expect(mostInAnHour(requests)).toBeLessThanOrEqual(PER_HOUR)
        expect(impolite(requests)).toEqual([])
      }),
      { numRuns: 12 },
    )
  })
})

function set(aheadMs: DurationMs, isRestart = false): Step {
  return { afterMs: 35 * MINUTE_MS, aheadMs, isRestart }
}
