import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../model/index.ts'
import { known } from '../estimators/known.ts'
import { ageIndex, ageSlope, freshnessIndex, freshnessSlope } from './cgm03.ts'
import { harmonicIndex, harmonicSlope } from './crawl-indices.ts'
import { type Index, indexStrategy } from './index-rule.ts'

const INDICES: readonly (readonly [string, Index])[] = [
  ['age', { at: ageIndex, slopeAt: ageSlope, power: 2 }],
  ['freshness', { at: freshnessIndex, slopeAt: freshnessSlope, power: 1 }],
  ['harmonic', { at: harmonicIndex, slopeAt: harmonicSlope, power: 1 }],
]

const rates = fc.double({ min: 1e-3, max: 1e3, noNaN: true })
const ages = fc.double({ min: 1e-2, max: 1e3, noNaN: true })

describe.each(INDICES)('the age at which the index of %s reaches the price', (_name, index) => {
  it('is the first one, within a billionth, as halving finds it', () => {
    fc.assert(
      fc.property(rates, ages, (rate, age) => {
        const price = index.at(rate, age)
        fc.pre(rate * age > 0.01 && index.at(rate, 1.001 * age) > price && index.at(rate, 80_000) > price)
        const found = dueAfter(index, rate, price)
        expect(Math.abs(found / halved(index, rate, price) - 1)).toBeLessThan(1e-6)
      }),
    )
  })

  it('knows its slope', () => {
    fc.assert(
      fc.property(rates, ages, (rate, age) => {
        fc.pre(rate * age > 0.01 && rate * age < 10)
        const step = 1e-5 * age
        const slope = (index.at(rate, age + step) - index.at(rate, age - step)) / (2 * step)
        expect(index.slopeAt(rate, age) / slope).toBeCloseTo(1, 4)
      }),
    )
  })

  it('is the same for all rates but for a power of the rate', () => {
    fc.assert(
      fc.property(rates, ages, (rate, age) => {
        fc.pre(rate * age > 0.01)
        expect((index.at(rate, age) * rate ** index.power) / index.at(1, rate * age)).toBeCloseTo(1, 9)
      }),
    )
  })

  it('is never for a price that no age reaches within ten years', () => {
    expect(dueAfter(index, 1e-3, 1e12)).toBe(Number.POSITIVE_INFINITY)
  })
})

function dueAfter(index: Index, ratePerHour: number, price: number): number {
  const estimator = known({ periodMs: HOUR_MS, ratesPerHour: [ratePerHour] })
  const strategy = indexStrategy(estimator, 'test', index, 'of a test')
  const facts = { id: 1, weight: 1, cost: 1, windowSize: 20, addedAt: 0, lastRefreshAt: 0 }
  return (
    strategy.dueAt(
      strategy.start(facts, () => 0),
      facts,
      price,
    ) / HOUR_MS
  )
}

function halved(index: Index, ratePerHour: number, target: number): number {
  let low = 0
  let high = 1
  while (index.at(ratePerHour, high) < target) high *= 2
  while (high - low > 1e-9 * high) {
    const middle = (low + high) / 2
    if (index.at(ratePerHour, middle) < target) low = middle
    else high = middle
  }
  return high
}
