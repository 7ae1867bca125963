import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../model/index.ts'
import { firstTimeReached } from './first-reached.ts'
import { reachesItems, reachesUtility } from './intensity.ts'

const rate = fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 50, noNaN: true }))

describe('the first of two limits', () => {
  it('is reached when intensity.ts says, whichever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(rate, { minLength: 24, maxLength: 24 }), fc.array(rate, { minLength: 1, maxLength: 7 })),
        fc.integer({ min: 0, max: 40 * DAY_MS }),
        fc.oneof(fc.double({ min: 1e-3, max: 100, noNaN: true }), fc.constant(Number.POSITIVE_INFINITY)),
        fc.double({ min: 1e-4, max: 1e4, noNaN: true }),
        (ratesPerHour, from, items, utility) => {
          const intensity = { periodMs: DAY_MS, ratesPerHour }
          const expected = Math.min(reachesItems(intensity, from, items), reachesUtility(intensity, from, utility))
          const reachedAt = firstTimeReached(intensity, from, items, utility)
          if (expected === Number.POSITIVE_INFINITY) expect(reachedAt).toBe(expected)
          else expect(Math.abs(reachedAt - expected)).toBeLessThan(1 + 1e-9 * (expected - from))
        },
      ),
    )
  })

  it('nothing is to be waited for nothing', () => {
    const intensity = { periodMs: DAY_MS, ratesPerHour: [1, 2, 3] }
    expect(firstTimeReached(intensity, HOUR_MS, 0, 1)).toBe(HOUR_MS)
    expect(firstTimeReached(intensity, HOUR_MS, 1, 0)).toBe(HOUR_MS)
  })
})
