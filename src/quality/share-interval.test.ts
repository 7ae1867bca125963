import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shareInterval } from './share-interval.ts'

it.each([
  // Wilson (1927); figures of the 95 % interval as in Brown, Cai and DasGupta (2001).
  [0, 10, 0, 0.2775],
  [0.5, 10, 0.2366, 0.7634],
  [1, 5, 0.5655, 1],
  [0.1, 1_000, 0.0829, 0.1202],
])('%d of %d items lies between %d and %d', (share, items, atLeast, atMost) => {
  const interval = shareInterval(share, items)
  expect(interval.atLeast).toBeCloseTo(atLeast, 4)
  expect(interval.atMost).toBeCloseTo(atMost, 4)
})

it('says nothing without items, holds what was counted, and is the narrower the more was counted', () => {
  expect(shareInterval(0.3, 0)).toEqual({ atLeast: 0, atMost: 1 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(5_000), (items, some) => {
      const share = Math.min(items, some) / items
      const [few, many] = [shareInterval(share, items), shareInterval(share, 4 * items)]
      expect(few.atLeast).toBeGreaterThanOrEqual(0)
      expect(few.atMost).toBeLessThanOrEqual(1)
      for (const { atLeast, atMost } of [few, many]) {
        expect(atLeast).toBeLessThanOrEqual(share)
        expect(atMost).toBeGreaterThanOrEqual(share)
      }
      expect(many.atMost - many.atLeast).toBeLessThan(few.atMost - few.atLeast)
    }),
  )
})
