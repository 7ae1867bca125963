import { describe, expect, it } from 'vitest'
import { documentFetcher, feedUrl } from '../../lab/live/feed-documents.ts'
import { VirtualClock } from '../../lab/live/virtual-clock.ts'
import { simSource } from '../../lab/simulator/world.ts'
import { articlePagesLayers } from '../../src/app/crawling/article-pages.ts'
import { crawlerFor, schedulerFor } from '../../src/app/crawling/crawling.ts'
import { politenessFor } from '../../src/app/crawling/politeness.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { ENDLESS_DISK } from '../../src/crawler/disk-space.ts'
import type { Fetcher, FetchOutcome } from '../../src/crawler/fetch/fetcher.ts'
import { politely } from '../../src/crawler/politeness/polite-fetcher.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { steady } from '../../src/runtime/steady-clock.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { plainExtractor } from '../support/plain-extractor.ts'

const START = Date.UTC(2026, 0, 5)
const FEEDS = 20
const RUN_MS = 8 * HOUR_MS
const SHARE = 0.25
/** What may be saved up, by default: a quarter of an hour's. */
const BURST_HOURS = 0.25
/** Of the addresses of items; the others answer with their article. */
const FAULTS: readonly (readonly [RegExp, (url: string) => FetchOutcome])[] = [
  [/7$/, (url) => failure(url, 500)],
  [/8$/, (url) => failure(url, 404)],
]

function failure(url: string, status: number): FetchOutcome {
  const code = status === 404 ? 'HTTP_NOT_FOUND' : 'HTTP_SERVER_ERROR'
  return { kind: 'failed', code, message: '', status, retryAt: null, host: new URL(url).host, bytes: 0, latencyMs: 1 }
}

function page(url: string) {
  const body = new TextEncoder().encode(`<article>All that is to be said on ${url}: glaciers.</article>`)
  const answer = {
    finalUrl: url,
    permanentUrl: null,
    bytes: body.length,
    latencyMs: 20,
    etag: null,
    lastModified: null,
  }
  const hints = { maxAgeMs: null, expiresAt: null }
  return { kind: 'content', status: 200, body, contentType: 'text/html', hints, ...answer } as const
}

interface Day {
  /** Mean, of items that were published while it ran. */
  readonly delayMs: number
  readonly items: number
  readonly feedRequests: number
  readonly pageRequests: readonly string[]
  readonly robotsRequests: readonly string[]
  /** What is stored of each page, by failure. */
  readonly failures: ReadonlyMap<string, number>
  readonly articles: number
}

/** The crawler and the pages of its items through some hours of virtual time. */
async function eightHours(pages: 'off' | 'fetch', budgetPerHour: number): Promise<Day> {
  const robots = new TextEncoder().encode('User-agent: *\nDisallow: /3')
  const clock = new VirtualClock(START)
  const data = createMemoryStore({ clock })
  const every = 40 * MINUTE_MS
  const sources = Array.from({ length: FEEDS }, (_, index) => {
    const count = Math.floor((RUN_MS + DAY_MS) / every)
    const times = Float64Array.from({ length: count }, (_one, k) => START - DAY_MS + k * every + index * 61_000)
    return simSource(index + 1, times, 10)
  })
  const documents = documentFetcher(sources, clock)
  const pageRequests: string[] = []
  const robotsRequests: string[] = []
  let atWork = 0
  const fetcher: Fetcher = {
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/feed.xml') return documents.fetch(request)
      if (pathname === '/robots.txt') {
        robotsRequests.push(request.url)
        return { ...page(request.url), body: robots }
      }
      pageRequests.push(request.url)
      atWork++
      return FAULTS.find(([pattern]) => pattern.test(request.url))?.[1](request.url) ?? page(request.url)
    },
    close: async () => {},
  }
  const flags = { budget: `${budgetPerHour}/h`, pageShare: SHARE, checkpoint: '10min' }
  const config = loadConfig('none', flags, {})
  const steadyClock = steady(clock)
  const limits = politenessFor(config, steadyClock)
  const environment = { clock: steadyClock, random: seededRandom(1), logger: silentLogger }
  const settings = sources.map((_, index) => withSourceDefaults({ url: feedUrl(index), pages }))
  await data.store.addSources(settings, clock.now())
  const scheduler = schedulerFor(config, environment)
  const crawler = crawlerFor(config, data, fetcher, environment, { scheduler, limits, shared: 'none' })
  const store = {
    ...data.store,
    async recordPage(record: Parameters<typeof data.store.recordPage>[0]) {
      const isWritten = await data.store.recordPage(record)
      if (record.status !== null) atWork--
      return isWritten
    },
  }
  const web = { polite: politely(fetcher, limits, steadyClock), limits }
  const deps = { data: { ...data, store }, web, scheduler, environment, openExtractor: async () => plainExtractor() }
  const [layer] = articlePagesLayers(config, { ...deps, disk: ENDLESS_DISK })
  const stopping = new AbortController()
  const running = [crawler.run(stopping.signal), layer!.run(stopping.signal, () => {})]
  await clock.runUntil(START + RUN_MS, () => crawler.busy > 0 || atWork > 0)
  stopping.abort()
  clock.wakeAll()
  await Promise.all(running)
  const items = await data.store.itemsAfter(0, 100_000)
  const fresh = items.filter(({ published }) => published !== null && published >= START)
  const delays = fresh.map(({ firstSeenAt, published }) => firstSeenAt - (published ?? 0))
  const failures = new Map<string, number>()
  for (const { seq } of items) {
    const stored = await data.store.itemPage(seq)
    const word = stored === null ? 'none' : (stored.failure ?? (stored.dueAt === null ? 'article' : 'waiting'))
    failures.set(word, (failures.get(word) ?? 0) + 1)
  }
  return {
    delayMs: delays.reduce((sum, ms) => sum + ms, 0) / delays.length,
    items: items.length,
    feedRequests: documents.requests,
    pageRequests,
    robotsRequests,
    failures,
    articles: items.filter(({ article }) => article?.includes('glaciers')).length,
  }
}

const requestsOf = ({ feedRequests, pageRequests, robotsRequests }: Day) =>
  feedRequests + pageRequests.length + robotsRequests.length
const mostRequests = (perHour: number) => perHour * (RUN_MS / HOUR_MS + BURST_HOURS) + 1

describe('eight hours with and without article pages', () => {
  it('leaves items where they were while the budget has room, and fetches each page once', async () => {
    const without = await eightHours('off', 600)
    const withPages = await eightHours('fetch', 600)
    expect(without.pageRequests).toEqual([])
    expect(without.robotsRequests).toEqual([])
    expect(without.failures).toEqual(new Map([['none', without.items]]))

    expect(withPages.items).toBe(without.items)
    expect(Math.abs(withPages.delayMs / without.delayMs - 1)).toBeLessThan(0.02)
    expect(requestsOf(withPages)).toBeLessThanOrEqual(mostRequests(600))
    expect(withPages.robotsRequests).toHaveLength(FEEDS)

    const times = new Map<string, number>()
    for (const url of withPages.pageRequests) times.set(url, (times.get(url) ?? 0) + 1)
    const repeated = [...times].filter(([, count]) => count > 1).map(([url]) => url)
    expect(repeated.filter((url) => !url.endsWith('7'))).toEqual([])
    expect(repeated.length).toBeGreaterThan(0)
    expect(withPages.pageRequests.filter((url) => new URL(url).pathname.startsWith('/3'))).toEqual([])
    expect(withPages.articles).toBe(withPages.failures.get('article'))
    expect(withPages.articles).toBeGreaterThan(0.4 * withPages.items)
    const known = ['HTTP_NOT_FOUND', 'HTTP_SERVER_ERROR', 'PAGE_ROBOTS', 'article', 'waiting']
    expect([...withPages.failures.keys()].filter((word) => !known.includes(word))).toEqual([])
  })

  it('takes no more than its share where the budget has none to spare, and the whole is never exceeded', async () => {
    const day = await eightHours('fetch', 60)
    expect(requestsOf(day)).toBeLessThanOrEqual(mostRequests(60))
    const pages = day.pageRequests.length + day.robotsRequests.length
    expect(pages).toBeLessThanOrEqual(SHARE * 60 * (RUN_MS / HOUR_MS) + 1)
    expect(pages).toBeGreaterThan(0.8 * SHARE * 60 * (RUN_MS / HOUR_MS))
    expect(day.feedRequests).toBeGreaterThan(0.9 * (1 - SHARE) * 60 * (RUN_MS / HOUR_MS))
  })
})
