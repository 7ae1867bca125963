import { expect } from 'vitest'
import { feedUrl } from '../../lab/live/feed-documents.ts'
import { crawlerFor } from '../../src/app/crawling/crawling.ts'
import { leaseCrawl } from '../../src/app/crawling/leased-crawl.ts'
import { newMember } from '../../src/app/member.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { createMemoryLeases } from '../../src/cluster/memory/leases.ts'
import type { Fetcher, FetchOutcome } from '../../src/crawler/fetch/fetcher.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type SourceSettings } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { plainExtractor } from '../support/plain-extractor.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { feed, onNode, type SettingsStage } from './one-node.ts'
import { row, type SettingRow } from './setting-row.ts'
import { type CrawlFigures, virtualCrawl } from './virtual-crawl.ts'

type Flags = Readonly<Record<string, unknown>>

const many = (count: number, everyMs: number) => Array.from({ length: count }, () => everyMs)
const BUSY = 5 * MINUTE_MS
const PLENTY = '1000/min'

function gapsOfFirst({ refreshes }: CrawlFigures): readonly number[] {
  const times = refreshes.filter(({ id }) => id === 1).map(({ ms }) => ms)
  return times.slice(1).map((ms, k) => ms - times[k]!)
}

/** How many seconds the others wait for a crawler that was just given its sources. */
async function leaseAfterStart(flags: Flags): Promise<number> {
  const clock = virtualClock()
  const leases = createMemoryLeases(() => clock.now())
  const environment = { clock, random: seededRandom(1), logger: silentLogger }
  const hostMemory = { save: async () => {}, learn: async () => {} }
  const { during } = leaseCrawl(loadConfig('none', flags, {}), leases, newMember(['crawler']), environment, hostMemory)
  const ending = new AbortController()
  const untilEnd = (end: AbortSignal) => clock.sleep(HOUR_MS, end)
  const running = during({ name: 'crawl', run: untilEnd }).run(ending.signal, () => {})
  let lastsMs = 0
  while (lastsMs === 0) {
    await clock.pass(100)
    const { leases: listed, now } = await leases.view('crawler')
    lastsMs = Math.max(0, ...listed.map(({ until }) => until - now))
  }
  ending.abort()
  await running
  return Math.ceil(lastsMs / SECOND_MS)
}

/** How many pages of the items of one feed a node asks for. */
async function pagesAskedFor(flags: Flags, source: Partial<SourceSettings>, isNone: boolean): Promise<number> {
  const pages = new Set<string>()
  const site = await startServer(({ url = '', headers }, response) => {
    if (url === '/robots.txt') return void response.writeHead(404).end()
    if (url !== '/feed') return void (pages.add(url) && response.end('a page'))
    response.end(
      `<rss version="2.0"><channel><item><guid>1</guid><link>http://${headers.host}/1</link></item></channel></rss>`,
    )
  })
  const openExtractor = async () => plainExtractor()
  try {
    const look = async ({ node }: SettingsStage) => {
      const { store } = node.data
      const settings = { url: site.url('/feed'), ...source }
      await store.addSources([withSourceDefaults(settings)], systemClock.now())
      await eventually(async () => (await store.counts()).items === 1)
      if (isNone) await systemClock.sleep(3 * SECOND_MS)
      else await eventually(() => pages.size > 0)
      return pages.size
    }
    return await onNode({ budget: '20/s', ...flags }, look, systemClock, { openExtractor })
  } finally {
    await site.close()
  }
}

/** Requests for the icon of one source that somebody wants to see. */
async function iconsAskedFor(flags: Flags): Promise<number> {
  const icons = new Set<string>()
  const site = await startServer(({ url = '' }, response) => {
    if (url === '/favicon.ico') icons.add(url)
    if (url === '/feed') response.end(feed())
    else response.writeHead(404).end()
  })
  const look = async ({ node }: SettingsStage) => {
    const { store } = node.data
    const added = await store.addSources([withSourceDefaults({ url: site.url('/feed') })], systemClock.now())
    await store.wantIcons(
      added.map(({ source }) => source.id),
      systemClock.now(),
    )
    if (flags['iconShare'] === 0) await systemClock.sleep(3 * SECOND_MS)
    else await eventually(() => icons.size > 0)
    return icons.size
  }
  try {
    return await onNode({ budget: '20/s', ...flags }, look)
  } finally {
    await site.close()
  }
}

/** Requests to the hub that a feed names. */
async function hubsAskedFor(flags: Flags): Promise<number> {
  const hubs = new Set<string>()
  const site = await startServer((request, response) => {
    if (request.url === '/hub') hubs.add(request.url)
    const link = `<${site.url('/hub')}>; rel=hub, <${site.url('/feed')}>; rel=self`
    response.writeHead(200, { link }).end(feed())
  })
  const look = async ({ node }: SettingsStage) => {
    const { store } = node.data
    await store.addSources([withSourceDefaults({ url: site.url('/feed') })], systemClock.now())
    await eventually(async () => (await store.counts()).items > 0)
    if (flags['push'] === true) await eventually(() => hubs.size > 0)
    return hubs.size
  }
  try {
    return await onNode({ budget: '20/s', ...flags }, look)
  } finally {
    await site.close()
  }
}

/** Requests for several communities at once, in a day. */
async function composedAsked(flags: Flags): Promise<number> {
  const urls: string[] = []
  const watched = (_clock: unknown, usual: Fetcher): Fetcher => ({
    ...usual,
    fetch: (request) => {
      urls.push(request.url)
      // Whatever is asked for, the first feed answers; robots.txt is no list of rules then.
      return usual.fetch({ ...request, url: feedUrl(0) })
    },
  })
  await virtualCrawl({
    everyMs: many(3, HOUR_MS),
    runMs: DAY_MS,
    urlOf: (index) => `https://www.reddit.com/r/community${index}/new/.rss`,
    fetcher: watched,
    flags: { budget: PLENTY, ...flags },
  })
  return urls.filter((url) => url.includes('+')).length
}

/** What the scheduler does with a budget. */
export const CRAWL_ROWS: readonly SettingRow[] = [
  row('budget', {
    values: ['30/h', '120/h'],
    effect: async (flags) =>
      (await virtualCrawl({ everyMs: many(50, BUSY), runMs: 3 * HOUR_MS, flags })).refreshes.length,
    shows: (little, much) => {
      expect(little).toBeLessThanOrEqual(3 * 30 + 10)
      expect(much).toBeGreaterThan(3 * little)
    },
  }),
  row('pageShare', {
    values: [0, 1],
    effect: (flags) => pagesAskedFor(flags, { pages: 'fetch' }, flags['pageShare'] === 0),
    shows: (nothing, share) => {
      expect(nothing).toBe(0)
      expect(share).toBe(1)
    },
  }),
  row('iconShare', {
    values: [0, 1],
    effect: iconsAskedFor,
    shows: (nothing, share) => {
      expect(nothing).toBe(0)
      expect(share).toBe(1)
    },
  }),
  row('push', {
    values: [false, true],
    effect: hubsAskedFor,
    shows: (nobody, hub) => {
      expect(nobody).toBe(0)
      expect(hub).toBe(1)
    },
  }),
  row('bundles', {
    values: [false, true],
    effect: (flags) => composedAsked({ bundleFamilies: 'reddit', ...flags }),
    shows: (alone, together) => {
      expect(alone).toBe(0)
      expect(together).toBeGreaterThan(0)
    },
  }),
  row('bundleFamilies', {
    values: [undefined, 'stack-exchange,reddit'],
    effect: composedAsked,
    shows: (usual, named) => {
      expect(usual).toBe(0)
      expect(named).toBeGreaterThan(0)
    },
  }),
  row('pageFolders', {
    values: ['Sport', 'Sport,News'],
    effect: (flags) => pagesAskedFor(flags, { categories: ['News/Science'] }, flags['pageFolders'] === 'Sport'),
    shows: (otherFolder, folder) => {
      expect(otherFolder).toBe(0)
      expect(folder).toBe(1)
    },
  }),
  row('burst', {
    values: [1, 20],
    effect: async (flags) => {
      const crawl = { everyMs: many(40, BUSY), runMs: 5 * MINUTE_MS, flags: { budget: '60/h', ...flags } }
      return (await virtualCrawl(crawl)).refreshes.filter(({ ms }) => ms < MINUTE_MS).length
    },
    shows: (one, twenty) => {
      expect(one).toBeLessThanOrEqual(2)
      expect(twenty).toBeGreaterThanOrEqual(10)
    },
  }),
  row('minInterval', {
    values: ['5min', '20min'],
    effect: async (flags) => {
      const crawl = { everyMs: [MINUTE_MS], runMs: 4 * HOUR_MS, flags: { budget: PLENTY, ...flags } }
      return Math.min(...gapsOfFirst(await virtualCrawl(crawl)))
    },
    shows: (short, long) => {
      expect(short).toBeGreaterThanOrEqual(5 * MINUTE_MS)
      expect(short).toBeLessThan(20 * MINUTE_MS)
      expect(long).toBeGreaterThanOrEqual(20 * MINUTE_MS)
    },
  }),
  row('maxInterval', {
    values: ['1h', '2d'],
    effect: async (flags) => {
      // One that never publishes beside some that do: by itself it would wait for longer and longer.
      const everyMs = [20 * DAY_MS, ...many(5, HOUR_MS)]
      const { records } = await virtualCrawl({ everyMs, runMs: DAY_MS, flags: { budget: '100/day', ...flags } })
      const states = records.filter(({ sourceId }) => sourceId === 1).map(({ state }) => state)
      return Math.max(...states.map(({ lastCheckAt, nextCheckAt }) => nextCheckAt! - lastCheckAt!))
    },
    shows: (short, long) => {
      expect(short).toBe(HOUR_MS)
      expect(long).toBeGreaterThan(HOUR_MS)
      expect(long).toBeLessThanOrEqual(2 * DAY_MS)
    },
  }),
  row('strategy', {
    values: ['uniform', 'two-steps'],
    effect: async (flags) => {
      const everyMs = [BUSY, DAY_MS, DAY_MS, DAY_MS]
      const crawl = { everyMs, runMs: 2 * DAY_MS, flags: { budget: '96/day', ...flags } }
      return (await virtualCrawl(crawl)).refreshes.filter(({ id }) => id === 1).length
    },
    shows: (uniform, twoSteps) => {
      // A quarter of the budget each, and more where more is published.
      expect(uniform).toBeLessThan(70)
      expect(twoSteps).toBeGreaterThan(1.4 * uniform)
    },
  }),
  row('threshold', {
    values: ['price', 'thesis'],
    effect: async (flags) => {
      const base = { strategy: 'two-steps', cycle: '20min', budget: '7/h', ...flags }
      const { refreshes } = await virtualCrawl({ everyMs: many(6, BUSY), runMs: DAY_MS, flags: base })
      return refreshes.filter(({ ms }) => ms % (20 * MINUTE_MS) === 0).length / refreshes.length
    },
    shows: (price, thesis) => {
      expect(price).toBeLessThan(0.5)
      expect(thesis).toBe(1)
    },
  }),
  row('cycle', {
    values: ['20min', '1h'],
    effect: async (flags) => {
      const base = { strategy: 'two-steps', threshold: 'thesis', budget: '6/h', ...flags }
      const { refreshes } = await virtualCrawl({ everyMs: many(6, BUSY), runMs: DAY_MS, flags: base })
      const moments = [...new Set(refreshes.map(({ ms }) => ms))]
      return Math.min(...moments.slice(1).map((ms, k) => ms - moments[k]!))
    },
    shows: (short, long) => expect([short, long]).toEqual([20 * MINUTE_MS, HOUR_MS]),
  }),
  row('estimator', {
    values: ['single-variable', 'usual'],
    effect: async (flags) => {
      const crawl = {
        everyMs: [HOUR_MS],
        runMs: DAY_MS,
        flags: { strategy: 'scc07-combined', budget: '48/day', ...flags },
      }
      const { store } = await virtualCrawl(crawl)
      return (await store.scheduleChanges(0)).changed[0]!.model!.form
    },
    shows: (single, usual) => {
      expect(single).toContain('single-variable')
      expect(usual).toContain('posting-clusters')
    },
  }),
  row('exploreShare', {
    values: [0.05, 1],
    effect: async (flags) => {
      const late = { afterMs: 12 * HOUR_MS, everyMs: many(40, BUSY) }
      const base = { strategy: 'two-steps', budget: '60/h', ...flags }
      const figures = await virtualCrawl({ everyMs: many(200, BUSY), runMs: 13 * HOUR_MS, late, flags: base })
      return figures.refreshes.filter(({ id, ms }) => id > 200 && ms > late.afterMs).length
    },
    shows: (little, all) => {
      expect(little).toBeLessThan(15)
      expect(all).toBeGreaterThan(2 * little)
    },
  }),
  row('learning', {
    values: ['online', 'separate'],
    effect: async (flags) => {
      const crawl = { everyMs: [BUSY, ...many(9, DAY_MS)], runMs: DAY_MS, flags: { budget: '96/day', ...flags } }
      return (await virtualCrawl(crawl)).causes.get('learning') ?? 0
    },
    shows: (online, separate) => {
      expect(online).toBe(0)
      expect(separate).toBeGreaterThan(10)
    },
  }),
  row('learnFor', {
    values: ['6h', '18h'],
    effect: async (flags) => (await learningHours({ learning: 'freeze', ...flags })).at(-1),
    shows: (short, long) => expect([short, long]).toEqual([5, 17]),
  }),
  row('learnEvery', {
    values: ['8h', '16h'],
    effect: (flags) => learningHours({ learning: 'repeated', learnFor: '2h', ...flags }),
    shows: (often, rarely) => {
      expect(often).toEqual([0, 1, 8, 9, 16, 17])
      expect(rarely).toEqual([0, 1, 16, 17])
    },
  }),
  row('learningShare', {
    values: [0, 0.5],
    effect: async (flags) => {
      const crawl = { everyMs: [BUSY, ...many(9, DAY_MS)], runMs: DAY_MS, flags: { budget: '96/day', ...flags } }
      return (await virtualCrawl(crawl)).causes.get('learning') ?? 0
    },
    shows: (none, half) => {
      expect(none).toBe(0)
      expect(half).toBeGreaterThan(20)
    },
  }),
  row('afterLoss', {
    values: ['strategy', 'sooner'],
    effect: async (flags) => {
      const base = { strategy: 'uniform', budget: '60/day', ...flags }
      const figures = await virtualCrawl({ everyMs: [BUSY, ...many(4, DAY_MS)], runMs: 2 * DAY_MS, flags: base })
      return gapsOfFirst(figures).filter((ms) => ms < HOUR_MS).length
    },
    shows: (asItIs, sooner) => {
      expect(asItIs).toBe(0)
      expect(sooner).toBeGreaterThan(5)
    },
  }),
  row('costs', {
    values: ['requests', 'bytes'],
    effect: async (flags) => {
      const crawl = { everyMs: [HOUR_MS], runMs: DAY_MS, flags: { budget: '48/day', ...flags } }
      const { store } = await virtualCrawl(crawl)
      return (await store.scheduleChanges(0)).changed[0]!.model!.cost
    },
    shows: (requests, bytes) => {
      expect(requests).toBe(1)
      expect(bytes).toBeLessThan(1)
    },
  }),
  row('checkpoint', {
    values: ['1min', '20min'],
    effect: async (flags) =>
      (await virtualCrawl({ everyMs: [HOUR_MS], runMs: 2 * HOUR_MS, flags: { budget: PLENTY, ...flags } })).checkpoints,
    shows: (often, rarely) => {
      expect(often).toBeGreaterThan(100)
      expect(rarely).toBeLessThan(12)
    },
  }),
  row('repairPages', {
    values: [0, 7],
    effect: (flags) => mostPagesOfOneRefresh(flags),
    shows: (none, more) => expect([none, more]).toEqual([0, 7]),
  }),
  row('lease', {
    values: ['2s', '7s'],
    effect: (flags) => leaseAfterStart(flags),
    shows: (short, long) => expect([short, long]).toEqual([2, 7]),
  }),
  row('concurrency', {
    values: [1, 3],
    effect: (flags) => mostUnderWay(flags, (index) => `http://host-${index}.test/feed`),
    shows: (one, three) => expect([one, three]).toEqual([1, 3]),
  }),
  row('hostConcurrency', {
    values: [1, 3],
    effect: (flags) => mostUnderWay({ concurrency: 10, ...flags }, (index) => `http://host.test/${index}`),
    shows: (one, three) => expect([one, three]).toEqual([1, 3]),
  }),
  row('hostSpacing', {
    values: ['20ms', '300ms'],
    effect: async (flags) => {
      const starts: number[] = []
      await slowHosts(
        { concurrency: 10, ...flags },
        (index) => `http://host.test/${index}`,
        (_underWay, ms) => void starts.push(ms),
      )
      // The mean: on a busy machine a request starts some time after it was let go, and the next seems sooner.
      return ((starts.at(-1) ?? 0) - (starts[0] ?? 0)) / (starts.length - 1)
    },
    shows: (short, long) => {
      expect(short).toBeGreaterThanOrEqual(16)
      expect(long).toBeGreaterThanOrEqual(270)
    },
  }),
]

/** The hours of a day in which something was requested for learning. */
async function learningHours(flags: Flags): Promise<readonly number[]> {
  const { records } = await virtualCrawl({
    everyMs: many(10, BUSY),
    runMs: DAY_MS,
    flags: { budget: '20/h', ...flags },
  })
  const hours = records.flatMap(({ decision }) => (decision?.cause === 'learning' ? [hourOf(decision.at)] : []))
  return [...new Set(hours)]
}

const hourOf = (at: number) => Math.floor((at % DAY_MS) / HOUR_MS)

async function mostUnderWay(flags: Flags, urlOf: (index: number) => string): Promise<number> {
  let most = 0
  await slowHosts(flags, urlOf, (underWay) => {
    most = Math.max(most, underWay)
  })
  return most
}

/** Eight new sources whose answers take a moment, in real time. */
async function slowHosts(
  flags: Flags,
  urlOf: (index: number) => string,
  onStart: (underWay: number, ms: number) => void,
): Promise<void> {
  const config = loadConfig('none', { budget: PLENTY, burst: 100, hostSpacing: 0, ...flags }, {})
  const data = createMemoryStore({ clock: systemClock })
  const urls = Array.from({ length: 8 }, (_, index) => withSourceDefaults({ url: urlOf(index) }))
  await data.store.addSources(urls, systemClock.now())
  const stopping = new AbortController()
  let underWay = 0
  let over = 0
  const fetcher: Fetcher = {
    async fetch({ url }) {
      onStart(++underWay, systemClock.monotonicMs())
      await systemClock.sleep(50)
      underWay--
      if (++over === urls.length) stopping.abort()
      return feedAnswer(url, pageOf(5, 0))
    },
    close: async () => {},
  }
  const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
  await crawlerFor(config, data, fetcher, environment, { shared: 'none' }).run(stopping.signal)
}

/** A feed of five items that has published a hundred before every refresh, with older pages of five each. */
async function mostPagesOfOneRefresh(flags: Flags): Promise<number> {
  const perRefresh: number[] = []
  await virtualCrawl({
    everyMs: [DAY_MS],
    runMs: 5 * HOUR_MS,
    flags: { budget: '1/h', burst: 100, strategy: 'uniform', ...flags },
    fetcher: () => ({
      async fetch({ url }): Promise<FetchOutcome> {
        const page = Number(new URL(url).searchParams.get('page') ?? 0)
        if (page === 0) perRefresh.push(0)
        else perRefresh[perRefresh.length - 1] = page
        return feedAnswer(url, pageOf(100 * perRefresh.length - 5 * page, page))
      },
      close: async () => {},
    }),
  })
  return Math.max(...perRefresh)
}

function pageOf(newest: number, page: number): string {
  const items = [0, 1, 2, 3, 4].map((k) => `<item><guid>g${newest - k}</guid><title>t${newest - k}</title></item>`)
  const next = `<atom:link rel="next" href="?page=${page + 1}"/>`
  return `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>T</title>${next}${items.join('')}</channel></rss>`
}

function feedAnswer(url: string, text: string): FetchOutcome {
  const body = Buffer.from(text)
  const nothing = { permanentUrl: null, etag: null, lastModified: null, hints: { maxAgeMs: null, expiresAt: null } }
  const spent = { bytes: body.length, latencyMs: 20 }
  return { kind: 'content', status: 200, finalUrl: url, body, contentType: 'text/xml', ...nothing, ...spent }
}
