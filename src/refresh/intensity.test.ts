import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, WEEK_MS } from '../model/index.ts'
import {
  constantIntensity,
  expectedItems,
  type Intensity,
  itemsPerPeriod,
  meanRatePerHour,
  rateAt,
  reachesItems,
  reachesUtility,
  slotAt,
  utilityItemHours,
} from './intensity.ts'

const MONDAY = Date.UTC(2024, 0, 1)
/** Item i in hour i of the day. */
const rising: Intensity = { periodMs: DAY_MS, ratesPerHour: Array.from({ length: 24 }, (_, hour) => hour) }

const intensities = fc
  .record({
    periodMs: fc.constantFrom(DAY_MS, WEEK_MS, 5 * HOUR_MS),
    ratesPerHour: fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 30, noNaN: true })), {
      minLength: 1,
      maxLength: 30,
    }),
  })
  .filter(({ ratesPerHour }) => ratesPerHour.some((rate) => rate > 0))
const offsets = fc.integer({ min: -3 * WEEK_MS, max: 3 * WEEK_MS }).map((offset) => MONDAY + offset)

describe('expected items (thesis 7.1, 7.2.2)', () => {
  it.each([
    ['within one slot, where the printed formula counts a slot too many', 5.25, 5.75, 2.5],
    ['over a border of slots', 5.5, 6.5, 2.5 + 3],
    ['whole slots', 2, 5, 2 + 3 + 4],
    ['past midnight', 23.5, 25.5, 11.5 + 0 + 0.5],
    ['a whole day from anywhere', 7.3, 31.3, 276],
    ['ten days and a bit', 0, 242, 2760 + 0 + 1],
  ])('%s', (_name, fromHour, toHour, items) => {
    expect(expectedItems(rising, MONDAY + fromHour * HOUR_MS, MONDAY + toHour * HOUR_MS)).toBeCloseTo(items, 9)
  })

  it('is nothing for an empty or reversed interval', () => {
    expect(expectedItems(rising, MONDAY, MONDAY)).toBe(0)
    expect(expectedItems(rising, MONDAY + HOUR_MS, MONDAY)).toBe(0)
  })

  it('has means and totals that agree', () => {
    expect(itemsPerPeriod(rising)).toBe(276)
    expect(meanRatePerHour(rising)).toBe(11.5)
    expect(rateAt(rising, MONDAY + 5.9 * HOUR_MS)).toBe(5)
  })

  it('finds slots before the epoch, too', () => {
    expect(slotAt(DAY_MS, 24, -1)).toBe(23)
    expect(slotAt(DAY_MS, 24, -DAY_MS)).toBe(0)
  })
})

describe('utility (thesis 4.3)', () => {
  it('is wλa²/2 for a constant rate', () => {
    expect(utilityItemHours(constantIntensity(3), MONDAY, MONDAY + 4 * HOUR_MS)).toBe(24)
  })

  it('is (t − T_r)·Div(t) − ∫ Div, integrated numerically', () => {
    fc.assert(
      fc.property(intensities, offsets, fc.double({ min: 0.1, max: 400, noNaN: true }), (intensity, from, hours) => {
        const steps = 4000
        let integral = 0
        for (let step = 0; step < steps; step++) {
          const middle = from + ((step + 0.5) / steps) * hours * HOUR_MS
          integral += (expectedItems(intensity, from, middle) * hours) / steps
        }
        const to = from + hours * HOUR_MS
        const printed = hours * expectedItems(intensity, from, to) - integral
        const slack = 2e-3 * hours * expectedItems(intensity, from, to)
        expect(Math.abs(utilityItemHours(intensity, from, to) - printed)).toBeLessThanOrEqual(slack + 1e-9)
      }),
      { numRuns: 25 },
    )
  })
})

describe('inverses', () => {
  it('give the first moment at which so many items, or so much utility, has gathered', () => {
    fc.assert(
      fc.property(intensities, offsets, fc.double({ min: 1e-3, max: 5000, noNaN: true }), (intensity, from, target) => {
        const atItems = reachesItems(intensity, from, target)
        expect(expectedItems(intensity, from, atItems) / target).toBeCloseTo(1, 4)
        expect(expectedItems(intensity, from, atItems - 60_000)).toBeLessThan(target)
        const atUtility = reachesUtility(intensity, from, target)
        expect(utilityItemHours(intensity, from, atUtility) / target).toBeCloseTo(1, 4)
        expect(utilityItemHours(intensity, from, atUtility - 60_000)).toBeLessThan(target)
      }),
    )
  })

  it('are never for a source that never publishes, and now for nothing', () => {
    for (const silent of [constantIntensity(0), { periodMs: DAY_MS, ratesPerHour: [0, 0] }]) {
      expect(reachesItems(silent, MONDAY, 1)).toBe(Number.POSITIVE_INFINITY)
      expect(reachesUtility(silent, MONDAY, 1)).toBe(Number.POSITIVE_INFINITY)
      expect(reachesItems(silent, MONDAY, 0)).toBe(MONDAY)
    }
  })

  it('end also for numbers beyond all sense', () => {
    for (const target of [1e-300, 1e300, Number.POSITIVE_INFINITY]) {
      expect(reachesItems(rising, MONDAY, target)).toBeGreaterThanOrEqual(MONDAY)
      expect(reachesUtility(rising, MONDAY, target)).toBeGreaterThanOrEqual(MONDAY)
    }
    expect(Number.isNaN(expectedItems(rising, -1e300, 1e300))).toBe(false)
  })
})
