import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Observation, SECOND_MS } from '../../model/index.ts'
import { seededRandom } from '../../runtime/random.ts'
import { ESTIMATORS } from '../estimators/index.ts'
import { levelPrice, nextPrice } from '../price.ts'
import { findStrategy } from '../strategies/index.ts'
import { isOver, latestLook, nextSurprise, patience } from './alarm.ts'
import { HourlyLimit } from './hourly-limit.ts'
import { LocalAllowance } from './local-allowance.ts'
import { Scheduler } from './scheduler.ts'
import { TokenBucket } from './token-bucket.ts'

const START = Date.UTC(2026, 0, 5)
const step = fc.record({
  waitMs: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 2 * HOUR_MS })),
  cost: fc.double({ min: 0.1, max: 3, noNaN: true }),
})

describe('the bucket', () => {
  it('pays no more than the budget and one burst over any span, whichever span is measured', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 20 }), (steps, burst) => {
        const budget = { requests: 60, perMs: MINUTE_MS }
        const bucket = new TokenBucket(budget, burst, START)
        let now = START
        const paid: { at: number; cost: number }[] = []
        for (const { waitMs, cost } of steps) {
          now += waitMs
          bucket.balance(now)
          if (bucket.affordableAt(cost, now) > now) continue
          bucket.spend(cost, now)
          paid.push({ at: now, cost })
        }
        for (const from of paid) {
          let sum = 0
          for (const each of paid) if (each.at >= from.at) sum += each.cost
          const last = paid.at(-1)!.at
          // What is more expensive than a burst is paid from a full bucket.
          expect(sum).toBeLessThanOrEqual(burst + (last - from.at) / SECOND_MS + 3)
        }
      }),
    )
  })

  it('is as full after a look as without', () => {
    const budget = { requests: 7, perMs: HOUR_MS }
    const checked = new TokenBucket(budget, 3, START)
    const untouched = new TokenBucket(budget, 3, START)
    for (const bucket of [checked, untouched]) bucket.spend(3, START)
    for (let at = START; at < START + HOUR_MS; at += 997) checked.balance(at)
    expect(checked.affordableAt(1, START + HOUR_MS)).toBe(untouched.affordableAt(1, START + HOUR_MS))
    expect(checked.affordableAt(3, START + MINUTE_MS)).toBe(untouched.affordableAt(3, START + MINUTE_MS))
  })
})

describe('the allowance of one process', () => {
  it.each([
    [10, 10],
    [60, 30],
    // More than an hour's worth is a wish to breathe within the day.
    [90, 90],
  ])('with a burst of %i at 60 an hour, %i are spent at once', (burst, atOnce) => {
    const allowance = new LocalAllowance({ budget: { requests: 60, perMs: HOUR_MS }, factor: 1 }, burst, START)
    let spent = 0
    for (; allowance.affordableAt(1, START) <= START; spent++) allowance.spend(1, START)
    expect(spent).toBe(atOnce)
  })
})

describe('the hour hourlyLimit', () => {
  it('never lets an hour exceed its limit, and lets go again in time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 3, max: 40 }), (steps, limit) => {
        const hourlyLimit = new HourlyLimit(limit, START)
        let now = START
        const paid: { at: number; cost: number }[] = []
        for (const { waitMs, cost } of steps) {
          now += waitMs
          const at = hourlyLimit.allowedAt(cost, now)
          expect(at).toBeLessThanOrEqual(now + HOUR_MS + 2 * SECOND_MS)
          now = at
          hourlyLimit.spend(cost, now)
          paid.push({ at: now, cost })
        }
        for (const { at } of paid) {
          const within = paid.filter((each) => each.at >= at && each.at < at + HOUR_MS)
          expect(within.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(limit + 1e-6)
        }
      }),
    )
  })

  it('says when the last hour will lack something, some seconds before it does', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (steps, least) => {
        const hourlyLimit = new HourlyLimit(1_000, START)
        let now = START
        const paid: { at: number; cost: number }[] = []
        for (const { waitMs, cost } of steps) {
          now += waitMs
          hourlyLimit.spend(cost, now)
          paid.push({ at: now, cost })
        }
        const inHourBefore = (at: number) =>
          paid.reduce((sum, each) => sum + (each.at >= at - HOUR_MS && each.at < at ? each.cost : 0), 0)
        const lackingAt = hourlyLimit.lackingAt(least, now)
        if (inHourBefore(now + 1) < least - 1e-6) expect(lackingAt).toBeLessThanOrEqual(now)
        else {
          expect(inHourBefore(Math.max(now + 1, lackingAt))).toBeGreaterThanOrEqual(least - 1e-6)
          expect(inHourBefore(lackingAt + 12 * SECOND_MS)).toBeLessThan(least)
        }
      }),
    )
  })

  it('remembers the last hour over a restart', () => {
    const hourlyLimit = new HourlyLimit(10, START)
    for (let k = 0; k < 10; k++) hourlyLimit.spend(1, START + k * MINUTE_MS)
    const now = START + 20 * MINUTE_MS
    const again = new HourlyLimit(10, now)
    again.restore(hourlyLimit.minutes(now), now)
    expect(again.allowedAt(1, now)).toBeGreaterThan(START + HOUR_MS)
    expect(again.allowedAt(1, now)).toBeLessThan(START + HOUR_MS + 3 * MINUTE_MS)
  })
})

describe('the price', () => {
  it('of timetables falls while less becomes due than the budget pays for, rises while more does', () => {
    const period = { target: 100, sources: 1_000 }
    const even = levelPrice(5, { ...period, level: 0, demand: 98 })
    expect(even).toEqual({ price: 5, level: 0 })
    const idle = levelPrice(5, { ...period, level: 0, demand: 50 })
    expect(idle.price).toBeLessThan(4.6)
    // What has gathered goes on to count when demand is even again.
    expect(levelPrice(5, { ...period, level: idle.level, demand: 98 }).price).toBeLessThan(5)
    expect(levelPrice(5, { ...period, level: 0, demand: 150 }).price).toBeGreaterThan(5.4)
    // After hours of nothing to do it does not take hours to come back.
    let { level } = even
    for (let k = 0; k < 1_000; k++) level = levelPrice(5, { ...period, level, demand: 0 }).level
    expect(level).toBeLessThanOrEqual(250)
  })

  it('falls when too little waits, rises when too much does, and stays in between', () => {
    const sources = 1_000
    expect(nextPrice(5, { spent: 100, target: 100, waiting: 100, sources })).toBeCloseTo(5)
    expect(nextPrice(5, { spent: 60, target: 100, waiting: 0, sources })).toBeLessThan(5)
    expect(nextPrice(5, { spent: 100, target: 100, waiting: 300, sources })).toBeGreaterThan(5)
  })
})

describe('a surprise', () => {
  const observation = (minutes: number, newItems: number): Observation => ({
    sourceId: 1,
    previousAt: START,
    at: START + minutes * MINUTE_MS,
    newItems,
    windowSize: 20,
    overlap: newItems >= 20 ? 'none' : 'some',
    lostAtLeast: 0,
    itemTimes: [],
    notModified: newItems === 0,
    bytes: 0,
    latencyMs: 0,
  })

  it('brings the next look before the window is full again at the pace just seen', () => {
    const alarm = nextSurprise(0, { observation: observation(60, 20), expected: 1, windowSize: 20 })
    expect(latestLook(alarm, START, 20) - START).toBe(30 * MINUTE_MS)
  })

  it('ends when the source calms down', () => {
    let alarm = nextSurprise(0, { observation: observation(10, 20), expected: 1, windowSize: 20 })
    for (let k = 0; k < 6; k++)
      alarm = nextSurprise(alarm, { observation: observation(60, 0), expected: 1, windowSize: 20 })
    expect(isOver(alarm, 20, HOUR_MS)).toBe(true)
  })

  it('is none while a source does as expected', () => {
    expect(nextSurprise(0, { observation: observation(60, 12), expected: 11, windowSize: 20 })).toBe(0)
    expect(latestLook(0, START, 20)).toBe(Number.POSITIVE_INFINITY)
  })

  it('of silence makes patient, once it cannot be chance, and one item ends it', () => {
    let silence = 0
    for (let k = 0; k < 10; k++)
      silence = nextSurprise(silence, { observation: observation(60, 0), expected: 7, windowSize: 20 })
    expect(patience(silence)).toBeCloseTo(Math.sqrt(71))
    expect(patience(-5)).toBe(1)
    expect(nextSurprise(silence, { observation: observation(60, 1), expected: 5, windowSize: 20 })).toBe(0)
  })
})

describe('what was learnt', () => {
  const options = {
    budget: { requests: 100, perMs: HOUR_MS },
    burst: 1,
    minIntervalMs: MINUTE_MS,
    maxIntervalMs: 7 * DAY_MS,
    random: seededRandom(1),
    now: START,
  }
  const facts = { id: 7, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: null }

  it.each(['two-steps', 'only-tau', 'uniform', 'miniflux', 'scc07-allocation', 'cgm03-age'])(
    'of a source by %s goes to the store and back',
    (id) => {
      const strategy = findStrategy(id)!.priced!(ESTIMATORS.hybrid())
      const first = new Scheduler({ ...options, strategy })
      first.upsert({ facts, dueAt: null, paused: false, retired: false })
      let now = START
      for (let k = 0; k < 30; k++, now += HOUR_MS) {
        const observation = {
          sourceId: 7,
          previousAt: k === 0 ? null : now - HOUR_MS,
          at: now,
          newItems: k % 4,
          windowSize: 20,
          overlap: k === 0 ? ('first' as const) : ('some' as const),
          lostAtLeast: 0,
          itemTimes: Array.from({ length: k % 4 }, (_, item) => now - (4 - item) * MINUTE_MS),
          notModified: false,
          bytes: 0,
          latencyMs: 0,
        }
        first.plan(observation)
        first.finish(7, null)
      }
      expect(first.takeChanged(10)).toEqual([7])
      const memory = first.memory(7)!
      const again = new Scheduler({ ...options, strategy, now })
      again.resume(first.snapshot(now), now)
      const known = { ...facts, lastRefreshAt: memory.learntAt, windowSize: memory.windowSize }
      again.upsert({ facts: known, dueAt: null, paused: false, retired: false, memory })
      expect(again.price).toBe(first.price)
      expect(again.explain(7, now)).toEqual(first.explain(7, now))
      expect(again.memory(7)).toEqual(memory)
    },
  )

  it('by another strategy or version is not believed', () => {
    const strategy = findStrategy('two-steps')!.priced!(ESTIMATORS.hybrid())
    const subject = new Scheduler({ ...options, strategy })
    subject.upsert({
      facts,
      dueAt: null,
      paused: false,
      retired: false,
      memory: { form: 'other/9', bytes: new Uint8Array(208) },
    })
    const fresh = new Scheduler({ ...options, strategy })
    fresh.upsert({ facts, dueAt: null, paused: false, retired: false })
    expect(subject.memory(7)).toEqual(fresh.memory(7))
  })
})
