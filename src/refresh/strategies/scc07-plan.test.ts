import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../model/index.ts'
import { type PostingPattern, smoothPattern, stepPattern } from './scc07-pattern.ts'
import { expectedTotalDelay, refinedPlan, searchedPlan, stationarity, uniformPlan } from './scc07-plan.ts'

/** Example 1: λ = 1 in [0, 1), 0 in [1, 2). */
const example1: PostingPattern = {
  period: 2,
  breaks: [0, 1, 2],
  rate: (t) => (t % 2 < 1 ? 1 : 0),
  rateBefore: (t) => (t % 2 > 0 && t % 2 <= 1 ? 1 : 0),
  cumulative: (t) => Math.floor(t / 2) + Math.min(1, t % 2),
  moment: 0.5,
}

/** Figure 5: λ(t) = 2 + 2 sin 2πt. */
const figure5 = smoothPattern(
  1,
  (t) => 2 + 2 * Math.sin(2 * Math.PI * t),
  (t) => 2 * t + (1 - Math.cos(2 * Math.PI * t)) / Math.PI,
  1 - 1 / Math.PI,
)

describe('SCC07 retrieval scheduling', () => {
  it('Example 1: delay 1/2 when retrieved at the end of activity, 3/2 just before it begins', () => {
    expect(expectedTotalDelay(example1, [1])).toBeCloseTo(0.5, 12)
    expect(expectedTotalDelay(example1, [0])).toBeCloseTo(1.5, 12)
    for (const plan of [refinedPlan(example1, 1), searchedPlan(example1, 1)]) {
      expect(plan[0]).toBeCloseTo(1, 9)
      expect(expectedTotalDelay(example1, plan)).toBeCloseTo(0.5, 9)
    }
  })

  it('Theorem 2: one retrieval falls where the rate comes down to its mean', () => {
    const [at] = refinedPlan(figure5, 1)
    expect(figure5.rate(at!)).toBeCloseTo(2, 6)
    expect(at).toBeCloseTo(0.5, 6)
  })

  it('Figure 5: six retrievals are stationary to 1e-6, by both methods', () => {
    for (const plan of [refinedPlan(figure5, 6), searchedPlan(figure5, 6)]) {
      expect(plan).toHaveLength(6)
      expect(Math.max(...stationarity(figure5, plan).map(Math.abs))).toBeLessThan(1e-6)
      expect(expectedTotalDelay(figure5, plan)).toBeLessThan(expectedTotalDelay(figure5, uniformPlan(figure5, 6, 0.5)))
    }
    expect(expectedTotalDelay(figure5, refinedPlan(figure5, 6))).toBeCloseTo(
      expectedTotalDelay(figure5, searchedPlan(figure5, 6)),
      9,
    )
  })

  it('never does worse than equal intervals, for any daily pattern', () => {
    const rates = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 10, noNaN: true })), {
      minLength: 24,
      maxLength: 24,
    })
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 30 }), (ratesPerHour, points) => {
        const pattern = stepPattern({ periodMs: DAY_MS, ratesPerHour })
        const plan = refinedPlan(pattern, points)
        const delay = expectedTotalDelay(pattern, plan)
        expect(plan).toHaveLength(points)
        expect(plan.every((at) => at >= 0 && at <= 24)).toBe(true)
        expect(delay).toBeGreaterThanOrEqual(-1e-9)
        expect(delay).toBeLessThanOrEqual(expectedTotalDelay(pattern, uniformPlan(pattern, points, 0.5)) + 1e-9)
      }),
      { numRuns: 60 },
    )
  })

  it('counts the same delay as adding up the waiting of each moment', () => {
    const pattern = stepPattern({ periodMs: DAY_MS, ratesPerHour: Array.from({ length: 24 }, (_, hour) => hour % 5) })
    const plan = [3.2, 9, 20.7]
    let sum = 0
    const steps = 24 * 1_000
    for (let k = 0; k < steps; k++) {
      const t = (k + 0.5) / 1_000
      const next = plan.find((at) => at >= t) ?? plan[0]! + 24
      sum += (pattern.rate(t) * (next - t)) / 1_000
    }
    expect(expectedTotalDelay(pattern, plan)).toBeCloseTo(sum, 3)
  })
})
