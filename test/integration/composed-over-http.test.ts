import { afterEach, describe, expect, it } from 'vitest'
import { runLive } from '../../lab/live/run-live.ts'
import { VirtualClock } from '../../lab/live/virtual-clock.ts'
import { poissonTimes } from '../../lab/simulator/poisson.ts'
import { linkOf, type SiteItem } from '../../lab/worlds/site/documents.ts'
import { type Site, startSite } from '../../lab/worlds/site/site.ts'
import { clausesOf } from '../../src/api/reason-clauses.ts'
import type { Fetcher } from '../../src/crawler/fetch/fetcher.ts'
import { createFetcher } from '../../src/crawler/fetch/http.ts'
import { DAY_MS, HOUR_MS, type InstantMs, SECOND_MS } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'

const START = Date.UTC(2026, 0, 5)
const DAYS = 6
const END = START + DAYS * DAY_MS
const LIKE_A_SITE = 'https://www.reddit.com'
const NAMES = Array.from({ length: 24 }, (_, index) => `group${String.fromCharCode(97 + index)}`)
const COMMON = '/feed.xml'

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close()
})

/** Of 2 to 14 posts a day. */
const items: readonly SiteItem[] = (() => {
  const random = seededRandom(11)
  return NAMES.flatMap((section, index) =>
    [...poissonTimes((2 + index / 2) / DAY_MS, START - DAY_MS, END, random)].map((at, k) => ({
      section,
      id: `${section}${k}`,
      at: Math.floor(at / 1000) * 1000,
    })),
  )
})()

interface Limits {
  readonly mostComposed?: number
  /** Items in an answer for several. */
  readonly composed?: number
  readonly flags?: Record<string, unknown>
  /** Follows the common feed of the site, too. */
  readonly withCommon?: boolean
}

/** Over real HTTP on loopback: the site believes to be asked by its own name. */
function localFetcher({ origin }: Site): Fetcher {
  const inner = createFetcher({ allowRanges: ['loopback'] })
  closing.push(inner)
  return {
    async fetch({ enterHop: _, ...request }) {
      const fetched = await inner.fetch({ ...request, url: request.url.replace(LIKE_A_SITE, origin) })
      return fetched.kind === 'failed' ? fetched : { ...fetched, finalUrl: request.url, permanentUrl: null }
    },
    close: async () => {},
  }
}

async function crawl({ mostComposed = 10, composed = 100, flags, withCommon = false }: Limits) {
  const clock = new VirtualClock(START)
  const windows = { section: 25, main: 150, map: 200, composed }
  const leastGapMs = 6 * SECOND_MS
  const site = await startSite({ items, clock, windows, mostComposed, leastGapMs, covers: () => true })
  closing.push(site)
  const data = createMemoryStore({ clock })
  const paths = [...NAMES.map((name) => `/r/${name}/new/.rss`), ...(withCommon ? [COMMON] : [])]
  await runLive({
    clock,
    data,
    fetcher: localFetcher(site),
    urls: paths.map((path) => `${LIKE_A_SITE}${path}`),
    endMs: END,
    seed: 1,
    flags: { budget: `${3 * paths.length}/day`, bundleFamilies: 'reddit', ...flags },
  })
  const seen = new Map<string, InstantMs[]>()
  for (const { sourceId, link, firstSeenAt } of await data.store.items({ scope: { kind: 'all' }, limit: 10_000 })) {
    if (sourceId > NAMES.length) continue
    const key = `${sourceId} ${link}`
    seen.set(key, [...(seen.get(key) ?? []), firstSeenAt])
  }
  const keyOf = (item: SiteItem) => `${NAMES.indexOf(item.section) + 1} ${linkOf(item)}`
  const due = items.filter(({ at }) => at > START + HOUR_MS && at < END - 2 * DAY_MS)
  const delays = due.flatMap((item) => (seen.get(keyOf(item)) ?? []).map((first) => first - item.at))
  const published = new Set(items.map(keyOf))
  return {
    outcome: {
      lost: due.filter((item) => !seen.has(keyOf(item))).length,
      doubled: [...seen.values()].filter(({ length }) => length > 1).length,
      wrong: [...seen.keys()].filter((key) => !published.has(key)).length,
    },
    meanDelayMs: delays.reduce((sum, delay) => sum + delay, 0) / delays.length,
    requests: site.log.length,
    composed: site.log.filter(({ path }) => path.includes('+')),
    statuses: new Set(site.log.map(({ status }) => status)),
    refused: site.log.filter(({ status }) => status === 400),
    reasons: (await data.store.sources()).map(({ state }) => state.nextCheckReason),
  }
}

const EACH_ONCE = { lost: 0, doubled: 0, wrong: 0 }

describe('a site that answers for several sources at once, within limits, over HTTP', () => {
  it('is asked within its limits, and each post is there once, sooner', async () => {
    const together = await crawl({})
    const alone = await crawl({ flags: { bundles: false } })
    expect(together.outcome).toEqual(EACH_ONCE)
    // Never too many names (400), and never too often (429): nothing but a robots.txt is missing.
    expect([...together.statuses].sort()).toEqual([200, 304, 404])
    expect(Math.max(...together.composed.map(({ path }) => path.split('+').length))).toBe(10)
    expect(together.requests).toBeLessThanOrEqual(1.02 * alone.requests)
    expect(together.meanDelayMs).toBeLessThan(0.3 * alone.meanDelayMs)
    const seenWithNine = together.reasons.filter((reason) => reason?.includes('seen with 9 others in one request'))
    expect(seenWithNine).toHaveLength(20)
    // The page of a source says it in its reader's language.
    for (const reason of seenWithNine) {
      expect(clausesOf(reason ?? null).map(({ code }) => code)).toEqual(['seen-with', 'by-itself'])
    }
  })

  it('that shows less in an answer than it says costs no post', async () => {
    const { outcome, composed } = await crawl({ composed: 4 })
    expect(composed.length).toBeGreaterThan(20)
    expect(outcome).toEqual(EACH_ONCE)
  })

  it('that takes fewer names than is known of it is asked for each, and seldom for several again', async () => {
    const { outcome, refused, requests, meanDelayMs } = await crawl({ mostComposed: 3 })
    const alone = await crawl({ flags: { bundles: false } })
    expect(outcome).toEqual(EACH_ONCE)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(0.08 * requests)
    expect(meanDelayMs).toBeLessThan(1.35 * alone.meanDelayMs)
  })

  it('whose common feed is followed, too, is asked for both, and each post is there once', async () => {
    const { outcome, composed } = await crawl({ withCommon: true })
    expect(outcome).toEqual(EACH_ONCE)
    expect(composed.length).toBeGreaterThan(20)
  })
})
