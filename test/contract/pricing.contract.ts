import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS, type InstantMs, MINUTE_MS } from '../../src/model/index.ts'
import type { Pricing, SpendingPeriod } from '../../src/refresh/scheduler/pricing.ts'

const START = Date.UTC(2026, 0, 5)
const BUDGET = { requests: 600, perMs: HOUR_MS }

/** `nudge`: makes the price fall or rise, by whatever moves it. */
export interface MovingPrice {
  readonly pricing: Pricing
  nudge(direction: 'down' | 'up', now: InstantMs): void
}

const period = (waiting: number, spent: number): SpendingPeriod => ({
  spent,
  waiting,
  saved: 0,
  exploring: false,
  sources: 1_000,
})
export const IDLE = period(0, 0)
export const BUSY = period(900, 10)

/** Rules that hold for whatever says at which price requests are made. */
export function pricingContract(name: string, make: (now: InstantMs) => MovingPrice): void {
  describe(`the price of ${name}`, () => {
    it('is above nothing, whatever is reported', () => {
      fc.assert(
        fc.property(fc.array(fc.record({ waiting: fc.nat(5_000), spent: fc.nat(500) }), { maxLength: 60 }), (seen) => {
          const { pricing } = make(START)
          pricing.setSources(1_000, 'added')
          let now = START
          for (const { waiting, spent } of seen) {
            now = Math.max(now, pricing.endsAt)
            pricing.noteWaiting(waiting)
            pricing.endPeriod(now, period(waiting, spent))
            expect(pricing.price).toBeGreaterThan(0)
            expect(Number.isFinite(pricing.price)).toBe(true)
          }
        }),
      )
    })

    it('begins each period when one ends, and each has an end', () => {
      const { pricing } = make(START)
      let now = START
      for (let k = 0; k < 10; k++) {
        expect(pricing.endsAt).toBeGreaterThan(now)
        now = pricing.endsAt
        pricing.endPeriod(now, IDLE)
      }
      pricing.begin(now + MINUTE_MS, BUSY)
      expect(pricing.endsAt).toBeGreaterThan(now + MINUTE_MS)
    })

    it('goes on with its period when the clock is set', () => {
      const { pricing } = make(START)
      const { endsAt, price } = pricing
      pricing.shift(-3 * HOUR_MS)
      expect(pricing.endsAt).toBe(endsAt - 3 * HOUR_MS)
      expect(pricing.price).toBe(price)
    })

    it('reports each fall once, and no rise', () => {
      const { pricing, nudge } = make(START)
      expect(pricing.takeFall()).toBe(false)
      nudge('up', pricing.endsAt)
      expect(pricing.takeFall()).toBe(false)
      for (let k = 0; k < 20; k++) nudge('down', pricing.endsAt)
      expect(pricing.takeFall()).toBe(true)
      expect(pricing.takeFall()).toBe(false)
    })

    it('stays as it is while nobody moves it', () => {
      const { pricing } = make(START)
      const { price } = pricing
      pricing.noteWaiting(3)
      pricing.begin(START + HOUR_MS, BUSY)
      pricing.setSources(999, 'reassigned')
      pricing.setBudget(BUDGET)
      expect(pricing.price).toBeCloseTo(price)
    })
  })
}

export { BUDGET as PRICING_BUDGET }
