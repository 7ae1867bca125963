import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Observation } from '../model/index.ts'
import { bucketEndMs, delayBucket, delayQuantile, MOST_BUCKET } from './delay-buckets.ts'
import { measureQuality, periodUntil, tallyOf, tallyOfFailure } from './live.ts'

const NOW = Date.UTC(2024, 4, 17, 12)

function observation(more: Partial<Observation>): Observation {
  return {
    sourceId: 1,
    previousAt: NOW - HOUR_MS,
    at: NOW,
    newItems: 0,
    windowSize: 20,
    overlap: 'some',
    lostAtLeast: 0,
    itemTimes: [],
    notModified: false,
    bytes: 500,
    latencyMs: 5,
    ...more,
  }
}

const cost = { requests: 1, bytes: 500, repaired: 0, windowSize: 20 }

describe('what one refresh adds', () => {
  it('counts delays from the dates of items', () => {
    const itemTimes = [NOW - 30 * MINUTE_MS, NOW - 10 * MINUTE_MS]
    const tally = tallyOf(observation({ newItems: 2, itemTimes }), cost)
    expect(tally).toMatchObject({ requests: 1, useful: 1, items: 2, delayMs: 40 * MINUTE_MS, guessedDelays: 0 })
    expect(measureQuality(tally)).toMatchObject({
      completeness: { value: 1, estimated: false },
      delay: { meanMs: 20 * MINUTE_MS, estimated: false },
      usefulShare: 1,
      lost: { items: 0, estimated: false },
    })
  })

  it('takes half the interval where an item has no date that can be, and says so', () => {
    const tally = tallyOf(observation({ newItems: 2, itemTimes: [NOW - DAY_MS] }), cost)
    expect(tally).toMatchObject({ items: 2, delayMs: HOUR_MS, guessedDelays: 2 })
    expect(measureQuality(tally).delay).toMatchObject({ meanMs: HOUR_MS / 2, estimated: true })
  })

  it('counts neither delay nor items of a first refresh: nobody knows what was missed before', () => {
    const tally = tallyOf(observation({ previousAt: null, overlap: 'first', newItems: 20 }), cost)
    expect(tally).toMatchObject({ requests: 1, useful: 1, items: 0, watchedMs: 0, delays: [] })
    expect(measureQuality(tally)).toMatchObject({ completeness: null, freshness: null, delay: null })
  })

  it('takes the estimated loss into completeness, and labels it', () => {
    const loss = { items: 10, atLeast: 4, atMost: 20, basis: 'dates' as const }
    const tally = tallyOf(observation({ newItems: 20, overlap: 'none', loss }), cost)
    const measures = measureQuality(tally)
    expect(measures.completeness).toEqual({ value: 20 / 30, estimated: true })
    expect(measures.lost).toEqual({ items: 10, atLeast: 4, atMost: 20, estimated: true })
    expect(measures.saturatedRefreshes).toBe(1)
  })

  it('counts older pages as requests and what they brought as got', () => {
    const repaired = observation({ newItems: 35, overlap: 'repaired' })
    const tally = tallyOf(repaired, { requests: 3, bytes: 1500, repaired: 15, windowSize: 20 })
    expect(tally).toMatchObject({ requests: 3, bytes: 1500, items: 35, repaired: 15, lost: 0, saturated: 1 })
  })

  it('counts failures as requests that were of no use', () => {
    expect(measureQuality(tallyOfFailure(77))).toMatchObject({
      requests: 1,
      failedRequests: 1,
      bytes: 77,
      usefulShare: 0,
    })
  })
})

describe('delay buckets', () => {
  /** Nearest rank. */
  const quantileOf = (values: readonly number[], share: number) =>
    [...values].sort((a, b) => a - b)[Math.ceil(share * values.length) - 1]!

  it('hold what they say', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 60 * DAY_MS, noNaN: true }), (delayMs) => {
        const bucket = delayBucket(delayMs)
        expect(bucket).toBeGreaterThanOrEqual(0)
        expect(bucket).toBeLessThanOrEqual(MOST_BUCKET)
        expect(delayMs).toBeLessThanOrEqual(bucketEndMs(bucket) * (1 + 1e-6))
        if (bucket > 0) expect(delayMs).toBeGreaterThanOrEqual(bucketEndMs(bucket - 1) * (1 - 1e-6))
      }),
    )
  })

  it('give percentiles within a bucket', () => {
    const seconds = fc.array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(seconds, fc.constantFrom('median', 'p95'), (delays, which) => {
        const ms = delays.map((delay) => delay * 1000)
        const counts = new Map<number, number>()
        for (const delay of ms) counts.set(delayBucket(delay), (counts.get(delayBucket(delay)) ?? 0) + 1)
        const sorted = [...counts].sort(([a], [b]) => a - b).map(([bucket, items]) => ({ bucket, items }))
        const exact = quantileOf(ms, which === 'median' ? 0.5 : 0.95)
        const read = delayQuantile(sorted, which === 'median' ? 0.5 : 0.95)!
        expect(read / exact).toBeLessThan(Math.SQRT2 + 1e-6)
        expect(read / exact).toBeGreaterThan(1 / Math.SQRT2 - 1e-6)
      }),
    )
    expect(delayQuantile([], 0.5)).toBeNull()
  })
})

describe('periods', () => {
  it.each([
    ['hour', '13:00'],
    ['day', '13:00'],
  ] as const)('the last %s is whole hours, the one under way included', (over, until) => {
    const now = Date.UTC(2024, 4, 17, 12, 20)
    const period = periodUntil(over, now)
    expect(new Date(period.until).toISOString()).toContain(until)
    expect(now - period.since).toBeGreaterThanOrEqual(over === 'hour' ? HOUR_MS : DAY_MS)
    expect(now - period.since).toBeLessThan((over === 'hour' ? HOUR_MS : DAY_MS) + HOUR_MS)
  })
})
