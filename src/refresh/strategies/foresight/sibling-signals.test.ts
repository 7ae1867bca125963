import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Observation } from '../../../model/index.ts'
import { Scheduler } from '../../scheduler/scheduler.ts'
import { FLAT_TABLES, foresight } from './index.ts'
import { SiblingSignals } from './sibling-signals.ts'

const START = Date.UTC(2026, 0, 5)
const LEADER = 1
const FOLLOWER = 2

function observation(sourceId: number, at: number, previousAt: number, itemTimes: readonly number[]): Observation {
  return {
    sourceId,
    previousAt,
    at,
    newItems: itemTimes.length,
    windowSize: 20,
    overlap: 'some',
    lostAtLeast: 0,
    itemTimes,
    notModified: itemTimes.length === 0,
    bytes: 100,
    latencyMs: 10,
  }
}

const nothing = () => 0

/** The leader publishes; the follower is refreshed some time later, with or without something of the same minutes. */
function together(signals: SiblingSignals, days: number, together: boolean): void {
  for (let day = 0; day < days; day++) {
    const at = START + day * DAY_MS
    signals.observed(observation(LEADER, at + 5 * MINUTE_MS, at - HOUR_MS, [at]), nothing)
    const times = together ? [at + MINUTE_MS] : [at + 3 * HOUR_MS]
    signals.observed(observation(FOLLOWER, at + 4 * HOUR_MS, at - DAY_MS, times), nothing)
  }
}

describe('signals of siblings', () => {
  it('reach the followers, and are worth what they have announced', () => {
    const signals = new SiblingSignals()
    signals.set([{ source: FOLLOWER, by: LEADER }])
    const published = observation(LEADER, START + MINUTE_MS, START - HOUR_MS, [START])
    expect(signals.observed(published, nothing)).toEqual([FOLLOWER])
    expect(signals.expected(FOLLOWER)).toBe(0)
    together(signals, 60, true)
    expect(signals.expected(FOLLOWER)).toBeGreaterThan(0.7)
  })

  it('are worth nothing where the follower publishes at other times, or as much anyway', () => {
    const apart = new SiblingSignals()
    apart.set([{ source: FOLLOWER, by: LEADER }])
    together(apart, 60, false)
    expect(apart.expected(FOLLOWER)).toBe(0)
    const busy = new SiblingSignals()
    busy.set([{ source: FOLLOWER, by: LEADER }])
    for (let day = 0; day < 60; day++) {
      const at = START + day * DAY_MS
      busy.observed(observation(LEADER, at + MINUTE_MS, at - HOUR_MS, [at]), nothing)
      busy.observed(observation(FOLLOWER, at + 2 * MINUTE_MS, at - HOUR_MS, [at + MINUTE_MS]), () => 2)
    }
    expect(busy.expected(FOLLOWER)).toBe(0)
  })

  it('are silent about what was published long ago', () => {
    const signals = new SiblingSignals()
    signals.set([{ source: FOLLOWER, by: LEADER }])
    expect(signals.observed(observation(LEADER, START, START - DAY_MS, [START - 7 * HOUR_MS]), nothing)).toEqual([])
    // And where the other was refreshed since.
    signals.observed(observation(FOLLOWER, START + 30 * MINUTE_MS, START - DAY_MS, []), nothing)
    expect(signals.observed(observation(LEADER, START + HOUR_MS, START, [START]), nothing)).toEqual([])
  })

  it('keep what was learnt of a pair over a rebuild and a restart, and forget a pair that is none any more', () => {
    const signals = new SiblingSignals()
    signals.set([{ source: FOLLOWER, by: LEADER }])
    together(signals, 30, true)
    const learnt = signals.expected(FOLLOWER)
    signals.set([
      { source: FOLLOWER, by: LEADER },
      { source: 3, by: LEADER },
    ])
    expect(signals.expected(FOLLOWER)).toBe(learnt)
    const restarted = new SiblingSignals()
    restarted.set(signals.pairs(), signals.pairs())
    expect(restarted.expected(FOLLOWER)).toBe(learnt)
    // One of a large family is as good as another: the one that is known stays.
    signals.set([{ source: FOLLOWER, by: 3 }])
    expect(signals.leaderOf(FOLLOWER)).toBe(LEADER)
    signals.set([])
    expect(signals.expected(FOLLOWER)).toBe(0)
  })
})

it('brings the check of a source forward when a sibling has just published, and says so', () => {
  const siblings = new SiblingSignals()
  const scheduler = new Scheduler({
    strategy: foresight({ tables: FLAT_TABLES, siblings }),
    budget: { requests: 4, perMs: DAY_MS },
    burst: 2,
    minIntervalMs: 5 * MINUTE_MS,
    random: () => 0.5,
    now: START,
  })
  for (const id of [LEADER, FOLLOWER]) {
    const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: START }
    scheduler.upsert({ facts, dueAt: null, paused: false, retired: false })
  }
  const before = scheduler.explain(FOLLOWER, START)!.nextAt!
  expect(before).toBeGreaterThan(START + HOUR_MS)
  siblings.set([{ source: FOLLOWER, by: LEADER }])
  const at = START + 20 * MINUTE_MS
  const publishes = () => {
    scheduler.requestRefresh(LEADER)
    expect(scheduler.take(at)).toMatchObject({ id: LEADER })
    scheduler.plan(observation(LEADER, at, START, [at - MINUTE_MS]))
    scheduler.finish(LEADER, null)
  }
  // Nothing is known of the pair yet.
  publishes()
  expect(scheduler.explain(FOLLOWER, at)!.nextAt).toBe(before)
  const record = { v: 1 as const, signals: 200, confirmed: 190, items: 400, announced: 380 }
  siblings.set([], [])
  siblings.set([{ source: FOLLOWER, by: LEADER }], [{ source: FOLLOWER, by: LEADER, record }])
  publishes()
  expect(scheduler.explain(FOLLOWER, at)!.nextAt).toBe(at)
  let decision = scheduler.take(at)
  for (let now = at; decision.kind === 'wait' && now < START + DAY_MS; decision = scheduler.take(now))
    now = decision.until
  expect(decision).toMatchObject({ id: FOLLOWER, why: { cause: 'signal' } })
})
