import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modifiedAfter, modifiedForAll } from './last-modified.ts'

const NOON = Date.UTC(2026, 0, 5, 12)

describe('Last-Modified of one process', () => {
  it('is that of the newest item, and later than that of the version before', () => {
    expect(modifiedAfter(NOON + 5_678, undefined, NOON + 9_000)).toBe(NOON + 5_000)
    expect(modifiedAfter(NOON + 5_900, NOON + 5_000, NOON + 9_000)).toBe(NOON + 6_000)
    expect(modifiedAfter(NOON + 5_900, NOON + 5_000, NOON + 5_950)).toBe(NOON + 5_000)
  })
})

describe('Last-Modified of several processes', () => {
  it('is the same wherever the change is some time ago, and the same second as its newest item', () => {
    for (const agoMs of [10_000, 10_001, 86_400_000])
      expect(modifiedForAll(NOON + 5_678, NOON + 5_678 + agoMs)).toBe(NOON + 5_000)
  })

  it('never hides a change from a reader who knows the date alone, whichever process is asked, clocks up to 9 s apart', () => {
    const change = fc.record({
      afterMs: fc.integer({ min: 0, max: 20_000 }),
      servedAfterMs: fc.integer({ min: 0, max: 30_000 }),
    })
    const apart = fc.integer({ min: -4_500, max: 4_500 })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), apart, apart, (changes, here, there) => {
        let updatedAt = NOON
        for (const { afterMs, servedAfterMs } of changes) {
          const served = Math.min(updatedAt + servedAfterMs, updatedAt + afterMs)
          const date = modifiedForAll(updatedAt, served + here)
          updatedAt += afterMs
          const isNews = afterMs > 0
          // Asked when things have come to rest, by any clock.
          const later = modifiedForAll(updatedAt, updatedAt + 30_000 + there)
          if (isNews) expect(later).toBeGreaterThan(date)
        }
      }),
    )
  })
})
