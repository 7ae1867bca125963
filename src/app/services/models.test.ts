import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type Observation } from '../../model/index.ts'
import { Scheduler } from '../../refresh/scheduler/scheduler.ts'
import { seededRandom } from '../../runtime/random.ts'
import type { StoredModel } from '../../store/scheduling.ts'
import { strategyFor } from '../crawling/strategy.ts'
import { createModelReader } from './models.ts'

/** What the scheduler keeps of a source that publishes four items every hour. */
function learnt(strategy: string): StoredModel {
  const start = 20_000 * DAY_MS
  const scheduler = new Scheduler({
    strategy: strategyFor({ strategy, estimator: 'hybrid' }),
    budget: { requests: 60, perMs: 60_000 },
    burst: 1,
    minIntervalMs: 0,
    random: seededRandom(1),
    now: start,
  })
  const facts = { id: 1, weight: 1, cost: 1, windowSize: 20, addedAt: start, lastRefreshAt: null }
  scheduler.upsert({ facts, dueAt: null, paused: false, retired: false })
  for (let hour = 1; hour <= 14 * 24; hour++) {
    const at = start + hour * HOUR_MS
    const itemTimes = [1, 2, 3, 4].map((quarter) => at - quarter * 15 * 60_000 + 1)
    const observation: Observation = {
      sourceId: 1,
      previousAt: at - HOUR_MS,
      at,
      newItems: 4,
      windowSize: 20,
      overlap: 'some',
      lostAtLeast: 0,
      itemTimes: itemTimes.sort(),
      notModified: false,
      bytes: 0,
      latencyMs: 0,
    }
    scheduler.plan(observation, null)
  }
  const { bytes, ...memory } = scheduler.memory(1)!
  return { ...memory, state: bytes, relearntAt: null }
}

it('shows what the scheduler has learnt: rate, week, and when the window is full', () => {
  const model = learnt('two-steps')
  const reader = createModelReader(() => strategyFor({ strategy: 'two-steps', estimator: 'hybrid' }))
  expect(reader.ratePerHour(model)).toBeGreaterThan(3)
  expect(reader.ratePerHour(model)).toBeLessThan(5)
  const week = reader.week(model)!
  expect(week.map((day) => day.length)).toEqual(Array(7).fill(24))
  const mean = week.flat().reduce((sum, rate) => sum + rate, 0) / 168
  expect(mean).toBeCloseTo(reader.ratePerHour(model)!, 1)
  const from = 20_100 * DAY_MS
  const fullAt = reader.reaches(model, from, 20)!
  expect(reader.expected(model, from, fullAt)).toBeCloseTo(20, 1)
  expect(reader.reaches(model, from, 1e9)).toBeNull()
})

it('says nothing of models that another strategy wrote, or that are no models', () => {
  const reader = createModelReader(() => strategyFor({ strategy: 'uniform', estimator: 'hybrid' }))
  const model = learnt('two-steps')
  for (const wrong of [model, { ...model, form: 'uniform' }, null]) {
    expect([reader.ratePerHour(wrong), reader.week(wrong), reader.expected(wrong, 0, 1)]).toEqual([null, null, null])
  }
})
