import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS, type InstantMs, MINUTE_MS, SECOND_MS } from '../../src/model/index.ts'
import type { Allowance } from '../../src/refresh/scheduler/allowance.ts'
import type { Budget } from '../../src/refresh/strategy.ts'

export const START = Date.UTC(2026, 0, 5)

/** An allowance with whatever funds it: called before each moment at which it is used. */
export interface FundedAllowance {
  readonly allowance: Allowance
  fund(now: InstantMs): void
}

export type NewAllowance = (budget: Budget, burst: number) => FundedAllowance

const step = fc.record({
  waitMs: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 20 * MINUTE_MS })),
  cost: fc.double({ min: 0.1, max: 2, noNaN: true }),
  isReturned: fc.boolean(),
})
const steps = fc.array(step, { maxLength: 80 })
const budgets = fc.record({ requests: fc.integer({ min: 1, max: 5_000 }), perMs: fc.constant(HOUR_MS) })

/** Rules that hold for whatever says how much may be spent. */
export function allowanceContract(name: string, make: NewAllowance): void {
  describe(`the allowance of ${name}`, () => {
    it('pays no more than the budget and one burst over any span, refunds included', () => {
      fc.assert(
        fc.property(steps, budgets, fc.integer({ min: 2, max: 20 }), (given, budget, burst) => {
          const { allowance, fund } = make(budget, burst)
          const paid: { at: InstantMs; cost: number }[] = []
          let now = START
          for (const { waitMs, cost, isReturned } of given) {
            now += waitMs
            fund(now)
            if (allowance.affordableAt(cost, now) > now) continue
            allowance.spend(cost, now)
            if (isReturned) allowance.refund(cost, now)
            else paid.push({ at: now, cost })
          }
          const perMs = budget.requests / budget.perMs
          for (const [index, from] of paid.entries()) {
            const sum = paid.slice(index).reduce((total, { cost }) => total + cost, 0)
            const spanMs = paid.at(-1)!.at - from.at
            // What is more expensive than a burst is paid from a full one.
            expect(sum).toBeLessThanOrEqual(burst + spanMs * perMs + 2 + 1e-6)
          }
        }),
      )
    })

    it('returns the same however often it is called', () => {
      fc.assert(
        fc.property(steps, budgets, (given, budget) => {
          const [once, often] = [make(budget, 3), make(budget, 3)]
          let now = START
          for (const { waitMs, cost } of given) {
            now += waitMs
            for (const one of [once, often]) one.fund(now)
            for (let again = 0; again < 3; again++) {
              often.allowance.saved(now)
              often.allowance.affordableAt(cost, now)
              often.allowance.overdrawableAt(cost, now)
              often.allowance.lackingAt(now)
            }
            const at = once.allowance.affordableAt(cost, now)
            expect(often.allowance.affordableAt(cost, now)).toBe(at)
            if (at <= now) for (const one of [once, often]) one.allowance.spend(cost, now)
          }
        }),
      )
    })

    it('takes back what was not needed, and no more', () => {
      const { allowance, fund } = make({ requests: 60, perMs: HOUR_MS }, 4)
      fund(START)
      const saved = allowance.saved(START)
      allowance.spend(1, START)
      expect(allowance.saved(START)).toBeCloseTo(saved - 1)
      allowance.refund(1, START)
      expect(allowance.saved(START)).toBeCloseTo(saved)
    })

    it('earns nothing by a clock that is set', () => {
      fc.assert(
        fc.property(fc.integer({ min: -HOUR_MS, max: HOUR_MS }), fc.integer({ min: 0, max: 3 }), (byMs, spent) => {
          const { allowance, fund } = make({ requests: 60, perMs: HOUR_MS }, 4)
          fund(START)
          for (let k = 0; k < spent; k++) allowance.spend(1, START)
          const before = allowance.saved(START)
          allowance.shift(byMs)
          expect(allowance.saved(START + byMs)).toBeLessThanOrEqual(before + 1e-6)
        }),
      )
    })

    it('earns nothing while the program was not there, and remembers what it owes', () => {
      const budget = { requests: 60, perMs: HOUR_MS }
      const { allowance, fund } = make(budget, 4)
      fund(START)
      const debt = allowance.overdrawableAt(7, START) <= START ? 7 : 0
      if (debt > 0) allowance.spend(debt, START)
      const again = make(budget, 4).allowance
      const stored = JSON.parse(JSON.stringify(allowance.snapshot(START)))
      again.resume(stored, START + HOUR_MS, 0)
      expect(again.saved(START + HOUR_MS)).toBeLessThanOrEqual(Math.min(0, allowance.saved(START)) + 1e-9)
      expect(again.affordableAt(1, START + HOUR_MS)).toBeGreaterThan(START + HOUR_MS)
    })

    it('carries over what was saved and what is owed when the budget changes, within the new burst', () => {
      fc.assert(
        fc.property(fc.array(budgets, { minLength: 1, maxLength: 20 }), steps, (changes, given) => {
          const { allowance, fund } = make({ requests: 60, perMs: HOUR_MS }, 4)
          let now = START
          for (const [index, { waitMs, cost }] of given.entries()) {
            now += waitMs
            fund(now)
            if (allowance.overdrawableAt(cost, now) <= now) allowance.spend(cost, now)
            const before = allowance.saved(now)
            allowance.setRate({ budget: changes[index % changes.length]!, factor: 1 }, now)
            expect(allowance.saved(now)).toBeCloseTo(Math.min(before, allowance.burst), 6)
          }
        }),
      )
    })

    it('has no more and owes no less where what was saved is dropped', () => {
      const { allowance, fund } = make({ requests: 60, perMs: HOUR_MS }, 4)
      fund(START)
      const saved = allowance.saved(START)
      allowance.dropSaved(START)
      expect(allowance.saved(START)).toBeLessThanOrEqual(saved)
      if (allowance.overdrawableAt(9, START) > START) return
      allowance.spend(9, START)
      const debt = allowance.saved(START)
      allowance.dropSaved(START)
      expect(allowance.saved(START)).toBeCloseTo(debt)
    })

    it('names the budget and its period', () => {
      const { allowance } = make({ requests: 7, perMs: 30 * SECOND_MS }, 2)
      expect(allowance.budget).toEqual({ requests: 7, perMs: 30 * SECOND_MS })
      expect(allowance.burst).toBeGreaterThanOrEqual(1)
    })
  })
}
