import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, type Observation, type SourceId } from '../../../model/index.ts'
import { seededRandom } from '../../../runtime/random.ts'
import { estimatedDivergence } from '../../divergence.ts'
import { ESTIMATORS } from '../../estimators/index.ts'
import { LEARNING_ONLINE } from '../../learning/plan.ts'
import { advarssCycle, advarssModel } from '../../strategies/advarss.ts'
import { exactModel } from '../../strategies/modelled.ts'
import { topKUtilityCycle } from '../../strategies/top-k-utility.ts'
import { twoStepsCycle } from '../../strategies/two-steps.ts'
import type { SchedulerSource } from '../types.ts'
import { CycleScheduler, type CycleSchedulerOptions } from './cycle-scheduler.ts'

const START = Date.UTC(2026, 0, 5)
const CYCLE_MS = 10 * MINUTE_MS
const estimator = ESTIMATORS.hybrid()

type Options = Partial<Omit<CycleSchedulerOptions<unknown, never>, 'strategy'>>

function scheduler(perCycle: number, options: Options = {}, now = START) {
  return new CycleScheduler({
    strategy: topKUtilityCycle(estimatedDivergence(estimator)),
    ...optionsOf(),
    budget: { requests: perCycle, perMs: CYCLE_MS },
    now,
    ...options,
  })
}

function source(id: SourceId, more: Partial<SchedulerSource> = {}): SchedulerSource {
  const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: START - HOUR_MS, lastRefreshAt: null }
  return { facts, dueAt: null, paused: false, retired: false, ...more }
}

function observationOf(sourceId: SourceId, at: InstantMs, previousAt: InstantMs | null): Observation {
  const nothing = { notModified: false, bytes: 100, latencyMs: 10, lostAtLeast: 0, itemTimes: [] }
  return {
    sourceId,
    at,
    previousAt,
    newItems: 1,
    windowSize: 20,
    overlap: previousAt === null ? 'first' : 'some',
    ...nothing,
  }
}

/** All that is taken until the end, refreshed at once; `refresh`: does something else with one that was taken. */
function run(
  subject: ReturnType<typeof scheduler>,
  from: InstantMs,
  to: InstantMs,
  refresh?: (id: SourceId, now: InstantMs) => boolean,
) {
  const refreshes: { id: SourceId; cause: string; minute: number }[] = []
  const lastAt = new Map<SourceId, InstantMs>()
  for (let now = from; now <= to; ) {
    const next = subject.take(now)
    if (next.kind === 'wait') {
      now = Math.max(now + 1, next.until)
      continue
    }
    refreshes.push({ id: next.id, cause: next.why.cause, minute: (now - START) / MINUTE_MS })
    if (refresh?.(next.id, now)) continue
    subject.plan(observationOf(next.id, now, lastAt.get(next.id) ?? null))
    lastAt.set(next.id, now)
    subject.finish(next.id, null)
  }
  return refreshes
}

describe('scheduling in cycles', () => {
  it('spends whole requests that are the budget on average', () => {
    const subject = scheduler(0.4)
    for (let id = 1; id <= 3; id++) subject.upsert(source(id))
    const refreshes = run(subject, START, START + 10 * CYCLE_MS)
    expect(refreshes.map(({ minute }) => minute)).toEqual([30, 50, 80, 100])
  })

  it('takes what is requested by hand at once, from the budget of the next cycle', () => {
    const subject = scheduler(1)
    for (let id = 1; id <= 3; id++) subject.upsert(source(id))
    subject.requestRefresh(3)
    expect(run(subject, START, START + 2 * CYCLE_MS)).toEqual([
      { id: 3, cause: 'asked', minute: 0 },
      { id: 1, cause: 'worth', minute: 20 },
    ])
  })

  it('refreshes new sources first within their share, and sources with their own interval without the strategy', () => {
    const subject = scheduler(2, { learning: LEARNING_ONLINE })
    for (let id = 1; id <= 4; id++) subject.upsert(source(id))
    subject.upsert(source(9, { intervalMs: 15 * MINUTE_MS }))
    const refreshes = run(subject, START, START + 2 * CYCLE_MS)
    expect(refreshes.filter(({ id }) => id === 9).map(({ minute }) => minute)).toEqual([0, 15])
    expect(refreshes.filter(({ cause }) => cause === 'new').map(({ minute }) => minute)).toEqual([10, 20])
    // Two in each of two cycles, less those of the interval.
    expect(refreshes).toHaveLength(4)
  })

  it('leaves alone what is paused, waits after a failure, or was refreshed a moment ago', () => {
    const subject = scheduler(5)
    subject.upsert(source(1, { paused: true }))
    subject.upsert(source(2, { retired: true }))
    subject.upsert(source(3, { dueAt: START + 3 * CYCLE_MS }))
    subject.upsert(source(4, { minIntervalMs: 25 * MINUTE_MS }))
    const refreshes = run(subject, START, START + 4 * CYCLE_MS)
    expect(refreshes.filter(({ id }) => id <= 2)).toEqual([])
    expect(refreshes.filter(({ id }) => id === 3).map(({ minute }) => minute)).toEqual([30, 40])
    expect(refreshes.filter(({ id }) => id === 4).map(({ minute }) => minute)).toEqual([10, 40])
  })

  it('tries again what its host did not let in, without paying twice', () => {
    const subject = scheduler(1)
    for (let id = 1; id <= 2; id++) subject.upsert(source(id))
    let busy = true
    const refreshes = run(subject, START, START + 2 * CYCLE_MS, (id, now) => {
      if (!busy) return false
      busy = false
      subject.postpone(id, now + MINUTE_MS)
      return true
    })
    expect(refreshes.map(({ id, minute }) => [id, minute])).toEqual([
      [1, 10],
      [1, 11],
      [2, 20],
    ])
  })

  it('refreshes none less often than its longest interval', () => {
    const strategy = twoStepsCycle(estimatedDivergence(estimator), { firstThreshold: 1e9, rule: null })
    const subject = new CycleScheduler({ ...optionsOf(), strategy, maxIntervalMs: 2 * HOUR_MS })
    subject.upsert(source(1, { facts: { ...source(1).facts, lastRefreshAt: START - HOUR_MS } }))
    const refreshes = run(subject as never, START, START + 4 * HOUR_MS)
    expect(refreshes.map(({ minute, cause }) => [minute, cause])).toEqual([
      [60, 'time'],
      [180, 'time'],
    ])
  })

  it('goes on after a kill with its threshold, its phase, and what it had chosen and not refreshed', () => {
    const before = scheduler(3)
    for (let id = 1; id <= 3; id++) before.upsert(source(id))
    const first = before.take(START + CYCLE_MS)
    const second = before.take(START + CYCLE_MS)
    expect([first, second].map((one) => one.kind === 'refresh' && one.id)).toEqual([1, 2])
    const at = START + CYCLE_MS + MINUTE_MS
    const stored = JSON.parse(JSON.stringify(before.snapshot(at)))
    const after = scheduler(3, {}, at + MINUTE_MS)
    after.resume(stored, at + MINUTE_MS)
    // The first was stored, the second was under way, the third had not begun.
    after.upsert(source(1, { facts: { ...source(1).facts, lastRefreshAt: START + CYCLE_MS } }))
    after.upsert(source(2))
    after.upsert(source(3))
    const refreshes = run(after, at + MINUTE_MS, START + 2 * CYCLE_MS - 1)
    expect(refreshes.map(({ id }) => id)).toEqual([2, 3])
    const next = after.take(START + 2 * CYCLE_MS)
    expect(next.kind).toBe('refresh')
  })
})

function optionsOf() {
  return {
    model: exactModel(estimator),
    budget: { requests: 1, perMs: CYCLE_MS },
    cycleMs: CYCLE_MS,
    minIntervalMs: 5 * MINUTE_MS,
    maxIntervalMs: 7 * DAY_MS,
    learning: { ...LEARNING_ONLINE, exploreShare: 0 },
    costs: 'requests' as const,
    random: () => 0.5,
    now: START,
  }
}

describe('runs at random intervals (advaRSS)', () => {
  const inRuns = (seed: number, now = START) =>
    new CycleScheduler({
      ...optionsOf(),
      strategy: advarssCycle,
      model: advarssModel,
      budget: { requests: 100, perMs: HOUR_MS },
      cycleMs: 8 * MINUTE_MS,
      random: seededRandom(seed),
      now,
    })

  it('go on after a restart as they would have, with the runs that were counted', () => {
    const subject = inRuns(1)
    subject.upsert(source(1))
    run(subject as never, START, START + 5 * HOUR_MS)
    const killedAt = START + 5 * HOUR_MS + MINUTE_MS
    const stored = JSON.parse(JSON.stringify(subject.snapshot(killedAt)))
    const before = subject.explain(1, killedAt)!
    const resumed = inRuns(2, killedAt + MINUTE_MS)
    resumed.resume(stored, killedAt + MINUTE_MS)
    const { lastRefreshAt } = { lastRefreshAt: subject.lastRefreshAt(1) }
    resumed.upsert({ ...source(1), facts: { ...source(1).facts, lastRefreshAt }, memory: subject.memory(1) })
    expect(resumed.explain(1, killedAt)).toEqual(before)
    expect(before.counts).toEqual({ M: expect.any(Number), T: 1, ToE: expect.any(Number) })
    expect(resumed.snapshot(killedAt).cycle!.nextAt).toBe(stored.cycle.nextAt)
  })

  it('after a long rest come at once, and then 6 to 10 minutes apart', () => {
    const subject = inRuns(1)
    const later = START + 3 * DAY_MS
    const resumed = inRuns(2, later)
    resumed.resume(JSON.parse(JSON.stringify(subject.snapshot(START))), later)
    const moments: number[] = []
    for (let now = later; moments.length < 20; ) {
      const decision = resumed.take(now)
      if (decision.kind !== 'wait') continue
      moments.push(decision.until)
      now = decision.until
    }
    expect(moments[0]! - later).toBeLessThanOrEqual(10 * MINUTE_MS)
    const gaps = moments.slice(1).map((at, k) => (at - moments[k]!) / MINUTE_MS)
    for (const minutes of gaps) {
      expect(minutes).toBeGreaterThanOrEqual(6)
      expect(minutes).toBeLessThanOrEqual(10)
    }
  })
})
