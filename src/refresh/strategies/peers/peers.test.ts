import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Observation } from '../../../model/index.ts'
import type { AnyPricedStrategy, SourceFacts } from '../../strategy.ts'
import { adaptiveTtl } from '../adaptive-ttl.ts'
import { advarss, nextAdvarss, startAdvarss } from '../advarss.ts'
import { commafeed } from './commafeed.ts'
import { nutch, stormcrawler } from './crawlers.ts'
import { feedIo } from './feed-io.ts'
import { freshrss, minifluxRoundRobin, ttrss, ttrssCycle } from './fixed.ts'
import { mediacloud } from './mediacloud.ts'
import { miniflux } from './miniflux.ts'
import { newsblur } from './newsblur.ts'

const NOW = Date.UTC(2026, 4, 1)
const FACTS: SourceFacts = { id: 1, weight: 1, cost: 1, windowSize: 20, addedAt: NOW - 90 * DAY_MS, lastRefreshAt: NOW }

const observationOf = (itemTimes: readonly number[], over: Partial<Observation> = {}): Observation => ({
  sourceId: 1,
  previousAt: NOW - HOUR_MS,
  at: NOW,
  newItems: itemTimes.length,
  windowSize: 20,
  overlap: 'some',
  lostAtLeast: 0,
  itemTimes,
  notModified: false,
  bytes: 0,
  latencyMs: 0,
  ...over,
})

/** Minutes until the next refresh after one observation, `random` being 0. */
function minutesAfter(strategy: AnyPricedStrategy, observations: readonly Observation[], facts = FACTS): number {
  let memory = strategy.start(facts, () => 0)
  for (const observation of observations) memory = strategy.observe(memory, observation, facts, () => 0)
  return (strategy.dueAt(memory, facts, 1) - NOW) / MINUTE_MS
}

/** n items, the newest `lastMs` ago, each `gapMs` after the one before. */
const every = (gapMs: number, n: number, lastMs = 0) =>
  Array.from({ length: n }, (_, k) => NOW - lastMs - (n - 1 - k) * gapMs)

describe('the policies of the peers, as shipped', () => {
  it.each([
    ['Miniflux round_robin: an hour', minifluxRoundRobin, [observationOf([])], 60],
    ['FreshRSS: an hour', freshrss, [observationOf([])], 60],
    ['tt-rss: half an hour', ttrss, [observationOf([])], 30],
    [
      'Miniflux: 7 entries a day, one every 7·24/49 h',
      miniflux,
      [observationOf(every(DAY_MS / 7, 20))],
      (7 * 1440) / 49,
    ],
    [
      'Miniflux: two entries 4 days apart make two a week, above the limit of a day',
      miniflux,
      [observationOf(every(4 * DAY_MS, 2))],
      1440,
    ],
    ['Miniflux: no entries', miniflux, [observationOf([])], 1440],
    ['Miniflux: an entry a second', miniflux, [observationOf(every(1_000, 20))], 5],
    ['CommaFeed: half of a gap of one hour', commafeed, [observationOf(every(HOUR_MS, 10))], 30],
    ['CommaFeed: not below 5 minutes', commafeed, [observationOf(every(MINUTE_MS, 10))], 5],
    ['CommaFeed: not above an hour', commafeed, [observationOf(every(DAY_MS, 5))], 60],
    ['CommaFeed: silent for 8 days', commafeed, [observationOf(every(MINUTE_MS, 10, 8 * DAY_MS))], 60],
    ['CommaFeed: silent for 15 days', commafeed, [observationOf(every(MINUTE_MS, 10, 15 * DAY_MS))], 120],
    ['CommaFeed: silent for 31 days', commafeed, [observationOf(every(MINUTE_MS, 10, 31 * DAY_MS))], 240],
    ['NewsBlur: 30 stories in 30 days, one subscriber', newsblur, [observationOf(every(23 * HOUR_MS, 30))], 45],
    ['NewsBlur: 15 stories in 30 days', newsblur, [observationOf(every(HOUR_MS, 15))], 180],
    ['NewsBlur: none for three months', newsblur, [observationOf([])], 1440 * 3],
    ['Media Cloud: first success changes nothing', mediacloud, [observationOf([])], 360],
    ['Media Cloud: all known', mediacloud, [observationOf([]), observationOf([])], 370],
    [
      'Media Cloud: not modified',
      mediacloud,
      [observationOf([]), observationOf([], { windowSize: null, notModified: true })],
      370,
    ],
    ['Media Cloud: 15 of 20 new', mediacloud, [observationOf([]), observationOf(every(1, 15))], 300],
    ['Media Cloud: half new', mediacloud, [observationOf([]), observationOf(every(1, 10))], 360],
    [
      'feed-io: mean 25 min, median 10 min',
      feedIo,
      [observationOf([0, 10, 20, 30, 100].map((m) => NOW + (m - 100) * MINUTE_MS))],
      11,
    ],
    ['Nutch: changed', nutch, [observationOf(every(1, 1))], 60 * 0.8],
    ['Nutch: unchanged', nutch, [observationOf([])], 60 * 1.4],
    [
      'StormCrawler: changed after two quiet checks',
      stormcrawler,
      [observationOf([]), observationOf([]), observationOf(every(1, 1))],
      (135 + 60) / 2,
    ],
    ['StormCrawler: unchanged', stormcrawler, [observationOf([])], 90],
    ['adaptive TTL: a tenth of five hours', adaptiveTtl, [observationOf(every(1, 1, 5 * HOUR_MS))], 30],
    ['adaptive TTL: at most a day', adaptiveTtl, [observationOf(every(1, 1, 60 * DAY_MS))], 1440],
  ] as const)('%s', (_name, strategy, observations, minutes) => {
    expect(minutesAfter(strategy as AnyPricedStrategy, observations)).toBeCloseTo(minutes, 1)
  })

  it('NewsBlur asks oftener for feeds with many subscribers', () => {
    const busy = [observationOf(every(HOUR_MS, 40))]
    expect(minutesAfter(newsblur as AnyPricedStrategy, busy, { ...FACTS, weight: 50 })).toBeCloseTo(6)
    expect(minutesAfter(newsblur as AnyPricedStrategy, busy, { ...FACTS, weight: 3 })).toBeCloseTo(15)
  })

  it('tt-rss takes 50 feeds a turn, least recently updated first', () => {
    const all = Array.from({ length: 200 }, (_, id) => ({
      facts: { ...FACTS, id, lastRefreshAt: id === 0 ? NOW : NOW - HOUR_MS - id },
      memory: null,
    }))
    const { refresh } = ttrssCycle.select(ttrssCycle.begin({ budgetPerCycle: 1, cycleMs: 1 }), all, NOW, () => 0)
    expect(refresh).toHaveLength(50)
    expect(refresh[0]).toBe(199)
    expect(refresh).not.toContain(0)
  })
})

describe('advaRSS', () => {
  it('first changed check: M = 0.2·4 + 0.8·1 = 1.6, ToE 2', () => {
    const first = nextAdvarss(startAdvarss(0), true, false)
    expect(first.m).toBeCloseTo(1.6)
    expect(first.intervalMs).toBe(2 * 8 * MINUTE_MS)
  })

  it('grows by 30 % of T while nothing changes, T by M; falls at once after a change', () => {
    let memory = startAdvarss(0)
    const expected = [
      [4.3, 5],
      [5.8, 9.3],
      [8.59, 15.1],
    ]
    for (const [m, t] of expected) {
      memory = nextAdvarss(memory, false, false)
      expect(memory.m).toBeCloseTo(m!)
      expect(memory.t).toBeCloseTo(t!)
    }
    expect(nextAdvarss(memory, true, false).m).toBeCloseTo(0.2 * 8.59 + 0.8)
  })

  it('keeps M between 1 and 25 at first, 640 later', () => {
    let young = startAdvarss(0)
    let old = startAdvarss(0)
    for (let check = 0; check < 60; check++) {
      young = nextAdvarss(young, false, false)
      old = nextAdvarss(old, false, true)
    }
    expect(young.m).toBe(25)
    expect(old.m).toBe(640)
    for (let check = 0; check < 60; check++) old = nextAdvarss(old, true, true)
    expect(old.m).toBeCloseTo(1)
  })

  it('spreads the first checks over the first runs', () => {
    const facts = { ...FACTS, lastRefreshAt: null }
    const dues = [0, 0.3, 0.6, 0.99].map(
      (r) =>
        (advarss.dueAt(
          advarss.start(facts, () => r),
          facts,
          1,
        ) -
          facts.addedAt) /
        MINUTE_MS,
    )
    expect(dues).toEqual([0, 8, 16, 24])
  })
})
