import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Observation } from '../../model/index.ts'
import { seededRandom } from '../../runtime/random.ts'
import { uniform } from '../strategies/uniform.ts'
import type { Budget } from '../strategy.ts'
import { Scheduler, type SchedulerSource } from './scheduler.ts'

const START = Date.UTC(2026, 0, 1)

function source(id: number, fields: Partial<SchedulerSource> = {}): SchedulerSource {
  return {
    facts: { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: null },
    intervalMs: null,
    dueAt: null,
    paused: false,
    retired: false,
    ...fields,
  }
}

const observationOf = (sourceId: number, at: number): Observation => ({
  sourceId,
  previousAt: at - 1,
  at,
  newItems: 0,
  windowSize: 20,
  overlap: 'some',
  lostAtLeast: 0,
  itemTimes: [],
  notModified: false,
  bytes: 0,
  latencyMs: 0,
})

function scheduler(budget: Budget, sources: readonly SchedulerSource[], burst = 1, minIntervalMs = 0) {
  const subject = new Scheduler({
    strategy: uniform,
    budget,
    burst,
    minIntervalMs,
    random: seededRandom(1),
    now: START,
  })
  for (const each of sources) subject.upsert(each)
  return subject
}

/** Drives it in virtual time as the crawler would, with refreshes that take no time. */
function run(subject: Scheduler<{ readonly phase: number }>, from: number, to: number) {
  const refreshes: { id: number; at: number; manual: boolean }[] = []
  let now = from
  while (now < to) {
    const decision = subject.take(now)
    if (decision.kind === 'wait') {
      now = Math.max(now + 1, Math.min(decision.until, to))
      continue
    }
    refreshes.push({ id: decision.id, at: now, manual: decision.manual })
    subject.plan(observationOf(decision.id, now))
    subject.finish(decision.id, null)
  }
  return refreshes
}

const perMinute = (requests: number): Budget => ({ requests, perMs: MINUTE_MS })
const ids = (n: number) => Array.from({ length: n }, (_, i) => source(i + 1))

describe('budget that would be lost', () => {
  /** As often as the price says, but half of the sources never in the last two hours of a day. */
  const lateHours: typeof uniform = {
    ...uniform,
    timetable: true,
    dueAt(memory, facts, price) {
      const at = uniform.dueAt(memory, facts, price)
      const toMidnightMs = DAY_MS - (at % DAY_MS)
      return facts.id % 2 === 0 && toMidnightMs <= 2 * HOUR_MS ? at + toMidnightMs : at
    },
  }
  const OWN_MS = 7 * HOUR_MS
  const days = 4

  function decisions(requestsPerHour: number) {
    const budget = { requests: requestsPerHour, perMs: HOUR_MS }
    const options = { burst: requestsPerHour / 4, minIntervalMs: 5 * MINUTE_MS, random: seededRandom(1), now: START }
    const subject = new Scheduler({ strategy: lateHours, budget, ...options })
    for (const each of ids(400)) subject.upsert(each)
    subject.upsert(source(401, { intervalMs: OWN_MS }))
    const found: { id: number; at: number; cause: string; planned: number; last: number }[] = []
    const waits = new Map<number, { planned: number; last: number }>()
    for (let now = START; now < START + days * DAY_MS; ) {
      const decision = subject.take(now)
      if (decision.kind === 'wait') {
        expect(decision.until).toBeGreaterThan(now)
        now = decision.until
        continue
      }
      found.push({
        id: decision.id,
        at: now,
        cause: decision.why.cause,
        ...(waits.get(decision.id) ?? { planned: 0, last: 0 }),
      })
      waits.set(decision.id, { planned: subject.plan(observationOf(decision.id, now)).at, last: now })
      subject.finish(decision.id, null)
    }
    return found.filter(({ at }) => at >= START + DAY_MS)
  }

  it('is spent on sources whose time comes soon, so that no hour uses less than nine tenths, and none more than all', () => {
    const found = decisions(400)
    const perHour = new Float64Array(days * 24)
    for (const { at } of found) perHour[Math.floor((at - START) / HOUR_MS)]! += 1
    const after = perHour.slice(24)
    expect(Math.min(...after)).toBeGreaterThanOrEqual(0.9 * 400)
    expect(Math.max(...after)).toBeLessThanOrEqual(400)
    const spare = found.filter(({ cause }) => cause === 'spare')
    expect(spare.length).toBeGreaterThan(0)
    // Where time is left for it, the others are enough.
    expect(spare.length).toBeLessThan(0.1 * found.length)
  })

  it('does not go to a source in the first half of its wait, nor to one with its own interval', () => {
    const found = decisions(400)
    for (const { id, at, cause, planned, last } of found) {
      if (id === 401) expect(at - last).toBeGreaterThanOrEqual(OWN_MS)
      if (cause === 'spare') expect(at - last).toBeGreaterThanOrEqual(5 * MINUTE_MS)
      // A price that has moved since may have moved the plan a little.
      if (cause === 'spare') expect((at - last) / (planned - last)).toBeGreaterThan(0.4)
    }
  })

  it('is left where there is more of it than all sources can take', () => {
    const found = decisions(100_000)
    expect(found.length).toBeGreaterThan(400 * 200)
    expect(found.filter(({ cause }) => cause === 'spare')).toEqual([])
  })
})

describe('the scheduler under a budget', () => {
  it('spends the budget and no more, and gives every source its equal share', () => {
    const refreshes = run(scheduler(perMinute(10), ids(100)), START, START + 10 * HOUR_MS)
    expect(refreshes.length).toBeLessThanOrEqual(6001)
    expect(refreshes.length).toBeGreaterThan(5700)
    const perSource = new Map<number, number>()
    for (const { id } of refreshes) perSource.set(id, (perSource.get(id) ?? 0) + 1)
    expect(perSource.size).toBe(100)
    expect(Math.min(...perSource.values())).toBeGreaterThan(0.9 * Math.max(...perSource.values()))
  })

  it('never exceeds the budget plus one burst over any span', () => {
    const refreshes = run(scheduler(perMinute(6), ids(50), 5), START, START + 3 * HOUR_MS)
    const spanMs = 10 * MINUTE_MS
    for (const { at } of refreshes) {
      const within = refreshes.filter((r) => r.at >= at && r.at < at + spanMs).length
      expect(within).toBeLessThanOrEqual(60 + 5)
    }
  })

  it('refreshes new sources first, and gives them at most their share while others wait', () => {
    const subject = scheduler(perMinute(10), ids(40))
    expect(new Set(run(subject, START, START + 8 * MINUTE_MS).map((r) => r.id)).size).toBe(40)
    run(subject, START + 8 * MINUTE_MS, START + 8 * HOUR_MS)
    for (let id = 101; id <= 300; id++) subject.upsert(source(id))
    const after = run(subject, START + 8 * HOUR_MS, START + 8 * HOUR_MS + 20 * MINUTE_MS)
    const fresh = after.filter((r) => r.id > 100).length
    expect(fresh).toBeGreaterThanOrEqual(100)
    expect(fresh).toBeLessThan(200)
  })

  it('leaves the share of a source with its own interval to that interval, and still meets the budget', () => {
    const own = source(1, { intervalMs: 5 * MINUTE_MS })
    const refreshes = run(scheduler(perMinute(2), [own, ...ids(50).slice(1)]), START, START + 24 * HOUR_MS)
    const mine = refreshes.filter((r) => r.id === 1)
    expect(mine.length).toBeGreaterThan(250)
    expect(refreshes.length).toBeLessThanOrEqual(2 * 60 * 24 + 1)
    expect(refreshes.length).toBeGreaterThan(0.93 * 2 * 60 * 24)
  })

  it('puts a source that was requested by hand first, counts it, and earns it back', () => {
    const subject = scheduler(perMinute(1), ids(30))
    run(subject, START, START + HOUR_MS)
    for (const id of [7, 8, 9]) subject.requestRefresh(id)
    const after = run(subject, START + HOUR_MS, START + HOUR_MS + 10 * MINUTE_MS)
    expect(after.slice(0, 3).map((r) => r.id)).toEqual([7, 8, 9])
    expect(after.slice(0, 3).every((r) => r.manual && r.at === START + HOUR_MS)).toBe(true)
    expect(after.length).toBeLessThanOrEqual(12)
  })

  it('does not touch paused and retired sources unless requested', () => {
    const subject = scheduler(perMinute(60), [source(1, { paused: true }), source(2, { retired: true }), source(3)])
    expect(new Set(run(subject, START, START + HOUR_MS).map((r) => r.id))).toEqual(new Set([3]))
    subject.requestRefresh(1)
    subject.requestRefresh(2)
    expect(run(subject, START + HOUR_MS, START + HOUR_MS + 1).map((r) => r.id)).toContain(1)
  })

  it('keeps a source paused that was paused while it was being refreshed', () => {
    const subject = scheduler(perMinute(60), [source(1)])
    expect(subject.take(START)).toMatchObject({ kind: 'refresh', id: 1 })
    subject.upsert(source(1, { paused: true }))
    subject.finish(1, null)
    expect(subject.take(START + HOUR_MS)).toEqual({ kind: 'wait', until: Number.POSITIVE_INFINITY })
  })

  it('honours a time that was decided before a restart or after a failure', () => {
    const subject = scheduler(perMinute(60), [source(1, { dueAt: START + HOUR_MS })])
    expect(run(subject, START, START + HOUR_MS)).toEqual([])
    expect(subject.take(START + HOUR_MS)).toMatchObject({ kind: 'refresh', id: 1 })
    subject.finish(1, START + 3 * HOUR_MS)
    expect(run(subject, START + HOUR_MS, START + 3 * HOUR_MS)).toEqual([])
    expect(subject.take(START + 3 * HOUR_MS)).toMatchObject({ kind: 'refresh', id: 1 })
  })

  it('returns what a postponed source would have cost', () => {
    const subject = scheduler(perMinute(1), ids(2))
    const first = subject.take(START)
    expect(first).toMatchObject({ kind: 'refresh', id: 1 })
    subject.postpone(1, START + MINUTE_MS)
    expect(subject.take(START)).toMatchObject({ kind: 'refresh', id: 2 })
  })

  it('shortens the rounds when sources leave', () => {
    const subject = scheduler(perMinute(1), ids(60))
    run(subject, START, START + 3 * HOUR_MS)
    for (let id = 2; id <= 60; id++) subject.remove(id)
    const after = run(subject, START + 3 * HOUR_MS, START + 4 * HOUR_MS)
    expect(after.length).toBeGreaterThan(45)
  })

  it('leaves budget unspent rather than ask a source too often, and spends it as soon as there are sources', () => {
    const subject = scheduler(perMinute(60), ids(10), 1, 5 * MINUTE_MS)
    const alone = run(subject, START, START + 24 * HOUR_MS)
    expect(alone.length).toBe(10 * 12 * 24)
    for (let id = 11; id <= 600; id++) subject.upsert(source(id))
    const together = run(subject, START + 24 * HOUR_MS, START + 26 * HOUR_MS)
    expect(together.length).toBeGreaterThan(0.9 * 60 * 120)
  })

  it('is the same run from the same seed', () => {
    const twice = [0, 1].map(() => run(scheduler(perMinute(7), ids(23)), START, START + HOUR_MS))
    expect(twice[0]).toEqual(twice[1])
  })
})

describe('a budget that is changed', () => {
  const perHour = (requests: number): Budget => ({ requests, perMs: HOUR_MS })

  it('carries over what was saved, within what may be saved, and what is owed', () => {
    const step = fc.record({
      waitMs: fc.integer({ min: 0, max: 2 * HOUR_MS }),
      requested: fc.integer({ min: 0, max: 40 }),
      requests: fc.integer({ min: 40, max: 4_000 }),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const burst = 15
        const subject = scheduler(perHour(60), ids(40), burst)
        let now = START
        for (const { waitMs, requested, requests } of steps) {
          now += waitMs
          for (let id = 1; id <= requested; id++) subject.requestRefresh(id)
          run(subject, now, now + 1)
          const before = subject.snapshot(now).balance
          subject.setBudget(perHour(requests), now)
          expect(subject.snapshot(now).balance).toBeCloseTo(Math.min(before, burst), 6)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('every hour, as a node does that holds a wished quality, makes no refresh later', () => {
    // All at the full hour, which the saved budget pays for.
    const subject = scheduler(
      perHour(60),
      ids(15).map((each) => ({ ...each, intervalMs: HOUR_MS })),
      15,
    )
    for (let hour = 0; hour < 24; hour++) {
      const from = START + hour * HOUR_MS
      expect(run(subject, from, from + MINUTE_MS)).toHaveLength(15)
      expect(run(subject, from + MINUTE_MS, from + HOUR_MS - 1)).toHaveLength(0)
      subject.setBudget(perHour(hour % 2 === 0 ? 57 : 60), from + HOUR_MS - 1)
    }
  })
})

describe('windows that fill while they wait for the budget', () => {
  it('go before what was due earlier', () => {
    const last = 20
    const fullAt = START + 3 * MINUTE_MS
    const urgentAt = (_: unknown, { id }: { readonly id: number }) => (id === last ? fullAt : Number.POSITIVE_INFINITY)
    const options = { budget: perMinute(1), burst: 1, minIntervalMs: 0, random: seededRandom(1), now: START }
    const subject = new Scheduler<{ readonly phase: number }>({ ...options, strategy: { ...uniform, urgentAt } })
    for (let id = 1; id <= last; id++) {
      const lastRefreshAt = START - 10 * HOUR_MS + id * MINUTE_MS
      subject.upsert(source(id, { facts: { ...source(id).facts, addedAt: START - 24 * HOUR_MS, lastRefreshAt } }))
    }
    const turn = run(subject, START, START + 15 * MINUTE_MS).find(({ id }) => id === last)
    expect(turn?.at).toBeGreaterThanOrEqual(fullAt)
    expect(turn?.at).toBeLessThanOrEqual(fullAt + 2 * MINUTE_MS)
  })
})
