import { describe, expect, it } from 'vitest'
import { adjustBudget, LEAST_BUDGET } from '../../src/app/crawling/least-budget.ts'
import { strategyFor } from '../../src/app/crawling/strategy.ts'
import { parseWish } from '../../src/app/settings/units.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import { MAX_INTERVAL_MS } from '../../src/refresh/default-limits.ts'
import { Scheduler } from '../../src/refresh/scheduler/scheduler.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { SourceRun } from '../simulator/source-run.ts'
import { Tally } from '../simulator/tally.ts'
import { countPublishedBy, factsOf, simSource } from '../simulator/world.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = Date.UTC(2026, 0, 5)
const LEARNT = START + 10 * DAY_MS
const END = LEARNT + 6 * DAY_MS

/** Thirty steady publishers and the scheduler that has followed them for ten days with plenty of budget. */
function followBudget(most: { requests: number; perMs: number }) {
  const random = seededRandom(4)
  const sources = Array.from({ length: 30 }, (_, index) => {
    const perHour = 0.1 * 30 ** random()
    return simSource(index + 1, poissonTimes(perHour / HOUR_MS, START - 10 * DAY_MS, END, random), 20)
  })
  const runs = sources.map((source) => new SourceRun(source))
  const strategy = strategyFor({ strategy: 'two-steps', estimator: 'gamma' })
  const scheduler = new Scheduler<unknown>({
    strategy,
    budget: most,
    burst: 2,
    minIntervalMs: MINUTE_MS,
    maxIntervalMs: MAX_INTERVAL_MS,
    random,
    now: START,
  })
  for (const source of sources) {
    scheduler.upsert({ facts: factsOf(source, START, null), dueAt: null, paused: false, retired: false })
  }
  const drive = (from: number, to: number, tally: Tally) => {
    for (let now = from; now < to; ) {
      const next = scheduler.take(now)
      if (next.kind === 'wait') {
        now = Math.max(now + 1, next.until)
        continue
      }
      const run = runs[next.id - 1]!
      scheduler.plan(run.refresh(now))
      tally.refreshed(sources[next.id - 1]!, now, run.sight)
      scheduler.finish(next.id, null)
    }
    for (const [index, { sight }] of runs.entries()) {
      tally.ended(sources[index]!, sight.to, countPublishedBy(sources[index]!.times, to, sight.to))
    }
  }
  return { scheduler, strategy, drive }
}

describe('a wished quality instead of a budget', () => {
  it('finds the least budget, shows it, and holds it', async () => {
    const most = { requests: 20_000, perMs: DAY_MS }
    const { scheduler, strategy, drive } = followBudget(most)
    drive(START, LEARNT, new Tally(START, LEARNT))
    const clock = new VirtualClock(LEARNT)
    const { store } = createMemoryStore({ clock })
    const wish = parseWish('delay<45min')
    const budget = await adjustBudget({ scheduler, strategy, wish, most, store, clock, logger: silentLogger })
    const perDay = (budget!.requests * DAY_MS) / budget!.perMs
    // Far less than may be spent, and more than a check or two a day.
    expect(perDay).toBeLessThan(3_000)
    expect(perDay).toBeGreaterThan(150)
    const state = await store.state(LEAST_BUDGET)
    expect(state?.requestsPerDay).toBe(Math.ceil(perDay))

    const tally = new Tally(LEARNT, END)
    drive(LEARNT, END, tally)
    expect(tally.requests).toBeLessThanOrEqual(6 * perDay + 2)
    expect(tally.requests).toBeGreaterThan(0.95 * 6 * perDay)
    expect(tally.meanDelayMs / MINUTE_MS).toBeLessThan(45 * 1.1)
    expect(tally.meanDelayMs / MINUTE_MS).toBeGreaterThan(45 * 0.8)
  })

  it('spends no more than the budget allows, though the wish would need more', async () => {
    const most = { requests: 300, perMs: DAY_MS }
    const { scheduler, strategy, drive } = followBudget(most)
    drive(START, LEARNT, new Tally(START, LEARNT))
    const clock = new VirtualClock(LEARNT)
    const { store } = createMemoryStore({ clock })
    const wish = parseWish('delay<2min, completeness>99.9%')
    const budget = await adjustBudget({ scheduler, strategy, wish, most, store, clock, logger: silentLogger })
    if (budget !== null) expect(budget.requests / budget.perMs).toBeLessThanOrEqual((300 / DAY_MS) * 1.000001)
    const tally = new Tally(LEARNT, END)
    drive(LEARNT, END, tally)
    expect(tally.requests).toBeLessThanOrEqual(6 * 300 + 2)
  })
})
