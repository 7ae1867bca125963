import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, type FeedHints, HOUR_MS, MINUTE_MS, type Observation, type Source } from '../../model/index.ts'
import { NEW_SOURCE_STATE } from '../../store/defaults.ts'
import type { HttpHints } from '../fetch/fetcher.ts'
import { decideNextCheck } from '../next-check.ts'
import type { NextCheck } from '../planner.ts'
import { type HintFacts, hintedNotBefore, outOfSkipTimes } from './after-hints.ts'
import { earliestRefreshAt } from './earliest-refresh.ts'
import { type Hints, LONGEST_DELAY_MS } from './publisher-requests.ts'
import { LONGEST_SKIP_MS, nextOpenTime } from './skip-times.ts'
import { safeUntil, turnoverMs } from './turnover.ts'

/** A Friday. */
const NOON = Date.UTC(2024, 4, 17, 12)

const NO_HTTP: HttpHints = { maxAgeMs: null, expiresAt: null }
const NO_FEED: FeedHints = {
  ttlMs: null,
  updateIntervalMs: null,
  updateBaseAt: null,
  skipHours: [],
  skipDays: [],
  hubs: [],
  selfUrl: null,
  nextUrl: null,
  prevArchiveUrl: null,
  complete: false,
}
const feed = (more: Partial<FeedHints>): FeedHints => ({ ...NO_FEED, ...more })
const http = (more: Partial<HttpHints>): HttpHints => ({ ...NO_HTTP, ...more })

const facts: HintFacts = { refreshedAt: NOON, safeUntil: null, saturated: false, ownInterval: false }
const planned: NextCheck = { at: NOON + 10 * MINUTE_MS, reason: 'as planned' }
const minutes = (at: number) => (at - NOON) / MINUTE_MS

function afterHints(planned: NextCheck, hints: Hints, facts: HintFacts): NextCheck {
  const notBefore = hintedNotBefore(hints, facts)
  const later = notBefore !== null && notBefore.at > planned.at ? notBefore : planned
  return outOfSkipTimes(later, hints.feed, facts)
}

describe('each hint delays a refresh and says so', () => {
  it.each<[string, HttpHints, FeedHints | null, number, RegExp]>([
    ['Cache-Control', http({ maxAgeMs: HOUR_MS }), null, 60, /max-age 60 min/],
    ['Expires', http({ expiresAt: NOON + 2 * HOUR_MS }), null, 120, /Expires in 2 h/],
    ['ttl', NO_HTTP, feed({ ttlMs: 90 * MINUTE_MS }), 90, /ttl 90 min/],
    ['sy:updatePeriod', NO_HTTP, feed({ updateIntervalMs: HOUR_MS }), 60, /sy:updatePeriod every 60 min/],
    [
      'sy:updateBase, at which and at whole periods from which updates come',
      NO_HTTP,
      feed({ updateIntervalMs: DAY_MS, updateBaseAt: Date.UTC(2000, 0, 1, 12, 30) }),
      30,
      /sy:updatePeriod/,
    ],
    [
      'a base in the future',
      NO_HTTP,
      feed({ updateIntervalMs: HOUR_MS, updateBaseAt: NOON + 5.25 * HOUR_MS }),
      15,
      /sy:/,
    ],
    ['skipHours, GMT', NO_HTTP, feed({ skipHours: [12, 13] }), 120, /skipHours/],
    ['skipDays, GMT: Friday and Saturday', NO_HTTP, feed({ skipDays: [5, 6] }), 36 * 60, /skipDays/],
    ['hours after midnight and the day before', NO_HTTP, feed({ skipDays: [5], skipHours: [0, 1] }), 14 * 60, /skip/],
    ['the longest of several', http({ maxAgeMs: 20 * MINUTE_MS }), feed({ ttlMs: HOUR_MS }), 60, /ttl/],
    ['ttl into an hour to skip', NO_HTTP, feed({ ttlMs: HOUR_MS, skipHours: [13] }), 120, /skip/],
  ])('%s', (_, httpHints, feedHints, expected, reason) => {
    const next = afterHints(planned, { http: httpHints, feed: feedHints }, facts)
    expect(minutes(next.at)).toBe(expected)
    expect(next.reason).toMatch(reason)
  })

  it.each<[string, HttpHints, FeedHints | null]>([
    ['no hints', NO_HTTP, null],
    ['one that is over before', http({ maxAgeMs: MINUTE_MS }), feed({ ttlMs: 5 * MINUTE_MS })],
    ['an answer that is stale at once', http({ maxAgeMs: 0 }), null],
    ['all hours to skip, which nobody can mean', NO_HTTP, feed({ skipHours: Array.from({ length: 24 }, (_, i) => i) })],
    ['all days to skip', NO_HTTP, feed({ skipDays: [0, 1, 2, 3, 4, 5, 6] })],
    ['hubs alone', NO_HTTP, feed({ hubs: ['https://hub.example/'] })],
  ])('nothing changes with %s', (_, httpHints, feedHints) => {
    expect(afterHints(planned, { http: httpHints, feed: feedHints }, facts)).toEqual(planned)
  })

  it('by a day at most', () => {
    const next = afterHints(planned, { http: http({ maxAgeMs: 365 * DAY_MS }), feed: null }, facts)
    expect(next.at).toBe(NOON + LONGEST_DELAY_MS)
  })
})

describe('who wins', () => {
  const hints = { http: http({ maxAgeMs: 6 * HOUR_MS }), feed: feed({ skipHours: [18, 19] }) }

  it("the user's own interval over every hint", () => {
    expect(afterHints(planned, hints, { ...facts, ownInterval: true })).toEqual(planned)
  })

  it('a source that was found saturated over every hint', () => {
    expect(afterHints(planned, hints, { ...facts, saturated: true }).at).toBe(planned.at)
  })

  it('half a window over a hint, and the reason says so', () => {
    const next = afterHints(planned, hints, { ...facts, safeUntil: NOON + 3 * HOUR_MS })
    expect(minutes(next.at)).toBe(180)
    expect(next.reason).toMatch(/sooner than the site wants it .*max-age.*half of its window/)
  })

  it('half a window over hours to skip', () => {
    const skip = { http: NO_HTTP, feed: feed({ skipHours: [12, 13, 14] }) }
    const next = afterHints(planned, skip, { ...facts, safeUntil: NOON + HOUR_MS })
    expect(next.at).toBe(planned.at)
    expect(next.reason).toMatch(/so that no items are lost/)
  })
})

const anyHints = fc.record({
  http: fc.record({
    maxAgeMs: fc.option(fc.integer({ min: 0, max: 400 * DAY_MS })),
    expiresAt: fc.option(fc.integer({ min: NOON - DAY_MS, max: NOON + 400 * DAY_MS })),
  }),
  feed: fc.option(
    fc.record({
      ttlMs: fc.option(fc.integer({ min: 1, max: 10 * DAY_MS })),
      updateIntervalMs: fc.option(fc.integer({ min: 1_000, max: 400 * DAY_MS })),
      updateBaseAt: fc.option(fc.integer({ min: 0, max: 2 * NOON })),
      skipHours: fc.uniqueArray(fc.integer({ min: 0, max: 23 })),
      skipDays: fc.uniqueArray(fc.integer({ min: 0, max: 6 })),
    }),
  ),
})
const anyFacts = fc.record({
  refreshedAt: fc.constant(NOON),
  safeUntil: fc.option(fc.integer({ min: NOON, max: NOON + 10 * DAY_MS })),
  saturated: fc.boolean(),
  ownInterval: fc.boolean(),
})
const anyPlan = fc.integer({ min: 0, max: 5 * DAY_MS }).map((ms) => ({ at: NOON + ms, reason: 'as planned' }))

describe('whatever the hints', () => {
  it('a check is never earlier than planned, never later than the stated maximum, never beyond what is safe', () => {
    fc.assert(
      fc.property(anyPlan, anyHints, anyFacts, (plan, hints, facts) => {
        const next = afterHints(plan, { http: hints.http, feed: hints.feed && feed(hints.feed) }, facts)
        expect(next.at).toBeGreaterThanOrEqual(plan.at)
        expect(next.at).toBeLessThanOrEqual(Math.max(plan.at, NOON + LONGEST_DELAY_MS) + LONGEST_SKIP_MS)
        if (facts.safeUntil !== null) expect(next.at).toBeLessThanOrEqual(Math.max(plan.at, facts.safeUntil))
        if (next.at > plan.at) expect(next.reason).not.toBe(plan.reason)
      }),
    )
  })

  it('an open time is open, and the first one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: NOON, max: NOON + 30 * DAY_MS }),
        fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { maxLength: 20 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 2 }),
        (at, skipHours, skipDays) => {
          const isOpen = (t: number) =>
            !skipHours.includes(new Date(t).getUTCHours()) && !skipDays.includes(new Date(t).getUTCDay())
          const open = nextOpenTime(at, { skipHours, skipDays })
          expect(isOpen(open)).toBe(true)
          for (let t = at; t < open; t += HOUR_MS / 2) expect(isOpen(t)).toBe(false)
        },
      ),
    )
  })
})

describe('the pace of a window', () => {
  const window = (...hoursAgo: (number | null)[]) =>
    hoursAgo.map((hours, index) => ({
      key: String(index),
      contentHash: '',
      alias: null,
      published: hours === null ? null : NOON - hours * HOUR_MS,
    }))

  it('is the age of its oldest item', () => {
    expect(turnoverMs(window(1, 2, 3, 10), NOON)).toBe(10 * HOUR_MS)
    expect(turnoverMs(window(1, null, 3, 10, -5, 4), NOON)).toBe(15 * HOUR_MS)
    expect(turnoverMs(window(1, 2), NOON)).toBeNull()
  })

  it('is not taken from dates that are not credible', () => {
    expect(safeUntil({ window: window(1, 2, 3, 10), datesCredible: true }, NOON)).toBe(NOON + 5 * HOUR_MS)
    expect(safeUntil({ window: window(1, 2, 3, 10), datesCredible: false }, NOON)).toBeNull()
  })

  const observation = (more: Partial<Observation>): Observation => ({
    sourceId: 1,
    previousAt: NOON - DAY_MS,
    at: NOON,
    newItems: 4,
    windowSize: 4,
    overlap: 'some',
    lostAtLeast: 0,
    itemTimes: [],
    notModified: false,
    bytes: 0,
    latencyMs: 0,
    ...more,
  })
  const facts = { earliestAt: NOON, hurriesAfterLoss: true, expected: null }
  const later = { at: NOON + DAY_MS, reason: 'as planned', ...facts }
  const given = (more: object = {}) => ({
    state: { window: window(0.5, 1, 1.5, 2), datesCredible: true },
    hints: { http: http({ maxAgeMs: 6 * HOUR_MS }), feed: null },
    ownInterval: false,
    repaired: null,
    ...more,
  })

  it('shortens the interval at once after a loss, whatever the plan and the hints', () => {
    const loss = { items: 40, atLeast: 20, atMost: 70, basis: 'dates' as const }
    const next = decideNextCheck(observation({ overlap: 'none', loss }), given(), () => later)
    expect(minutes(next.at)).toBe(60)
    expect(next.reason).toMatch(/about 40 items lost \(20 to 70\)/)
    expect(next.notBefore).toBeNull()
  })

  it('shortens it after a repair too, but never below five minutes', () => {
    const state = { window: window(0.01, 0.02, 0.03, 0.04), datesCredible: true }
    const next = decideNextCheck(observation({ overlap: 'repaired' }), given({ state }), () => later)
    expect(minutes(next.at)).toBe(5)
    expect(next.reason).toMatch(/older pages/)
  })

  it('goes by counts where dates say nothing', () => {
    const state = { window: window(null, null, null, null), datesCredible: false }
    const next = decideNextCheck(observation({ overlap: 'none', newItems: 4 }), given({ state }), () => later)
    expect(next.at).toBe(NOON + DAY_MS / 2)
    expect(next.reason).toMatch(/how much was lost is unknown/)
  })

  it("leaves the user's own interval alone and says what it costs", () => {
    const next = decideNextCheck(observation({ overlap: 'none' }), given({ ownInterval: true }), () => later)
    expect(next.at).toBe(later.at)
    expect(next.reason).toMatch(/too rarely/)
  })

  it('leaves a strategy alone that knows no windows', () => {
    const next = decideNextCheck(observation({ overlap: 'none' }), given(), () => ({
      ...later,
      hurriesAfterLoss: false,
    }))
    expect(next).toMatchObject({ at: later.at, notBefore: null })
  })

  it('gives the planner what the publisher asks for, and stores it', () => {
    let nextCheck: NextCheck | null = null
    const slow = { window: window(10, 20, 30, 40), datesCredible: true }
    const next = decideNextCheck(observation({}), given({ state: slow }), (_, notBefore) => {
      nextCheck = notBefore
      return { ...later, ...notBefore }
    })
    expect(nextCheck).toMatchObject({ at: NOON + 6 * HOUR_MS })
    expect(next).toMatchObject({ at: NOON + 6 * HOUR_MS, notBefore: NOON + 6 * HOUR_MS })
  })
})

describe('a source whose turn has come', () => {
  const source = (more: Partial<Source['state']>, intervalMs: number | null = null) =>
    ({
      intervalMs,
      state: { ...NEW_SOURCE_STATE, status: 'active', lastSuccessAt: NOON - HOUR_MS, ...more },
    }) as Source
  const busy = [0.1, 0.2, 0.3].map((hours) => ({
    key: '',
    contentHash: '',
    alias: null,
    published: NOON - HOUR_MS - hours * HOUR_MS,
  }))

  it.each<[string, Source, number | null]>([
    ['nothing known', source({}), null],
    ['a wish that is not over', source({ notBefore: NOON + 5 }), NOON + 5],
    ['a wish that is over', source({ notBefore: NOON - 5 }), null],
    ['an hour to skip', source({ hints: feed({ skipHours: [12] }) }), NOON + HOUR_MS],
    ['its own interval', source({ notBefore: NOON + 5 }, HOUR_MS), null],
    ['a wish, but it lost items', source({ notBefore: NOON + 5, saturation: { at: 1 } as never }), null],
    ['a wish, but its window has turned over by now', source({ notBefore: NOON + 5, window: busy }), null],
    ['failures: backing off has decided', source({ notBefore: NOON + 5, status: 'failing' }), null],
  ])('is held back as it should with %s', (_, source, expected) => {
    expect(earliestRefreshAt(source, NOON)).toBe(expected)
  })
})
