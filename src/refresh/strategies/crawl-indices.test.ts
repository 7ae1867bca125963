import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../model/index.ts'
import { known } from '../estimators/index.ts'
import { constantIntensity } from '../intensity.ts'
import { azar, harmonicIndex, lambdacrawl } from './crawl-indices.ts'

const FACTS = { id: 0, weight: 1, cost: 1, windowSize: 20, addedAt: 0, lastRefreshAt: 0 }

function intervalHours(make: typeof lambdacrawl, rate: number, price: number): number {
  const estimator = known(constantIntensity(rate))
  return make(estimator).dueAt(estimator.start({ ratePerHour: rate, at: 0 }), FACTS, price) / HOUR_MS
}

describe('indices of crawling papers', () => {
  it('LambdaCrawl: the index is ∫ s dC with C = E[harmonic number of missed changes]', () => {
    // dC/ds = λ·E[1/(N + 1)] = (1 − e^{−λs})/s for N ~ Pois(λs); s·dC/ds = 1 − e^{−λs}.
    for (const rate of [0.01, 0.5, 3]) {
      for (const age of [0.2, 2, 30]) {
        let sum = 0
        for (let k = 0; k < 20_000; k++) sum += -Math.expm1((-rate * (k + 0.5) * age) / 20_000) * (age / 20_000)
        expect(harmonicIndex(rate, age)).toBeCloseTo(sum, 5)
      }
    }
    expect(harmonicIndex(1e-6, 2)).toBeCloseTo(2e-6, 11)
  })

  it('LambdaCrawl refreshes faster sources more often and gives up none', () => {
    const intervals = [0.01, 0.1, 1, 10, 100].map((rate) => intervalHours(lambdacrawl, rate, 2))
    expect(intervals).toEqual(intervals.toSorted((a, b) => b - a))
    expect(intervals.every(Number.isFinite)).toBe(true)
  })

  it('Azar et al. give up sources whose index 1/λ never reaches the price', () => {
    expect(intervalHours(azar, 0.1, 2)).toBeLessThan(1_000)
    expect(intervalHours(azar, 10, 2)).toBe(Number.POSITIVE_INFINITY)
  })
})
