import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logTicks, timeTicks, valueTicks } from './ticks.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describe('ticks of an axis', () => {
  it.each([
    ['a small amount', 0, 87, 'number', [0, 50, 100]],
    ['a share', 0, 0.93, 'number', [0, 0.5, 1]],
    ['minutes, not multiples of 100 seconds', 0, 25 * MINUTE_MS, 'duration', [0, 10, 20, 30].map((n) => n * MINUTE_MS)],
    ['hours', 0, 11 * HOUR_MS, 'duration', [0, 3, 6, 9, 12].map((n) => n * HOUR_MS)],
    ['nothing at all', 0, 0, 'number', [0, 0.5]],
  ] as const)('%s', (_name, low, high, kind, expected) => {
    expect(valueTicks(low, high, kind, kind === 'number' ? 3 : 4)).toEqual(expected)
  })

  it('all differ, reach beyond both ends, and are few', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1_000, noNaN: true }),
        fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
        fc.constantFrom('number', 'duration') as fc.Arbitrary<'number' | 'duration'>,
        (lowShare, span, kind) => {
          const low = lowShare * span
          const ticks = valueTicks(low, low + span, kind)
          const slack = (low + span) * 1e-6
          expect(new Set(ticks).size).toBe(ticks.length)
          expect(ticks.length).toBeLessThanOrEqual(6)
          expect(ticks[0]).toBeLessThanOrEqual(low + slack)
          expect(ticks.at(-1)).toBeGreaterThanOrEqual(low + span - slack)
        },
      ),
    )
  })

  it('days begin at midnight of the reader', () => {
    const from = Date.UTC(2030, 0, 7, 5)
    expect(timeTicks(from, from + 3 * DAY_MS, 4, HOUR_MS)).toEqual(
      [0, 1, 2].map((n) => Date.UTC(2030, 0, 7, 23) + n * DAY_MS),
    )
  })

  it('budgets over decades', () => {
    expect(logTicks(8, 300)).toEqual([10, 20, 50, 100, 200])
    expect(logTicks(1, 100_000)).toEqual([1, 10, 100, 1_000, 10_000, 100_000])
  })
})
