import { describe, expect, it } from 'vitest'
import { adjustThreshold } from './threshold.ts'

describe('threshold adjustment (Algorithm 4.2)', () => {
  it.each([
    ['more than b: τ grows by Θ', 31, 10.5],
    ['exactly b: stays', 30, 10],
    ['exactly p·b: stays', 27, 10],
    ['below p·b: τ falls by θ', 26, 9.5],
    ['nothing refreshed: τ falls', 0, 9.5],
  ])('%s', (_name, refreshed, expected) => {
    expect(adjustThreshold(10, refreshed, 30)).toBeCloseTo(expected, 12)
  })

  it('never reaches 0 or infinity', () => {
    let low = 1
    let high = 1
    for (let cycle = 0; cycle < 5_000; cycle++) {
      low = adjustThreshold(low, 0, 10)
      high = adjustThreshold(high, 20, 10)
    }
    expect(low).toBeGreaterThan(0)
    expect(Number.isFinite(high)).toBe(true)
  })
})
