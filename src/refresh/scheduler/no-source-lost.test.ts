import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Observation, SECOND_MS, type SourceId } from '../../model/index.ts'
import { seededRandom } from '../../runtime/random.ts'
import { estimatedDivergence } from '../divergence.ts'
import { ESTIMATORS } from '../estimators/index.ts'
import { LEARNING_ONLINE } from '../learning/plan.ts'
import { exactModel } from '../strategies/modelled.ts'
import { topKUtilityCycle } from '../strategies/top-k-utility.ts'
import { uniform } from '../strategies/uniform.ts'
import { CycleScheduler } from './cycles/cycle-scheduler.ts'
import type { LiveScheduler } from './live-scheduler.ts'
import { Scheduler, type SchedulerSource } from './scheduler.ts'

const START = Date.UTC(2026, 0, 5)
const BUDGET = { requests: 600, perMs: HOUR_MS }
const IDS: readonly SourceId[] = [1, 2, 3]

function priced(): LiveScheduler {
  return new Scheduler({
    strategy: uniform,
    budget: BUDGET,
    burst: 3,
    minIntervalMs: MINUTE_MS,
    maxIntervalMs: DAY_MS,
    random: seededRandom(1),
    now: START,
  })
}

function inCycles(): LiveScheduler {
  const estimator = ESTIMATORS.hybrid()
  return new CycleScheduler({
    strategy: topKUtilityCycle(estimatedDivergence(estimator)),
    model: exactModel(estimator),
    budget: BUDGET,
    cycleMs: 10 * MINUTE_MS,
    minIntervalMs: MINUTE_MS,
    maxIntervalMs: DAY_MS,
    learning: LEARNING_ONLINE,
    costs: 'requests',
    random: seededRandom(1),
    now: START,
  })
}

function sourceOf(id: SourceId, more: Partial<SchedulerSource> = {}): SchedulerSource {
  const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: null }
  return { facts, dueAt: null, paused: false, retired: false, ...more }
}

function observationOf(sourceId: SourceId, at: number): Observation {
  const found = { newItems: 1, windowSize: 20, overlap: 'some', lostAtLeast: 0, itemTimes: [at - 1] } as const
  return { sourceId, previousAt: at - HOUR_MS, at, ...found, notModified: false, bytes: 0, latencyMs: 0 }
}

/** A scheduler as a crawler drives it, with what must come of it. */
class Crawl {
  now = START
  readonly running: SourceId[] = []
  readonly manual = new Set<SourceId>()
  readonly paused = new Set<SourceId>()
  /** Requested by hand and not taken since. */
  readonly owed = new Set<SourceId>()
  readonly taken = new Set<SourceId>()

  constructor(readonly scheduler: LiveScheduler) {}

  put(id: SourceId, paused: boolean, more: Partial<SchedulerSource>): void {
    if (paused) this.paused.add(id)
    else this.paused.delete(id)
    this.scheduler.upsert(sourceOf(id, { ...more, paused }), this.now)
  }

  remove(id: SourceId): void {
    this.scheduler.remove(id)
    this.owed.delete(id)
    this.paused.delete(id)
    const at = this.running.indexOf(id)
    if (at >= 0) this.running.splice(at, 1)
  }

  request(id: SourceId, by: number | null): void {
    this.scheduler.requestRefresh(id, by)
    if (this.scheduler.has(id) && !this.running.includes(id)) this.owed.add(id)
  }

  /** Until when there is nothing to do; null: something was taken. */
  take(): number | null {
    const next = this.scheduler.take(this.now)
    if (next.kind === 'wait') return next.until
    expect(this.running).not.toContain(next.id)
    if (this.paused.has(next.id)) expect(next.manual).toBe(true)
    this.running.push(next.id)
    this.taken.add(next.id)
    if (next.manual) this.manual.add(next.id)
    else this.manual.delete(next.id)
    this.owed.delete(next.id)
    return null
  }

  end(how: End, ms: number): void {
    const id = this.running.shift()
    if (id === undefined) return
    if (how === 'postpone') {
      // As from a host that is busy: what was requested still is.
      this.scheduler.postpone(id, this.now + ms, this.now)
      if (this.manual.has(id)) this.owed.add(id)
    } else if (how === 'abort') this.scheduler.finish(id, this.now)
    else if (how === 'fail') this.scheduler.finish(id, this.now + ms)
    else {
      this.scheduler.plan(observationOf(id, this.now))
      this.scheduler.finish(id, null)
    }
  }

  /** Sources that are there for nothing: nobody paused them, and they were not taken; or they were requested. */
  get lost(): readonly SourceId[] {
    const isLost = (id: SourceId) =>
      this.owed.has(id) || (this.scheduler.has(id) && !this.paused.has(id) && !this.taken.has(id))
    return IDS.filter(isLost)
  }

  /** Until nothing is lost, or so much time is over. */
  runFor(ms: number): void {
    const endAt = this.now + ms
    while (this.now < endAt && this.lost.length > 0) {
      const until = this.take()
      if (until === null) this.end('finish', 0)
      else this.now = Math.min(endAt, Math.max(this.now + 1, until))
    }
  }
}

type End = 'finish' | 'postpone' | 'abort' | 'fail'

const anyId = fc.constantFrom(...IDS)
const anyPayers = fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 2 })
const anyWaitMs = fc.constantFrom(1, 20, SECOND_MS, 5 * SECOND_MS, MINUTE_MS)

/** What may happen between two looks of a crawler. */
const anyEvent: fc.Arbitrary<(crawl: Crawl) => void> = fc.oneof(
  fc.tuple(anyId, fc.boolean(), anyPayers).map(([id, paused, payers]) => (crawl: Crawl) => {
    crawl.put(id, paused, { payers })
  }),
  anyId.map((id) => (crawl: Crawl) => crawl.put(id, false, { intervalMs: 2 * MINUTE_MS })),
  anyId.map((id) => (crawl: Crawl) => crawl.put(id, false, {})),
  anyId.map((id) => (crawl: Crawl) => crawl.remove(id)),
  fc.tuple(anyId, fc.option(fc.integer({ min: 0, max: 3 }))).map(
    ([id, by]) =>
      (crawl: Crawl) =>
        crawl.request(id, by),
  ),
  fc.tuple(anyId, anyPayers).map(
    ([id, payers]) =>
      (crawl: Crawl) =>
        crawl.scheduler.setPayers(id, payers),
  ),
  fc.tuple(anyId, fc.integer({ min: 1, max: 9 })).map(([id, weight]) => (crawl: Crawl) => {
    crawl.scheduler.setWeight(id, weight)
  }),
  anyId.map((id) => (crawl: Crawl) => void crawl.scheduler.catchUp(id, [])),
  anyId.map((id) => (crawl: Crawl) => crawl.scheduler.retry(id, crawl.now)),
  fc.constant((crawl: Crawl) => void crawl.take()),
  fc.constant((crawl: Crawl) => void crawl.take()),
  fc.tuple(fc.constantFrom<End>('finish', 'postpone', 'postpone', 'abort', 'fail'), anyWaitMs).map(
    ([how, ms]) =>
      (crawl: Crawl) =>
        crawl.end(how, ms),
  ),
  anyWaitMs.map((ms) => (crawl: Crawl) => {
    crawl.now += ms
  }),
)

describe.each([
  ['with a price', priced],
  ['in cycles', inCycles],
])('a scheduler %s', (_name, create) => {
  it('loses no source, whatever changes while refreshes wait, run, fail or are returned', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 50 }), (events) => {
        const crawl = new Crawl(create())
        for (const id of IDS) crawl.put(id, false, {})
        for (const event of events) event(crawl)
        while (crawl.running.length > 0) crawl.end('finish', 0)
        crawl.taken.clear()
        crawl.runFor(DAY_MS)
        expect(crawl.lost).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

describe('a source that was requested by hand and whose host is busy', () => {
  const changes: readonly (readonly [string, (scheduler: LiveScheduler) => void])[] = [
    ['its settings change', (scheduler) => scheduler.upsert(sourceOf(1), START)],
    ['others pay for it', (scheduler) => scheduler.setPayers(1, [7])],
    ['its weight changes', (scheduler) => scheduler.setWeight(1, 3)],
    ['its model catches up', (scheduler) => void scheduler.catchUp(1, [])],
  ]

  it.each(changes)('is refreshed again when its turn comes, though meanwhile %s', (_name, change) => {
    const scheduler = priced()
    scheduler.upsert(sourceOf(1), START)
    scheduler.requestRefresh(1)
    expect(scheduler.take(START)).toMatchObject({ kind: 'refresh', id: 1, manual: true })
    scheduler.postpone(1, START + SECOND_MS, START)
    change(scheduler)
    expect(scheduler.take(START)).toMatchObject({ kind: 'wait' })
    expect(scheduler.take(START + SECOND_MS)).toMatchObject({ kind: 'refresh', id: 1, manual: true })
  })
})
