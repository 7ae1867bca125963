import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, type Observation } from '../../../model/index.ts'
import { Scheduler } from '../../scheduler/scheduler.ts'
import { foresight } from './foresight.ts'
import { HubSignals } from './hub-signals.ts'
import { precisionAt, waitAfterPushHours } from './signals.ts'
import { FLAT_TABLES } from './tables.ts'

const START = Date.UTC(2024, 0, 1)
const HUB = 'https://hub.example/'

function observation(at: InstantMs, itemTimes: readonly InstantMs[], sourceId = 1): Observation {
  const base = {
    sourceId,
    previousAt: at - HOUR_MS,
    at,
    newItems: itemTimes.length,
    windowSize: 20,
    overlap: 'some',
  } as const
  return { ...base, lostAtLeast: 0, itemTimes, notModified: false, bytes: 1, latencyMs: 1 }
}

/** So many true pushes of a source, one an hour. */
function proved(pushes: number): HubSignals {
  const hubs = new HubSignals()
  hubs.follow(1, HUB, START, false)
  for (let n = 1; n <= pushes; n++) {
    const at = START + n * HOUR_MS
    hubs.pushed(1, at)
    hubs.observed(observation(at + 1_000, [at - MINUTE_MS]))
  }
  return hubs
}

describe('a hub', () => {
  it('changes nothing before its first true push, nor for a source that has none', () => {
    const hubs = proved(0)
    expect(hubs.stretch(1, HOUR_MS)).toBe(1)
    hubs.pushed(1, START + HOUR_MS)
    hubs.observed(observation(START + HOUR_MS, []))
    expect(hubs.stretch(1, HOUR_MS)).toBe(1)
    expect(proved(50).stretch(2, HOUR_MS)).toBe(1)
  })

  it('lets its sources wait the longer the more it told of, and only as long as pays to notice that it failed', () => {
    const waits = [1, 5, 50, 5_000].map((pushes) => proved(pushes).stretch(1, HOUR_MS))
    expect(waits).toEqual([...waits].sort((a, b) => a - b))
    expect(waits[0]).toBeGreaterThan(1)
    // (2φT₀)^⅔ with one failure in 60 days: at one hour never more than nine times.
    expect(waits[3]).toBeLessThan(9)
    expect(proved(5_000).stretch(1, DAY_MS)).toBeLessThan(waits[3] ?? 0)
  })

  it('is not believed about a source once a poll found what it had not told of, until it tells again', () => {
    const hubs = proved(50)
    const at = START + 100 * HOUR_MS
    // Young enough to be on its way.
    hubs.observed(observation(at, [at - MINUTE_MS]))
    expect(hubs.stretch(1, HOUR_MS)).toBeGreaterThan(2)
    hubs.observed(observation(at + HOUR_MS, [at]))
    expect(hubs.stretch(1, HOUR_MS)).toBe(1)
    hubs.pushed(1, at + 2 * HOUR_MS)
    hubs.observed(observation(at + 2 * HOUR_MS, [at + 2 * HOUR_MS - 1]))
    expect(hubs.stretch(1, HOUR_MS)).toBeGreaterThan(2)
  })

  it('that is silent about three of its sources in a row is believed about none', () => {
    const hubs = proved(50)
    for (const id of [2, 3, 4]) {
      hubs.follow(id, HUB, START, true)
      const at = START + (100 + id) * HOUR_MS
      expect(hubs.stretch(1, HOUR_MS)).toBeGreaterThan(2)
      hubs.observed(observation(at, [at - 30 * MINUTE_MS], id))
    }
    expect(hubs.stretch(1, HOUR_MS)).toBe(1)
  })

  it('is not blamed for what was published before it was subscribed to, or while nobody knows when', () => {
    const hubs = new HubSignals()
    hubs.follow(1, HUB, START, true)
    hubs.observed(observation(START + HOUR_MS / 2, [START - 1]))
    hubs.observed({ ...observation(START + HOUR_MS / 2, []), newItems: 3 })
    expect(hubs.records()).toEqual([])
  })

  it('has a recall, a precision and a delay that survive a restart', () => {
    const hubs = proved(20)
    const [record] = hubs.records()
    expect(record).toMatchObject({ hub: HUB, delayMs: MINUTE_MS, misses: 0 })
    expect(record?.signal.announced).toBe(record?.signal.items)
    const again = new HubSignals()
    again.resume(JSON.parse(JSON.stringify(hubs.records())))
    again.follow(1, HUB, START, true)
    expect(again.stretch(1, HOUR_MS)).toBe(hubs.stretch(1, HOUR_MS))
    expect(again.precision(1)).toBe(hubs.precision(1))
  })
})

describe('after a push', () => {
  it('a slow source is fetched at once, a fast one when enough has come', () => {
    expect(waitAfterPushHours(0.1, 5, 1)).toBe(0)
    for (const p of [1, 0.5, 0.1]) {
      // The least of (μ + pd + λd²/2)/(d + p/λ), looked for by hand.
      const cost = (d: number) => (2 + p * d + (10 * d ** 2) / 2) / (d + p / 10)
      const best = waitAfterPushHours(10, 2, p)
      for (const other of [0, best / 2, best * 0.9, best * 1.1, best * 2])
        expect(cost(best)).toBeLessThanOrEqual(cost(other))
    }
    // A hub that only invents is no reason to look before a poll would.
    expect(waitAfterPushHours(10, 2, 0)).toBeCloseTo(Math.sqrt((2 * 2) / 10))
  })

  it('false ones are told from true ones by the hour', () => {
    expect(precisionAt(1, 0.01, 1)).toBe(1)
    expect(precisionAt(0.5, 1, 1)).toBe(0.5)
    expect(precisionAt(0.5, 0.1, 1)).toBeCloseTo(1 / 11)
    expect(precisionAt(0.5, 0, 0)).toBe(0.5)
  })

  it('a source that waits for a hub is due as without it once the hub has fallen silent', () => {
    const hubs = proved(50)
    const strategy = foresight({ tables: FLAT_TABLES, hubs })
    const options = { budget: { requests: 24, perMs: DAY_MS }, burst: 4, minIntervalMs: 1, random: () => 0.5 }
    const scheduler = new Scheduler({ ...options, strategy, now: START })
    for (const id of [1, 2, 3, 4]) {
      const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: START }
      scheduler.upsert({ facts, dueAt: null, paused: false, retired: false })
      if (id > 1) hubs.follow(id, HUB, START, true)
    }
    const waits = () => (scheduler.explain(1, START)?.nextAt ?? 0) - START
    const before = waits()
    for (const id of [2, 3, 4]) {
      const at = START + (100 + id) * HOUR_MS
      scheduler.plan(observation(at, [at - 30 * MINUTE_MS], id))
    }
    expect(waits()).toBeLessThan(before / 2)
    expect(scheduler.take(START + waits() + 1)).toMatchObject({ kind: 'refresh', id: 1 })
  })

  it('the scheduler refreshes the source whatever its shortest interval, says why, and waits longer afterwards', () => {
    const hubs = proved(50)
    const strategy = foresight({ tables: FLAT_TABLES, hubs })
    const options = { budget: { requests: 24, perMs: DAY_MS }, burst: 4, minIntervalMs: HOUR_MS, random: () => 0.5 }
    const scheduler = new Scheduler({ ...options, strategy, now: START })
    const plain = new Scheduler({ ...options, strategy: foresight({ tables: FLAT_TABLES }), now: START })
    const facts = { id: 1, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: START }
    for (const one of [scheduler, plain]) one.upsert({ facts, dueAt: null, paused: false, retired: false })
    const due = (one: Scheduler<never>) => one.explain(1, START)?.nextAt ?? 0
    expect(due(scheduler as never)).toBeGreaterThan(due(plain as never))
    expect(scheduler.explain(1, START)?.reason).toContain('to see whether its hub still works')
    const at = START + 10 * MINUTE_MS
    scheduler.push(1, at)
    expect(scheduler.take(at)).toMatchObject({ kind: 'refresh', id: 1, why: { cause: 'push' } })
  })
})
