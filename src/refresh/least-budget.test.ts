import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/index.ts'
import { seededRandom } from '../runtime/random.ts'
import { known } from './estimators/index.ts'
import { constantIntensity } from './intensity.ts'
import { type Forecast, forecast, leastBudgetFor, leastBudgetSteps, spreadBudget } from './least-budget.ts'
import { onlyTau } from './strategies/only-tau.ts'
import { scc07Allocation } from './strategies/scc07.ts'
import { uniform } from './strategies/uniform.ts'
import type { PricedStrategy, SourceFacts } from './strategy.ts'

const NOW = Date.UTC(2026, 0, 1)
const estimator = known(constantIntensity(2))
const sources = Array.from({ length: 10 }, (_, id) => ({
  facts: { id, weight: 1, cost: 1, windowSize: 20, addedAt: NOW, lastRefreshAt: NOW },
  memory: estimator.start({ ratePerHour: 2, at: NOW }),
}))

describe('least budget for a wished quality', () => {
  it('mean delay of 30 minutes takes a request an hour and source', () => {
    const answer = leastBudgetFor(scc07Allocation(estimator), sources, { meanDelayMs: 30 * MINUTE_MS }, NOW)
    expect(answer).not.toBeNull()
    expect(answer!.budget.requests).toBeCloseTo(240, 0)
    expect(answer!.forecast.meanDelayMs).toBeLessThanOrEqual(30 * MINUTE_MS)
  })

  it('nothing lost takes a refresh each time the window of 20 is full', () => {
    const answer = leastBudgetFor(onlyTau(estimator), sources, { completeness: 1 }, NOW)
    expect(answer!.budget.requests).toBeCloseTo((10 * 48) / 20, 0)
  })

  it('forecast knows delay, loss and spending of an interval', () => {
    // λa²/2 = 100 at an age of 10 hours: 20 items, none lost yet.
    const expected = forecast(onlyTau(estimator), sources, 100, NOW)!
    expect(expected.requestsPerDay).toBeCloseTo(24, 0)
    expect(expected.meanDelayMs / HOUR_MS).toBeCloseTo(5, 1)
    expect(expected.completeness).toBe(1)
    expect(forecast(onlyTau(estimator), sources, 400, NOW)!.completeness).toBeCloseTo(0.5, 2)
  })

  it('asks many sources only near the answer of a few, and finds what all of them would', () => {
    const random = seededRandom(3)
    const rates = Array.from({ length: 600 }, () => 0.01 * 1_000 ** random())
    const many = rates.map((_, id) => ({
      facts: { ...sources[0]!.facts, id },
      memory: { rate: rates[id]! },
    }))
    const strategy = {
      ...onlyTau(estimator),
      dueAt: ({ rate }: { rate: number }, { lastRefreshAt }: SourceFacts, price: number) =>
        lastRefreshAt! + Math.sqrt((2 * price) / rate) * HOUR_MS,
      expected: ({ rate }: { rate: number }, from: number, to: number) => (rate * (to - from)) / HOUR_MS,
    } as unknown as PricedStrategy<{ rate: number }>
    const answer = leastBudgetFor(strategy, many, { meanDelayMs: 30 * MINUTE_MS }, NOW)!
    expect(answer.forecast.meanDelayMs).toBeLessThanOrEqual(30 * MINUTE_MS)
    expect(answer.forecast.meanDelayMs).toBeGreaterThan(0.99 * 30 * MINUTE_MS)
    const sample = spreadBudget(strategy, many, 60, NOW)
    const perSource = ({ itemsPerDay }: Forecast, count: number) => itemsPerDay / count
    const ofSample = perSource(forecast(strategy, sample, 1, NOW)!, 60)
    expect(ofSample / perSource(answer.forecast, 600)).toBeGreaterThan(0.95)
    expect(ofSample / perSource(answer.forecast, 600)).toBeLessThan(1.05)
    // In small steps, so that a running node can do it beside its work.
    let steps = 0
    for (const _ of leastBudgetSteps(strategy, many, { meanDelayMs: 30 * MINUTE_MS }, NOW)) steps++
    expect(steps).toBeGreaterThan(600)
  })

  it('no answer without a publication model, or for the impossible', () => {
    const plain = sources.map(({ facts }) => ({ facts, memory: { phase: 1 } }))
    expect(leastBudgetFor(uniform, plain, { meanDelayMs: DAY_MS }, NOW)).toBeNull()
    expect(leastBudgetFor(onlyTau(estimator), sources, { meanDelayMs: 1 }, NOW)).toBeNull()
  })
})
