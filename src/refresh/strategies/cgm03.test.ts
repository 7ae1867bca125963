import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../model/index.ts'
import { known } from '../estimators/index.ts'
import { constantIntensity } from '../intensity.ts'
import { ageIndex, cgm03Age, cgm03Freshness, freshnessIndex } from './cgm03.ts'

const FACTS = { id: 0, weight: 1, cost: 1, windowSize: 20, addedAt: 0, lastRefreshAt: 0 }
const intervalHours = (make: typeof cgm03Age, rate: number, price: number) => {
  const estimator = known(constantIntensity(rate))
  const strategy = make(estimator)
  return strategy.dueAt(estimator.start({ ratePerHour: rate, at: 0 }), FACTS, price) / HOUR_MS
}

/** ∫₀ᵃ s dC(s), with C the expected cost rate at age s (refresh-science §1). */
function integral(a: number, slope: (s: number) => number): number {
  const steps = 20_000
  let sum = 0
  for (let k = 0; k < steps; k++) {
    const s = ((k + 0.5) * a) / steps
    sum += s * slope(s) * (a / steps)
  }
  return sum
}

describe('Cho & Garcia-Molina', () => {
  it('indices are ∫ s dC of the probability of being stale and of the expected age', () => {
    for (const rate of [0.01, 0.5, 3]) {
      for (const a of [0.2, 2, 30]) {
        expect(freshnessIndex(rate, a)).toBeCloseTo(
          integral(a, (s) => rate * Math.exp(-rate * s)),
          4,
        )
        expect(ageIndex(rate, a)).toBeCloseTo(
          integral(a, (s) => 1 - Math.exp(-rate * s)),
          4,
        )
      }
    }
  })

  it('indices grow with age, also where terms cancel', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 10, noNaN: true }),
        fc.double({ min: 1e-4, max: 500, noNaN: true }),
        (rate, a) => {
          expect(ageIndex(rate, a * 1.01)).toBeGreaterThanOrEqual(ageIndex(rate, a))
          expect(freshnessIndex(rate, a * 1.01)).toBeGreaterThanOrEqual(freshnessIndex(rate, a))
        },
      ),
    )
  })

  it('freshness gives up a source that changes too fast; age refreshes it more often', () => {
    expect(intervalHours(cgm03Freshness, 0.2, 2)).toBeLessThan(24)
    expect(intervalHours(cgm03Freshness, 2, 2)).toBe(Number.POSITIVE_INFINITY)
    expect(intervalHours(cgm03Age, 2, 2)).toBeLessThan(intervalHours(cgm03Age, 0.2, 2))
  })
})
