import { afterEach, describe, expect, it } from 'vitest'
import { crawlerFor, fetcherFor } from '../../src/app/crawling/crawling.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type SourceState } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { settings } from '../contract/store.fixture.ts'
import { startServer } from '../support/local-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const NOON = Date.UTC(2024, 4, 17, 12)
const DAY_NAMES = '<day>Friday</day>'

/** Ten items, one a day: slow enough that no hint endangers any. */
function rss(channel: string, itemEveryMs = DAY_MS): string {
  const items = Array.from({ length: 10 }, (_, index) => {
    const at = new Date(NOON - (index + 1) * itemEveryMs).toUTCString()
    return `<item><guid>g${index}</guid><title>t${index}</title><pubDate>${at}</pubDate></item>`
  })
  return `<rss version="2.0" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>T</title>${channel}${items.join('')}</channel></rss>`
}

/** The real crawler at noon of a Friday: one refresh of one source, over HTTP; `again` counts what a due source costs. */
async function refreshed(document: string, headers: Record<string, string> = {}) {
  const server = await startServer((_, response) => response.writeHead(200, headers).end(document))
  const config = loadConfig(
    'none',
    { allowRange: ['loopback'], hostSpacing: 0, strategy: 'uniform', budget: '6000/min', minInterval: '1min' },
    {},
  )
  // It goes on from wherever it is set: a budget is earned in time.
  let setBackMs = systemClock.now() - NOON
  const now = () => systemClock.now() - setBackMs
  const clock = { ...systemClock, now, monotonicMs: now }
  const data = createMemoryStore({ clock })
  const [{ source } = { source: null! }] = await data.store.addSources([settings(server.url('/feed'))], NOON)
  const fetcher = fetcherFor(config, clock)
  closing.push(
    () => server.close(),
    () => fetcher.close(),
  )
  /** Until the refresh, or this long where there is none to wait for. */
  const crawl = async (ms: number) => {
    const stopping = new AbortController()
    const environment = { clock, random: seededRandom(1), logger: silentLogger }
    const crawler = crawlerFor(config, data, fetcher, environment, { onRefreshed: () => stopping.abort() })
    const timer = setTimeout(() => stopping.abort(), ms)
    await crawler.run(stopping.signal)
    clearTimeout(timer)
  }
  await crawl(PATIENCE_MS)
  const state = (await data.store.source(source.id))!.state
  /** A new process at a later time: how many requests does it send at once? */
  const requestsAfter = async (ms: number, isDue: boolean) => {
    setBackMs = systemClock.now() - NOON - ms
    const before = server.requests.length
    await crawl(isDue ? PATIENCE_MS : 400)
    return server.requests.length - before
  }
  return { state, requestsAfter }
}

const minutesUntil = ({ nextCheckAt }: SourceState) => (nextCheckAt! - NOON) / MINUTE_MS

describe('a source that asks for less', () => {
  it.each<[string, string, Record<string, string>, number, RegExp]>([
    ['Cache-Control', rss(''), { 'cache-control': 'max-age=7200' }, 120, /max-age 2 h/],
    [
      'Expires',
      rss(''),
      { expires: new Date(NOON + 3 * HOUR_MS).toUTCString(), date: new Date(NOON).toUTCString() },
      180,
      /Expires/,
    ],
    ['ttl', rss('<ttl>300</ttl>'), {}, 300, /ttl 5 h/],
    [
      'sy:',
      rss('<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>'),
      {},
      360,
      /sy:updatePeriod every 6 h/,
    ],
    [
      'sy: with a base',
      rss('<sy:updatePeriod>daily</sy:updatePeriod><sy:updateBase>2000-01-01T14:00+00:00</sy:updateBase>'),
      {},
      120,
      /sy:updatePeriod/,
    ],
    ['skipDays', rss(`<skipDays>${DAY_NAMES}</skipDays>`), {}, 12 * 60, /skipDays/],
  ])(
    '%s: is left alone until then, the reason says why, and another process keeps it',
    async (_, document, headers, minutes, reason) => {
      const { state, requestsAfter } = await refreshed(document, headers)
      expect(minutesUntil(state)).toBeCloseTo(minutes, 0)
      expect(state.nextCheckReason).toMatch(reason)
      expect(await requestsAfter((minutes - 2) * MINUTE_MS, false)).toBe(0)
      expect(await requestsAfter((minutes + 2) * MINUTE_MS, true)).toBe(1)
    },
  )

  it('is not left alone where its window turns over meanwhile, and the reason says so', async () => {
    // Ten items in fifty minutes: half a window is new after 25.
    const { state } = await refreshed(rss('<ttl>300</ttl>', 5 * MINUTE_MS))
    expect(minutesUntil(state)).toBeLessThan(26)
    expect(state.nextCheckReason).toMatch(/sooner than the site wants it/)
  })

  it('its hubs are recorded', async () => {
    const { state } = await refreshed(rss('<atom:link rel="hub" href="https://hub.example/"/>'))
    expect(state.hints?.hubs).toEqual(['https://hub.example/'])
  })

  it('its hubs are recorded from the header too, which comes first', async () => {
    const link = '<https://first.example/>; rel="hub", <https://site.example/topic>; rel=self'
    const { state } = await refreshed(rss('<atom:link rel="hub" href="https://hub.example/"/>'), { link })
    expect(state.hints).toMatchObject({
      hubs: ['https://first.example/', 'https://hub.example/'],
      selfUrl: 'https://site.example/topic',
    })
  })
})
