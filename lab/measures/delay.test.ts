import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectedAgeHours, expectedFreshness, freshnessAt, meanFreshnessAndAge } from './binary-freshness.ts'
import {
  delayStatistics,
  evenRetrievalsDelay,
  expectedDelayItemHours,
  pendingDelay,
  percentileOfSorted,
  retrievalDelays,
  totalDelay,
  totalWeightedDelay,
} from './delay.ts'

const ascending = fc
  .array(fc.integer({ min: 0, max: 1000 }), { maxLength: 40 })
  .map((times) => times.sort((left, right) => left - right))

describe('retrieval delay (SCC07 2.1)', () => {
  it('waits for the first retrieval at or after the posting (Definition 1)', () => {
    expect([...retrievalDelays([1, 2, 5, 5, 9], [2, 6], 10)]).toEqual([1, 0, 1, 1, 1])
    expect(totalDelay(retrievalDelays([1, 2, 5], [4, 8], 10))).toBe(8)
  })

  it('weighs sources (Definition 2)', () => {
    const sources = [
      { weight: 2, delays: [1, 2] },
      { weight: 0.5, delays: [8] },
    ]
    expect(totalWeightedDelay(sources)).toBe(10)
  })

  it('gathers with a slope that grows by one with each posting (Figure 2a)', () => {
    expect([1, 2, 3, 4].map((t) => pendingDelay([1, 2, 3.5], 0, t))).toEqual([0, 1, 3, 5.5])
    expect(pendingDelay([1, 2], 1, 3)).toBe(1)
  })

  it('is λΔ²/2 over an interval at a constant rate (Corollary 1): 2 an hour, dense postings', () => {
    const postings = Array.from({ length: 2000 }, (_, index) => (index + 0.5) / 200)
    const perPosting = 1 / 100
    expect(totalDelay(retrievalDelays(postings, [10], 10)) * perPosting).toBeCloseTo(expectedDelayItemHours(2, 10), 6)
  })

  it('per period of m even retrievals is λT²/(2m), not the printed λT/(2m)', () => {
    expect(evenRetrievalsDelay(3, 24, 4)).toBeCloseTo(4 * expectedDelayItemHours(3, 6), 12)
    expect(evenRetrievalsDelay(3, 1, 4)).toBe(3 / 8)
  })

  it('of Example 1: retrieved at the end of the burst it is a third of the worst', () => {
    // λ(t) = 1 on [0, 1], 0 on (1, 2]: mean delay ½ when retrieved at the end of the burst, 3/2 a period's end later.
    const postings = Array.from({ length: 1000 }, (_, index) => (index + 0.5) / 1000)
    expect(delayStatistics(retrievalDelays(postings, [1], 2)).mean).toBeCloseTo(0.5, 9)
    expect(delayStatistics(retrievalDelays(postings, [2], 2)).mean).toBeCloseTo(1.5, 9)
  })

  it('is described by mean, maximum, deviation and percentiles', () => {
    const statistics = delayStatistics([4, 1, 3, 2])
    expect(statistics).toMatchObject({ items: 4, total: 10, mean: 2.5, max: 4, median: 2, p95: 4 })
    expect(statistics.deviation).toBeCloseTo(Math.sqrt(1.25), 12)
    expect(delayStatistics([])).toMatchObject({ items: 0, mean: 0, max: 0, deviation: 0, median: 0 })
    expect(percentileOfSorted([1, 2, 3, 4, 5], 0.2)).toBe(1)
  })

  it('never grows when a retrieval is added', () => {
    fc.assert(
      fc.property(ascending, ascending, fc.integer({ min: 0, max: 1000 }), (published, retrievals, more) => {
        const with1 = totalDelay(
          retrievalDelays(
            published,
            [...retrievals, more].sort((a, b) => a - b),
            1000,
          ),
        )
        expect(with1).toBeLessThanOrEqual(totalDelay(retrievalDelays(published, retrievals, 1000)))
      }),
    )
  })
})

describe('freshness and age of a copy (CGM03, SCC07 Figure 2b, 2c)', () => {
  it('is stale from the first change it lacks, and ages from there', () => {
    expect(freshnessAt([3, 5], [1, 8], 2)).toEqual({ fresh: 1, ageMs: 0 })
    expect(freshnessAt([3, 5], [1, 8], 7)).toEqual({ fresh: 0, ageMs: 4 })
    expect(freshnessAt([3, 5], [1, 8], 8)).toEqual({ fresh: 1, ageMs: 0 })
  })

  it('averages over time as sampling does', () => {
    fc.assert(
      fc.property(ascending, ascending, (changes, refreshes) => {
        let fresh = 0
        let age = 0
        const samples = 4000
        for (let index = 0; index < samples; index++) {
          const now = freshnessAt(changes, refreshes, ((index + 0.5) * 1000) / samples)
          fresh += now.fresh / samples
          age += now.ageMs / samples
        }
        const mean = meanFreshnessAndAge(changes, refreshes, 0, 1000)
        expect(mean.freshness).toBeCloseTo(fresh, 1)
        expect(Math.abs(mean.ageMs - age)).toBeLessThan(2)
      }),
      { numRuns: 30 },
    )
  })

  it('has the expected values of the Poisson model', () => {
    expect(expectedFreshness(1, 1)).toBeCloseTo(1 - Math.exp(-1), 12)
    expect(expectedFreshness(0, 5)).toBe(1)
    expect(expectedAgeHours(2, 3)).toBeCloseTo(3 * (0.5 - 1 / 6 + (1 - Math.exp(-6)) / 36), 12)
    expect(expectedAgeHours(1e-6, 3)).toBeCloseTo(1.5e-6, 9)
    // Many changes: the copy is stale at once, and ages half an interval on average.
    expect(expectedAgeHours(1e6, 3)).toBeCloseTo(1.5, 4)
  })
})
