import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allot, type BudgetClaim } from './budget-claims.ts'

const claim = (payer: number, user: number, needed: number | null): BudgetClaim => ({ payer, user, needed })
const shares = (perDay: number, claims: readonly BudgetClaim[]) =>
  allot(perDay, claims).map((one) => Math.round(one.perDay))

describe('a budget is divided by what is wished for', () => {
  it('evenly where nobody wishes for anything', () => {
    expect(shares(900, [claim(1, 1, null), claim(2, 2, null), claim(3, 3, null)])).toEqual([300, 300, 300])
  })

  it('what one does not need for its wish goes to one who needs more, then to those without a wish', () => {
    expect(shares(900, [claim(1, 1, 450), claim(2, 2, 100), claim(3, 3, null)])).toEqual([450, 100, 350])
    expect(shares(900, [claim(1, 1, 450), claim(2, 2, 290), claim(3, 3, null)])).toEqual([310, 290, 300])
  })

  it('a query feed comes before the other sources of its user, which keep a tenth', () => {
    expect(shares(600, [claim(1, 1, null), claim(-7, 1, 200), claim(2, 2, null)])).toEqual([100, 200, 300])
    expect(shares(600, [claim(1, 1, null), claim(-7, 1, 900), claim(2, 2, null)])).toEqual([30, 270, 300])
  })

  it('nobody has less than an even part, or than a wish takes; what is lacking is what is missing', () => {
    const claims = fc
      .array(fc.option(fc.double({ min: 0, max: 500, noNaN: true })), { minLength: 1, maxLength: 8 })
      .map((needs) => needs.map((needed, at) => claim(at + 1, at + 1, needed)))
    fc.assert(
      fc.property(fc.double({ min: 1, max: 2_000, noNaN: true }), claims, (perDay, all) => {
        const even = perDay / all.length
        const allotments = allot(perDay, all)
        expect(allotments.reduce((sum, one) => sum + one.perDay, 0)).toBeCloseTo(perDay, 6)
        for (const [at, one] of allotments.entries()) {
          const { needed } = all[at]!
          expect(one.perDay).toBeGreaterThanOrEqual(Math.min(needed ?? even, even) - 1e-9)
          expect(one.lacking).toBeCloseTo(Math.max(0, (needed ?? 0) - one.perDay), 9)
        }
        // While a wish is not met, nobody with a wish has more than it takes.
        if (!allotments.some(({ lacking }) => lacking > 1e-6)) return
        for (const [at, one] of allotments.entries()) {
          const { needed } = all[at]!
          if (needed !== null) expect(one.perDay).toBeLessThanOrEqual(needed + 1e-6)
          else expect(one.perDay).toBeLessThanOrEqual(even + 1e-6)
        }
      }),
    )
  })
})
