import { afterEach, describe, expect, it } from 'vitest'
import { CLEAN_HABITS, type FeedPlan, type WorldFormat } from '../../lab/worlds/feed-plan.ts'
import type { PublicationSpec } from '../../lab/worlds/publication.ts'
import { startWorld } from '../../lab/worlds/server.ts'
import type { World, WorldOptions } from '../../lab/worlds/world.ts'
import { createFetcher } from '../../src/crawler/fetch/http.ts'
import { parseFeed } from '../../src/crawler/parse/parse.ts'
import { type PipelineDeps, refreshSource, type SourceRefresh } from '../../src/crawler/pipeline.ts'
import { DAY_MS, HOUR_MS, type Item, type SourceId } from '../../src/model/index.ts'
import { observedInterval } from '../../src/refresh/estimators/interval.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { settings } from '../contract/store.fixture.ts'

const START = Date.UTC(2024, 4, 17)
const EVEN: PublicationSpec = { kind: 'constant', intervalMs: HOUR_MS }
/** Of an hourly publisher: 25 items. */
const A_DAY_AND_AN_HOUR = 25 * HOUR_MS

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function plan(publication: PublicationSpec, more: Partial<FeedPlan> = {}, format: WorldFormat = 'rss-2.0'): FeedPlan {
  const habits = { ...CLEAN_HABITS, format }
  return { title: 'T', category: null, publication, windowItems: 10, habits, fault: null, headlines: null, ...more }
}

/** Feeds with a window of ten over real HTTP, read by the real pipeline on the world's own time. */
async function follow(
  feeds: readonly FeedPlan[],
  options: Partial<WorldOptions> = {},
  overrides: Partial<PipelineDeps> = {},
) {
  const world = await startWorld({ feeds, speed: 0, startAt: START, dates: 'virtual', ...options })
  const fetcher = createFetcher({ allowRanges: ['loopback'] })
  closing.push(
    () => world.close(),
    () => fetcher.close(),
  )
  const clock = { ...systemClock, now: () => world.now() }
  const { store } = createMemoryStore({ clock })
  const added = await store.addSources(
    feeds.map((_, index) => settings(world.feedUrl(index))),
    world.now(),
  )
  const pages: string[] = []
  const deps: PipelineDeps = {
    store,
    fetcher,
    parse: parseFeed,
    mostPages: 20,
    pageFolders: [],
    clock,
    random: seededRandom(1),
    plan: ({ at }) => {
      const facts = { earliestAt: at, hurriesAfterLoss: true, expected: null }
      return { at: at + DAY_MS, reason: 'once a day', ...facts }
    },
    pages: {
      enter: async (url) => pages.push(url.search) > 0,
      recordAnswer: () => {},
    },
    ...overrides,
  }
  const refresh = async (id: SourceId = added[0]!.source.id): Promise<SourceRefresh> => {
    const refreshed = await refreshSource((await store.source(id))!, {}, deps)
    if (refreshed === 'aborted') throw new Error('aborted')
    return refreshed
  }
  const items = (id: SourceId = added[0]!.source.id) =>
    store.items({ scope: { kind: 'source', sourceId: id }, limit: 500 })
  return { world, store, refresh, items, pages, ids: added.map(({ source }) => source.id) }
}

function linksSince(world: World, at: number): string[] {
  return world
    .truth(0)
    .filter(({ publishedAt }) => publishedAt > at)
    .map(({ link }) => link)
}

const inOrderOfStoring = (items: readonly Item[]) => [...items].sort((a, b) => a.seq - b.seq).map(({ link }) => link)

describe('a window of 10 whose source publishes 25 between two refreshes', () => {
  it('evenly: marks the source saturated, and the reported loss is right within 3', async () => {
    const { world, refresh, store, ids } = await follow([plan(EVEN)])
    await refresh()
    world.advance(A_DAY_AND_AN_HOUR)
    const { record } = await refresh()
    expect(record.observation).toMatchObject({ overlap: 'none', newItems: 10 })
    const { loss } = record.observation!
    expect(Math.abs(loss!.items - 15)).toBeLessThanOrEqual(3)
    const { state } = (await store.source(ids[0]!))!
    expect(state.saturation).toMatchObject({ repaired: false, loss })
    expect(state.nextCheckAt! - world.now()).toBeLessThanOrEqual(5 * HOUR_MS)
    expect(state.nextCheckReason).toMatch(/items lost/)
    const quality = await store.quality({ kind: 'node' }, START, START + 10 * DAY_MS)
    expect(quality).toMatchObject({ items: 10, lost: loss!.items, saturated: 1, requests: 2 })
  })

  it('at random: the mean of the reported losses over 200 sources is within 2 of the truth', async () => {
    const feeds = Array.from({ length: 200 }, () => plan({ kind: 'poisson', ratePerDay: 24 }))
    const { world, refresh, ids } = await follow(feeds, { feedsPerHost: 200, seed: 7 })
    for (const id of ids) await refresh(id)
    world.advance(A_DAY_AND_AN_HOUR)
    let difference = 0
    let waiting = 0
    let sources = 0
    for (const [index, id] of ids.entries()) {
      const truth = world.truth(index).filter(({ publishedAt }) => publishedAt > START).length - 10
      const { record } = await refresh(id)
      if (truth <= 0) continue
      const loss = record.observation!.loss ?? { items: 0, atLeast: 0, atMost: 0 }
      difference += loss.items - truth
      if (loss.atLeast <= truth && truth <= loss.atMost) waiting++
      sources++
    }
    expect(sources).toBeGreaterThan(190)
    expect(Math.abs(difference / sources)).toBeLessThan(2)
    expect(waiting / sources).toBeGreaterThan(0.83)
  })

  it.each([
    ['an RFC 5005 archive', 'archive', 'rss-2.0'],
    ['an RFC 5005 archive in Atom', 'archive', 'atom-1.0'],
    ['pages of RFC 5005', 'paged', 'atom-1.0'],
    ['next_url of JSON Feed', 'paged', 'json-1.1'],
    ['WordPress', 'wordpress', 'rss-2.0'],
  ] as const)('with %s behind it: all 25 arrive, once and in order', async (_, pageStyle, format) => {
    const { world, refresh, items, store, ids } = await follow([plan(EVEN, {}, format)], { pages: 40, pageStyle })
    await refresh()
    const before = new Set((await items()).map(({ link }) => link))
    world.advance(A_DAY_AND_AN_HOUR)
    const { record } = await refresh()
    const arrived = inOrderOfStoring(await items()).filter((link) => !before.has(link))
    expect(arrived).toEqual(linksSince(world, START))
    expect(arrived).toHaveLength(25)
    expect(record.observation).toMatchObject({ overlap: 'repaired', newItems: 25, windowSize: 10, lostAtLeast: 0 })
    expect(record.observation!.loss).toBeUndefined()
    expect((await store.source(ids[0]!))!.state.saturation).toMatchObject({ repaired: true, repairedItems: 15 })
    // For learning it is an interval in which 25 items came, each at its time, and nothing is censored.
    expect(observedInterval(record.observation!)).toMatchObject({ items: 25, saturated: false })
    expect(observedInterval(record.observation!)!.times).toHaveLength(25)
    // The next refresh is an ordinary one.
    world.advance(2 * HOUR_MS)
    expect((await refresh()).record.observation).toMatchObject({ overlap: 'some', newItems: 2 })
    expect((await store.source(ids[0]!))!.state.saturation).toBeNull()
  })
})

describe('a repair', () => {
  it('reads no more pages than it needs', async () => {
    const { world, refresh, pages } = await follow([plan(EVEN)], { pages: 40 })
    await refresh()
    world.advance(A_DAY_AND_AN_HOUR)
    await refresh()
    expect(pages).toEqual(['?page=1', '?page=2'])
    expect(world.stats().feeds[0]!.requests).toBe(4)
  })

  it('does not bring a past before the source was followed', async () => {
    const feed = plan(EVEN)
    const { world, refresh, items } = await follow([feed], { pages: 40, pageStyle: 'archive' })
    await refresh()
    world.advance(11 * HOUR_MS)
    await refresh()
    const stored = (await items()).map(({ published }) => published!)
    expect(stored).toHaveLength(21)
    expect(Math.min(...stored)).toBeGreaterThan(START - 10 * HOUR_MS)
  })

  it('does so by place where items have no dates', async () => {
    const habits = { ...CLEAN_HABITS, dates: 'none' as const }
    const { world, refresh, items } = await follow([plan(EVEN, { habits })], { pages: 40 })
    await refresh()
    world.advance(13 * HOUR_MS)
    expect((await refresh()).record.observation).toMatchObject({ overlap: 'repaired', newItems: 13 })
    expect(await items()).toHaveLength(23)
  })

  it('that ends before it reaches something known says how much is still missing', async () => {
    const { world, refresh } = await follow([plan(EVEN)], { pages: 2 })
    await refresh()
    world.advance(50 * HOUR_MS)
    const { record } = await refresh()
    expect(record.observation).toMatchObject({ overlap: 'none', newItems: 30 })
    expect(Math.abs(record.observation!.loss!.items - 20)).toBeLessThanOrEqual(3)
    expect(record.quality).toMatchObject({ requests: 3, repaired: 20 })
  })

  it('stops where politeness or the budget says no', async () => {
    const pages = { enter: async () => false, recordAnswer: () => {} }
    const { world, refresh } = await follow([plan(EVEN)], { pages: 40 }, { pages })
    await refresh()
    world.advance(A_DAY_AND_AN_HOUR)
    const { record } = await refresh()
    expect(record.observation).toMatchObject({ overlap: 'none', newItems: 10 })
    expect(world.stats().feeds[0]!.requests).toBe(2)
  })

  it('is bounded however long the archive is', async () => {
    const { world, refresh, pages } = await follow([plan(EVEN)], { pages: 500 })
    await refresh()
    world.advance(30 * DAY_MS)
    const { record } = await refresh()
    expect(pages).toHaveLength(20)
    expect(record.observation).toMatchObject({ overlap: 'none', newItems: 210 })
  })

  it.each(['archive', 'paged', 'wordpress'] as const)(
    'goes on at the next refreshes where it had to stop (%s)',
    async (pageStyle) => {
      const { world, refresh, items, store, ids, pages } = await follow(
        [plan(EVEN)],
        { pages: 60, pageStyle },
        { mostPages: 3 },
      )
      await refresh()
      const before = new Set((await items()).map(({ link }) => link))
      world.advance(80 * HOUR_MS)
      const { record } = await refresh()
      expect(record.observation!.overlap).toBe('none')
      expect(record.observation!.newItems).toBeLessThanOrEqual(40)
      expect(record.state.openGap).toMatchObject({ lost: record.observation!.loss!.items })
      expect((await store.quality({ kind: 'node' }, START, START + 10 * DAY_MS)).lost).toBeGreaterThan(30)
      let refreshes = 0
      for (; (await store.source(ids[0]!))!.state.openGap !== null && refreshes < 5; refreshes++) {
        world.advance(HOUR_MS / 2)
        const read = pages.length
        expect((await refresh()).record.observation!.newItems).toBeLessThanOrEqual(1)
        expect(pages.length - read).toBeLessThanOrEqual(3)
      }
      expect(refreshes).toBeGreaterThan(0)
      expect(refreshes).toBeLessThanOrEqual(4)
      const arrived = (await items()).map(({ link }) => link).filter((link) => !before.has(link))
      expect(arrived.sort()).toEqual(linksSince(world, START).sort())
      // What had been counted as lost came after all.
      const quality = await store.quality({ kind: 'node' }, START, START + 10 * DAY_MS)
      expect(quality.lost).toBeLessThanOrEqual(2)
      expect(quality.repaired).toBe(70)
    },
  )

  it('waits for a turn at the next refresh where politeness or the budget said no', async () => {
    let mayRead = false
    const pages = { enter: async () => mayRead, recordAnswer: () => {} }
    const { world, refresh, items } = await follow([plan(EVEN)], { pages: 40 }, { pages })
    await refresh()
    world.advance(A_DAY_AND_AN_HOUR)
    await refresh()
    mayRead = true
    world.advance(HOUR_MS)
    const { record } = await refresh()
    expect(record.state.openGap).toBeNull()
    expect(record.observation).toMatchObject({ overlap: 'some', newItems: 1 })
    expect(await items()).toHaveLength(10 + 26)
  })

  it('is not tried for a feed that is simply read late', async () => {
    const { world, refresh, pages } = await follow([plan(EVEN)], { pages: 40 })
    await refresh()
    world.advance(9 * HOUR_MS)
    expect((await refresh()).record.observation).toMatchObject({ overlap: 'some', newItems: 9 })
    expect(pages).toEqual([])
  })
})
