import { articlePagesLayers } from '../../src/app/crawling/article-pages.ts'
import { crawlerFor, fetcherFor, schedulerFor } from '../../src/app/crawling/crawling.ts'
import { politenessFor } from '../../src/app/crawling/politeness.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { createExtractor } from '../../src/articles/threads/extractor.ts'
import type { PageReader } from '../../src/articles/visit-page.ts'
import { ENDLESS_DISK } from '../../src/crawler/disk-space.ts'
import type { Fetcher } from '../../src/crawler/fetch/fetcher.ts'
import { politely } from '../../src/crawler/politeness/polite-fetcher.ts'
import { HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { steady } from '../../src/runtime/steady-clock.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import type { Store } from '../../src/store/store.ts'
import { PAGE_WORD } from '../worlds/article-pages.ts'
import { startWorld, type World } from '../worlds/server.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface ArticleSetting {
  readonly feeds: number
  readonly itemsPerDay: number
  readonly hours: number
  readonly pages: 'off' | 'fetch'
  readonly budgetPerHour: number
  /** Of the budget, for pages. */
  readonly pageShare: number
  /** Of the pages. */
  readonly faultShare: number
  readonly seed: number
  /** Absent: the usual one, in threads. */
  readonly openExtractor?: () => PageReader
}

export interface ArticleRun {
  /** Of items that were published while it ran, to when they were stored. */
  readonly meanDelayMs: number
  readonly items: number
  readonly feedRequests: number
  /** Of pages and robots.txt. */
  readonly pageRequests: number
  /** The most of all kinds in an hour. */
  readonly mostPerHour: number
  /** Pages that were requested more often than what became of them says. */
  readonly repeated: number
  /** Items that are found by a word that stands on pages alone. */
  readonly foundByWord: number
  /** Pages by what became of them: `article`, `waiting` or a code. */
  readonly outcomes: Readonly<Record<string, number>>
}

const START = Date.UTC(2026, 0, 5)
const MOST_ITEMS = 1_000_000

/**
 * A world whose feeds have teasers, over real HTTP: the crawler and the fetching of pages through hours of virtual time, which
 * stands still while a request is answered and passes while a site lets somebody wait.
 */
export async function runArticleWorld(setting: ArticleSetting): Promise<ArticleRun> {
  const clock = new VirtualClock(START)
  const sleeping = countedSleeps(clock)
  const { feeds, itemsPerDay, seed, faultShare } = setting
  const world = await startWorld({
    ...{ feeds, itemsPerDay, seed, articles: { faultShare }, clock: sleeping.clock },
    ...{ startAt: START, realStartAt: START, dates: 'virtual' },
  })
  const flags = { budget: `${setting.budgetPerHour}/h`, pageShare: setting.pageShare, checkpoint: '10min' }
  const config = loadConfig('none', { ...flags, allowRange: ['loopback'] }, {})
  const fetching = countedFetches(fetcherFor(config, clock), clock)
  const { data, reading } = countedPages(createMemoryStore({ clock }))
  const steadyClock = steady(clock)
  const limits = politenessFor(config, steadyClock)
  const environment = { clock: steadyClock, random: seededRandom(seed), logger: silentLogger }
  const scheduler = schedulerFor(config, environment)
  const urls = Array.from({ length: feeds }, (_, index) => world.feedUrl(index))
  await data.store.addSources(
    urls.map((url) => withSourceDefaults({ url, pages: setting.pages })),
    clock.now(),
  )
  const crawler = crawlerFor(config, data, fetching.fetcher, environment, { scheduler, limits, shared: 'none' })
  const web = { polite: politely(fetching.fetcher, limits, steadyClock), limits }
  const openExtractor = async () => reading.counted((setting.openExtractor ?? createExtractor)())
  const layers = articlePagesLayers(config, { data, web, scheduler, environment, openExtractor, disk: ENDLESS_DISK })
  const stopping = new AbortController()
  const isBusy = () => crawler.busy > 0 || fetching.underWay() > sleeping.count() || reading.count() > 0
  try {
    const running = [crawler.run(stopping.signal), ...layers.map((layer) => layer.run(stopping.signal, () => {}))]
    await clock.runUntil(START + setting.hours * HOUR_MS, isBusy)
    stopping.abort()
    clock.wakeAll()
    await Promise.all(running)
    return await measured(data.store, world, fetching.log)
  } finally {
    await fetching.fetcher.close()
    await world.close()
  }
}

/** How many sleep: time may pass for them. */
function countedSleeps(clock: Clock): { readonly clock: Clock; count(): number } {
  let count = 0
  const sleep: Clock['sleep'] = async (ms, signal) => {
    count++
    await clock.sleep(ms, signal).finally(() => count--)
  }
  return { clock: { now: () => clock.now(), monotonicMs: () => clock.monotonicMs(), sleep }, count: () => count }
}

interface LoggedRequest {
  readonly at: InstantMs
  readonly isFeed: boolean
}

function countedFetches(fetcher: Fetcher, clock: Clock) {
  const log: LoggedRequest[] = []
  let underWay = 0
  const counted: Fetcher = {
    close: () => fetcher.close(),
    async fetch(request) {
      log.push({ at: clock.now(), isFeed: new URL(request.url).pathname.startsWith('/feed.') })
      underWay++
      const { enterHop } = request
      const waitForHop: typeof enterHop =
        enterHop &&
        (async (url, signal) => {
          underWay--
          return enterHop(url, signal).finally(() => underWay++)
        })
      return fetcher.fetch({ ...request, ...(waitForHop && { enterHop: waitForHop }) }).finally(() => underWay--)
    },
  }
  return { fetcher: counted, log, underWay: () => underWay }
}

/** Time stands still from when a page is read until what was found is stored. */
function countedPages<D extends { readonly store: Store }>(data: D) {
  let count = 0
  const recordPage: Store['recordPage'] = async (record) => {
    const isWritten = await data.store.recordPage(record)
    if (record.found !== null) count--
    return isWritten
  }
  const counted = (extractor: PageReader): PageReader => ({
    close: () => extractor.close(),
    async extract(page, rules) {
      count++
      return extractor.extract(page, rules)
    },
  })
  return { data: { ...data, store: { ...data.store, recordPage } }, reading: { counted, count: () => count } }
}

async function measured(store: Store, world: World, log: readonly LoggedRequest[]): Promise<ArticleRun> {
  const items = await store.itemsAfter(0, MOST_ITEMS)
  const delays = items.flatMap(({ published, firstSeenAt }) =>
    published !== null && published >= START ? [firstSeenAt - published] : [],
  )
  const visits = visitsByLink(world)
  const outcomes: Record<string, number> = {}
  let repeated = 0
  for (const { seq, link } of items) {
    const page = await store.itemPage(seq)
    if (page === null) continue
    const word = page.failure ?? (page.dueAt === null ? 'article' : 'waiting')
    outcomes[word] = (outcomes[word] ?? 0) + 1
    // A connection that is reset at once is tried anew, as with feeds (RFC 9112 §9.3.1).
    if (page.failure === null && (visits.get(link ?? '') ?? 0) > page.attempts) repeated++
  }
  const feedRequests = log.filter(({ isFeed }) => isFeed).length
  return {
    meanDelayMs: delays.reduce((sum, ms) => sum + ms, 0) / delays.length,
    items: items.length,
    feedRequests,
    pageRequests: log.length - feedRequests,
    mostPerHour: mostInAnHour(log.map(({ at }) => at)),
    repeated,
    foundByWord: (await store.items({ scope: { kind: 'all' }, text: PAGE_WORD, limit: MOST_ITEMS })).length,
    outcomes,
  }
}

function visitsByLink(world: World): ReadonlyMap<string, number> {
  const visits = new Map<string, number>()
  for (let index = 0; index < world.feedCount; index++) {
    for (const [key, count] of world.pageVisits(index)) visits.set(`${world.siteUrl(index)}items/${key}`, count)
  }
  return visits
}

/** In any hour, beginning with any request. */
function mostInAnHour(times: readonly InstantMs[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  let from = 0
  let most = 0
  for (const [to, at] of sorted.entries()) {
    while ((sorted[from] ?? at) <= at - HOUR_MS) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}
