import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, type Observation } from '../../model/index.ts'
import { estimatedDivergence } from '../divergence.ts'
import { ESTIMATORS } from '../estimators/index.ts'
import { LEARNING_ONLINE, type LearningPlan } from '../learning/plan.ts'
import { findStrategy } from '../strategies/index.ts'
import { exactModel } from '../strategies/modelled.ts'
import { twoStepsCycle } from '../strategies/two-steps.ts'
import { CycleScheduler } from './cycles/cycle-scheduler.ts'
import type { LiveScheduler } from './live-scheduler.ts'
import { Scheduler } from './scheduler.ts'
import type { MemorySnapshot, PastObservation, StoredSchedule } from './types.ts'

const START = Date.UTC(2026, 0, 5)
const SOURCES = 8
/** Two a day and source. */
const BUDGET = { requests: 2 * SOURCES, perMs: DAY_MS }
const estimator = ESTIMATORS.hybrid()

const plan = (fields: Partial<LearningPlan>): LearningPlan => ({ ...LEARNING_ONLINE, ...fields })
const SEPARATE = plan({ way: 'separate', share: 0.25 })
const FREEZE = plan({ way: 'freeze', share: 1, learnMs: 4 * DAY_MS })
const REPEATED = plan({ way: 'repeated', share: 1, learnMs: 2 * DAY_MS, everyMs: 8 * DAY_MS })

const common = (learning: LearningPlan, now: InstantMs) => ({
  learning,
  now,
  budget: BUDGET,
  minIntervalMs: 5 * MINUTE_MS,
  maxIntervalMs: 60 * DAY_MS,
  costs: 'requests' as const,
  random: () => 0.5,
})

const FORMS: readonly [string, (learning: LearningPlan, now: InstantMs) => LiveScheduler][] = [
  [
    'at a price',
    (learning, now) =>
      new Scheduler({ ...common(learning, now), strategy: findStrategy('two-steps')!.priced!(estimator), burst: 1 }),
  ],
  [
    'in cycles',
    (learning, now) =>
      new CycleScheduler<unknown, unknown>({
        ...common(learning, now),
        strategy: twoStepsCycle(estimatedDivergence(estimator)) as never,
        model: exactModel(estimator) as never,
        cycleMs: HOUR_MS,
      }),
  ],
]

/** What a store would hold. */
interface StoredTables {
  readonly past: Map<number, PastObservation[]>
  schedule: StoredSchedule | null
  readonly memories: Map<number, MemorySnapshot>
}
const nothing = (): StoredTables => ({ past: new Map(), schedule: null, memories: new Map() })

/** The source with this number publishes so many times a day, like clockwork. */
const publishedBy = (id: number, at: InstantMs) => Math.floor(((at - START) / DAY_MS + 1) * 2 ** id)

function observed(id: number, previousAt: InstantMs | null, at: InstantMs): Observation {
  const newItems = previousAt === null ? 20 : publishedBy(id, at) - publishedBy(id, previousAt)
  const isLoss = previousAt !== null && newItems > 20
  return {
    sourceId: id,
    previousAt,
    at,
    newItems: Math.min(20, newItems),
    windowSize: 20,
    overlap: previousAt === null ? 'first' : isLoss ? 'none' : 'some',
    lostAtLeast: isLoss ? newItems - 20 : 0,
    itemTimes: [],
    notModified: newItems === 0,
    bytes: 0,
    latencyMs: 0,
  }
}

/** Continues with what is stored, as a killed node does; stores it at the end unless that is a kill, too. */
function live(
  make: (typeof FORMS)[number][1],
  learning: LearningPlan,
  stored: StoredTables,
  from: number,
  to: number,
  kill = false,
) {
  const subject = make(learning, at(from))
  if (stored.schedule !== null) subject.resume(stored.schedule, at(from))
  for (let id = 1; id <= SOURCES; id++) {
    const past = stored.past.get(id) ?? []
    const memory = stored.memories.get(id) ?? null
    const lastRefreshAt = past.at(-1)?.at ?? null
    const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt }
    const isBehind = past.length > 0
    subject.upsert({ facts, dueAt: null, paused: false, retired: false, memory, isBehind })
    if (memory === null) subject.relearn(id, past)
    else
      subject.catchUp(
        id,
        past.filter((one) => one.at > memory.learntAt),
      )
  }
  const observations: PastObservation[] = []
  for (let now = at(from); now < at(to); ) {
    const next = subject.take(now)
    if (next.kind === 'wait') {
      now = Math.max(now + 1, Math.min(next.until, at(to)))
      continue
    }
    const past = stored.past.get(next.id) ?? []
    const observation = { ...observed(next.id, past.at(-1)?.at ?? null, now), cause: next.why.cause }
    stored.past.set(next.id, [...past, observation])
    observations.push(observation)
    // As the crawler settles a refresh: after a loss the time is decided.
    const planned = subject.plan(observation)
    subject.finish(next.id, observation.overlap === 'none' ? planned.at : null)
    if (kill) continue
    stored.schedule = subject.snapshot(now)
    stored.memories.set(next.id, subject.memory(next.id)!)
  }
  return {
    subject,
    observations,
    bytes: () => ids().map((id) => Buffer.from(subject.memory(id)!.bytes).toString('hex')),
  }
}

const at = (days: number) => START + days * DAY_MS
const ids = () => Array.from({ length: SOURCES }, (_, index) => index + 1)
const countsOf = (observations: readonly Observation[]) =>
  ids().map((id) => observations.filter((one) => one.sourceId === id).length)

describe.each(FORMS)('ways of learning (thesis 7.3.4), %s', (form, make) => {
  it('separate: learning requests come round to all alike, and only they teach', () => {
    const { observations: taken } = live(make, SEPARATE, nothing(), 0, 16)
    const learning = countsOf(taken.filter(({ cause }) => cause === 'learning'))
    expect(Math.max(...learning) - Math.min(...learning)).toBeLessThanOrEqual(1)
    const sum = learning.reduce((all, one) => all + one, 0)
    expect(sum / (0.25 * 16 * BUDGET.requests)).toBeCloseTo(1, 0)
    const stored = nothing()
    for (let day = 0; day < 16; day++) {
      const before = stored.memories.get(1)
      live(make, SEPARATE, stored, day, day + 1)
      const after = stored.memories.get(1)
      const lessons = stored.past
        .get(1)!
        .filter((one) => one.at >= at(day) && one.cause !== 'worth' && one.cause !== 'full')
      if (lessons.length === 0) expect(after?.bytes).toEqual(before?.bytes)
    }
  })

  it('freeze: all have their turn in the period of learning; then nothing moves a model any more', () => {
    const stored = nothing()
    const period = countsOf(live(make, FREEZE, stored, 0, 4).observations)
    expect(Math.max(...period) - Math.min(...period)).toBeLessThanOrEqual(1)
    const learnt = live(make, FREEZE, stored, 4, 4.01).bytes()
    const { observations: taken, bytes, subject } = live(make, FREEZE, stored, 4.01, 20)
    expect(bytes()).toEqual(learnt)
    expect(subject.isLearning(at(20))).toBe(false)
    // The budget is spent on what the models say.
    const counts = countsOf(taken)
    expect(counts[SOURCES - 1]).toBeGreaterThan(2 * counts[0]!)
    expect(taken.every(({ cause }) => cause !== 'learning')).toBe(true)
  })

  it('repeated: models move in the periods of learning alone', () => {
    const stored = nothing()
    const moved: number[] = []
    let before: readonly string[] = []
    for (let day = 0; day < 24; day++) {
      const after = live(make, REPEATED, stored, day, day + 1).bytes()
      if (after.some((bytes, index) => bytes !== before[index])) moved.push(day)
      before = after
    }
    expect(moved).toEqual([0, 1, 8, 9, 16, 17])
  })

  it.each([SEPARATE, FREEZE, REPEATED])('over kills models are what their observations say: $way', (given) => {
    const stored = nothing()
    const days = [0, 1.3, 3.1, 5, 7.7, 9.2, 12]
    for (let run = 1; run < days.length; run++) live(make, given, stored, days[run - 1]!, days[run]!, run % 2 === 0)
    const { subject, bytes } = live(make, given, stored, 12, 12.001)
    expect(subject.snapshot(at(12)).learning!.since).toBe(START)
    const again = make(given, START)
    for (let id = 1; id <= SOURCES; id++) {
      const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: null }
      again.upsert({ facts, dueAt: null, paused: false, retired: false })
      again.relearn(id, stored.past.get(id)!)
    }
    expect(bytes()).toEqual(ids().map((id) => Buffer.from(again.memory(id)!.bytes).toString('hex')))
  })

  it('another way of learning goes on with what is known, and begins its own periods', () => {
    const stored = nothing()
    const known = live(make, LEARNING_ONLINE, stored, 0, 10).bytes()
    const { subject, bytes } = live(make, FREEZE, stored, 10, 10.0001)
    expect(bytes()).toEqual(known)
    expect(subject.isLearning(at(13.9))).toBe(true)
    expect(subject.isLearning(at(14.1))).toBe(false)
    live(make, FREEZE, stored, 10.0001, 15)
    const frozen = live(make, LEARNING_ONLINE, stored, 15, 15.0001).bytes()
    expect(live(make, LEARNING_ONLINE, stored, 15.0001, 18).bytes()).not.toEqual(frozen)
  })

  it('a period of learning may take more than the budget, and the rest of a round pays for it', () => {
    const boosted = plan({ way: 'repeated', share: 3, learnMs: DAY_MS, everyMs: 8 * DAY_MS })
    const { observations: taken } = live(make, boosted, nothing(), 0, 16)
    const inDays = (from: number, to: number) => taken.filter((one) => one.at >= at(from) && one.at < at(to)).length
    expect(inDays(8, 9) / BUDGET.requests).toBeCloseTo(3, 0)
    expect(inDays(9, 16) / (7 * BUDGET.requests)).toBeGreaterThan(0.4)
    // In cycles τ alone holds the budget, in the long run.
    if (form === 'at a price') expect(taken.length / (16 * BUDGET.requests)).toBeLessThan(1.05)
  })
})
