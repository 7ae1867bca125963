import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, WEEK_MS } from '../../src/model/index.ts'
import { type Intensity, utilityItemHours } from '../../src/refresh/intensity.ts'
import { gainsBy, utilityNear } from './profile-walk.ts'

const MONDAY = Date.UTC(2024, 0, 1)
const intensities = fc.record({
  periodMs: fc.constantFrom(DAY_MS, WEEK_MS, 5 * HOUR_MS),
  ratesPerHour: fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 30, noNaN: true })), {
    minLength: 1,
    maxLength: 30,
  }),
})
const instants = fc.oneof(
  fc.integer({ min: -200, max: 200 }).map((hour) => MONDAY + hour * HOUR_MS),
  fc.double({ min: -3 * WEEK_MS, max: 3 * WEEK_MS, noNaN: true }).map((offset) => MONDAY + offset),
)
const hours = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.double({ min: 0, max: 2_000, noNaN: true }))

describe('quick sums over a profile', () => {
  it('are the utility of equation 4.5 but for the last digits', () => {
    fc.assert(
      fc.property(intensities, instants, hours, (intensity, from, age) => {
        const to = from + age * HOUR_MS
        const exact = utilityItemHours(intensity, from, to)
        expect(Math.abs(utilityNear(intensity, from, to) - exact)).toBeLessThanOrEqual(
          1e-12 * exact + sumsDiffer(intensity, age),
        )
      }),
      { numRuns: 500 },
    )
    expect(utilityNear({ periodMs: DAY_MS, ratesPerHour: [1, 2] }, MONDAY, MONDAY - 1)).toBe(0)
  })

  // In utility, not in time: a rate of 1e-9 turns the last digit of a busy slot's utility into minutes.
  it('never wake too late, and at the right moment within four periods', () => {
    const gains = fc.double({ min: 1e-6, max: 1e5, noNaN: true })
    fc.assert(
      fc.property(intensities, instants, hours, gains, (intensity, since, age, gain) => {
        const at = since + age * HOUR_MS
        const target = utilityItemHours(intensity, since, at) + gain
        const wake = gainsBy(intensity, since, at, gain)
        expect(wake).toBeGreaterThanOrEqual(at)
        if (wake === Number.POSITIVE_INFINITY) {
          expect(Math.max(...intensity.ratesPerHour)).toBe(0)
          return
        }
        const slack = 1e-11 * target + sumsDiffer(intensity, (wake - since) / HOUR_MS)
        const reached = utilityItemHours(intensity, since, wake)
        expect(reached).toBeLessThanOrEqual(target + slack)
        const horizon = at + 4 * intensity.periodMs
        if (utilityItemHours(intensity, since, horizon) > target + slack) {
          expect(reached).toBeGreaterThanOrEqual(target - slack)
        } else {
          expect(wake).toBeGreaterThanOrEqual(horizon - 1)
        }
      }),
      { numRuns: 500 },
    )
  })
})

/** An instant is a double that lies a quarter of a microsecond from the next, also where a border should be between. */
function sumsDiffer({ ratesPerHour }: Intensity, ageHours: number): number {
  return ratesPerHour.length * Math.max(...Array.from(ratesPerHour)) * (ageHours + 1) * (0.00025 / HOUR_MS)
}
