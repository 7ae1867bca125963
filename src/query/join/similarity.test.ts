import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { neededHits, similarity, sizesFit, wordsToLookUp } from './similarity.ts'

const size = fc.integer({ min: 1, max: 300 })
const threshold = fc.oneof(
  fc.integer({ min: 0, max: 99 }).map((percent) => percent / 100),
  fc.double({ min: 0, max: 0.99, noNaN: true }),
)

describe('similarity', () => {
  it.each([
    [4, 4, 4, 1],
    [2, 2, 4, 0.5],
    [1, 2, 2, 1 / 3],
    [0, 3, 3, 0],
    [0, 0, 0, 0],
  ])('of %d shared words of %d and %d is %d', (shared, a, b, expected) => {
    expect(similarity(shared, a, b)).toBeCloseTo(expected)
  })

  it('is found by as many words as are looked up, and by size', () => {
    fc.assert(
      fc.property(size, size, size, threshold, (a, b, some, t) => {
        const shared = Math.min(a, b, some)
        if (!(similarity(shared, a, b) > t)) return
        // Even if all words that are not shared were looked up first.
        expect(wordsToLookUp(a, t)).toBeGreaterThan(a - shared)
        expect(sizesFit(a, b, t)).toBe(true)
        expect(wordsToLookUp(a, t) - (a - shared)).toBeGreaterThanOrEqual(neededHits(a, b, t))
      }),
      { numRuns: 5_000 },
    )
  })
})
