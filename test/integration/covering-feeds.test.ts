import { afterEach, describe, expect, it } from 'vitest'
import { runLive } from '../../lab/live/run-live.ts'
import { VirtualClock } from '../../lab/live/virtual-clock.ts'
import { poissonTimes } from '../../lab/simulator/poisson.ts'
import type { SiteItem } from '../../lab/worlds/site/documents.ts'
import { linkOf } from '../../lab/worlds/site/documents.ts'
import { type Site, type SiteOptions, startSite } from '../../lab/worlds/site/site.ts'
import { COVERS } from '../../src/crawler/covers/cover-state.ts'
import type { Fetcher } from '../../src/crawler/fetch/fetcher.ts'
import { createFetcher } from '../../src/crawler/fetch/http.ts'
import { DAY_MS, HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import { coveredShare } from '../../src/refresh/bundles/coverage.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'

const START = Date.UTC(2026, 0, 5)
const SECTIONS = ['arts', 'books', 'chess', 'dance']
const LIKE_A_SITE = 'https://site.example'

const sites: Site[] = []
const fetchers: Fetcher[] = []
afterEach(async () => {
  for (const fetcher of fetchers.splice(0)) await fetcher.close()
  for (const site of sites.splice(0)) await site.close()
})

function itemsUntil(end: InstantMs, seed: number): readonly SiteItem[] {
  const random = seededRandom(seed)
  return SECTIONS.flatMap((section, index) =>
    [...poissonTimes((6 + 4 * index) / DAY_MS, START - DAY_MS, end, random)].map((at, k) => ({
      section,
      id: `${section}${k}`,
      at: Math.floor(at / 1000) * 1000,
    })),
  )
}

/** So many of each section, evenly: by the item, so that it never changes its mind. */
const evenly =
  (share: number) =>
  ({ id }: SiteItem) => {
    const k = Number(/\d+$/.exec(id)?.[0])
    return Math.floor((k + 1) * share) > Math.floor(k * share)
  }

interface Run extends Partial<Pick<SiteOptions, 'covers' | 'fails'>> {
  readonly days: number
  readonly flags?: Record<string, unknown>
  /** The page that shows all sections. */
  readonly common?: string
  /** Of what the sections publish. */
  readonly seed?: number
}

/** Over real HTTP on loopback: the site believes to be asked by its own name. */
function localFetcher(origin: string): Fetcher {
  const inner = createFetcher({ allowRanges: ['loopback'] })
  fetchers.push(inner)
  return {
    async fetch(request) {
      const url = request.url.replace(LIKE_A_SITE, origin)
      const { enterHop: _, ...rest } = request
      const fetched = await inner.fetch({ ...rest, url })
      return fetched.kind === 'failed' ? fetched : { ...fetched, finalUrl: request.url, permanentUrl: null }
    },
    close: async () => {},
  }
}

async function crawl({ days, covers = () => true, fails, flags, common = '/feed.xml', seed = 5 }: Run) {
  const end = START + days * DAY_MS
  const clock = new VirtualClock(START)
  const items = itemsUntil(end, seed)
  const windows = { section: 20, main: 60, map: 200, composed: 60 }
  const site = await startSite({ items, clock, windows, mostComposed: 10, covers, ...(fails && { fails }) })
  sites.push(site)
  const memory = createMemoryStore({ clock })
  const paths = [common, ...SECTIONS.map((section) => `/${section}/feed.xml`)]
  await runLive({
    clock,
    data: memory,
    fetcher: localFetcher(site.origin),
    urls: paths.map((path) => `${LIKE_A_SITE}${path}`),
    endMs: end,
    seed: 1,
    flags: { budget: `${6 * paths.length}/day`, ...flags },
  })
  const stored = await memory.store.items({ scope: { kind: 'all' }, limit: 10_000 })
  const ofSections = stored.filter(({ sourceId }) => sourceId > 1)
  const seen = new Map<string, InstantMs[]>()
  for (const { sourceId, link, firstSeenAt } of ofSections) {
    const key = `${sourceId} ${link}`
    seen.set(key, [...(seen.get(key) ?? []), firstSeenAt])
  }
  const keyOf = (item: SiteItem) => `${SECTIONS.indexOf(item.section) + 2} ${linkOf(item)}`
  const due = items.filter(({ at }) => at > START + HOUR_MS && at < end - DAY_MS)
  const delays = due.flatMap((item) => (seen.get(keyOf(item)) ?? []).map((first) => first - item.at))
  const published = new Set(items.map(keyOf))
  return {
    site,
    store: memory.store,
    stored: ofSections,
    lost: due.filter((item) => !seen.has(keyOf(item))).length,
    doubled: [...seen.values()].filter(({ length }) => length > 1).length,
    wrong: [...seen.keys()].filter((key) => !published.has(key)).length,
    meanDelayMs: delays.reduce((sum, delay) => sum + delay, 0) / delays.length,
    sources: await memory.store.sources(),
    asked: (path: string, from = START, to = end) =>
      site.log.filter((one) => one.path === path && one.at >= from && one.at < to).length,
  }
}

const EACH_ONCE = { lost: 0, doubled: 0, wrong: 0 }
const resultOf = ({ lost, doubled, wrong }: typeof EACH_ONCE) => ({ lost, doubled, wrong })

describe('a feed that shows the items of other sources', () => {
  it('is asked for all of them: sooner, with no more requests, and each item is there once', async () => {
    const together = await crawl({ days: 6 })
    const alone = await crawl({ days: 6, flags: { bundles: false } })
    expect(resultOf(together)).toEqual(EACH_ONCE)
    expect(together.meanDelayMs).toBeLessThan(0.8 * alone.meanDelayMs)
    expect(together.site.log.length).toBeLessThanOrEqual(1.05 * alone.site.log.length)
    const late = START + 4 * DAY_MS
    expect(together.asked('/feed.xml', late)).toBeGreaterThan(1.5 * alone.asked('/feed.xml', late))
    expect(together.asked('/dance/feed.xml', late)).toBeLessThan(alone.asked('/dance/feed.xml', late))
    const reasons = together.sources.map(({ state }) => state.nextCheckReason)
    expect(reasons.filter((reason) => reason?.includes('seen with 4 others in one request'))).toHaveLength(5)
    // Their own feeds have more of an item, under other guids: known again, it is an edit.
    const whole = together.stored.filter(({ summary }) => summary?.startsWith('All of'))
    expect(whole.length).toBeGreaterThan(0)
    expect(whole.every(({ id }) => id?.startsWith('t3_'))).toBe(true)
  })

  it.each([0.3, 0.5, 0.75, 0.9, 1])('is known to show %s of them after three days', async (share) => {
    for (const seed of [5, 6]) {
      const { store, ...run } = await crawl({ days: 3, covers: evenly(share), seed })
      expect(resultOf(run)).toEqual(EACH_ONCE)
      const pairs = (await store.state(COVERS)).filter(({ cover }) => cover === 1)
      const judged = pairs.reduce(
        (sum, { record }) => ({ seen: sum.seen + record.seen, missed: sum.missed + record.missed }),
        { seen: 0, missed: 0 },
      )
      expect(judged.seen + judged.missed).toBeGreaterThan(50)
      expect(Math.abs(coveredShare(judged) - share)).toBeLessThanOrEqual(0.05)
    }
  })

  it('that stops showing them is noticed within a day, and costs no item', async () => {
    const stops = START + 4 * DAY_MS
    const covers = ({ section, at }: SiteItem) => section === 'arts' || at < stops
    const { store, asked, ...run } = await crawl({ days: 7, covers })
    expect(resultOf(run)).toEqual(EACH_ONCE)
    for (const section of ['books', 'chess', 'dance']) {
      expect(asked(`/${section}/feed.xml`, stops, stops + DAY_MS)).toBeGreaterThan(0)
    }
    const covered = (await store.state(COVERS)).filter(({ cover, member }) => cover === 1 && member > 2)
    expect(covered.every(({ record }) => coveredShare(record) < 0.4)).toBe(true)
  })

  it('that fails leaves them as if there were none', async () => {
    const from = START + 3 * DAY_MS
    const fails = (now: InstantMs) => now > from && now < from + 2 * DAY_MS
    const { asked, ...run } = await crawl({ days: 6, fails })
    expect(resultOf(run)).toEqual(EACH_ONCE)
    // Alone they are asked some 39 times in two days.
    const own = SECTIONS.map((section) => asked(`/${section}/feed.xml`, from, from + 2 * DAY_MS))
    expect(own.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(25)
  })
})

describe('a list of addresses that shows the items of other sources', () => {
  const common = '/sitemap.xml'

  it('says whether there is anything new, and the source is asked when there is', async () => {
    const { store, sources, ...run } = await crawl({ days: 5, common })
    expect(resultOf(run)).toEqual(EACH_ONCE)
    const sections = sources.filter(({ id }) => id > 1)
    const decisions = (await Promise.all(sections.map(({ id }) => store.decisions(id, 300)))).flat()
    const signalled = decisions.filter(({ cause }) => cause === 'signal')
    expect(signalled.length).toBeGreaterThan(20)
    expect(signalled.filter(({ newItems }) => newItems > 0).length / signalled.length).toBeGreaterThan(0.9)
    // Of an address alone nobody can read anything.
    expect(run.stored.every(({ title }) => title !== null)).toBe(true)
  })

  it('that says nothing new for ever costs no item', async () => {
    const stops = START + 3 * DAY_MS
    const { asked, ...run } = await crawl({ days: 6, common, covers: ({ at }) => at < stops })
    expect(resultOf(run)).toEqual(EACH_ONCE)
    for (const section of SECTIONS) {
      expect(asked(`/${section}/feed.xml`, stops, stops + DAY_MS)).toBeGreaterThan(0)
    }
  })
})
