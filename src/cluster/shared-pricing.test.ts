import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/index.ts'
import { uniform } from '../refresh/strategies/uniform.ts'
import { DayPrices, usualPrice } from './day-prices.ts'
import type { PostedPrice } from './prices.ts'
import { SharedPrices } from './shared-pricing.ts'

const START = Date.UTC(2026, 0, 5)
const BUDGET = { requests: 600, perMs: HOUR_MS }
const posted = (more: Partial<PostedPrice>): PostedPrice => ({
  ...{
    price: 5,
    isLow: false,
    strategy: uniform.id,
    periodMs: MINUTE_MS,
    byHour: [],
    payers: [],
    revision: 1,
    ageMs: 0,
  },
  ...more,
})

describe('the common price within one process', () => {
  it('is what the strategy begins with, then what stands on the board, of the same strategy only', () => {
    const shared = new SharedPrices(uniform)
    const pricing = shared.newPricing(BUDGET, START)
    pricing.setSources(300, 'added')
    expect(pricing.price).toBe(uniform.firstPrice(300, BUDGET))
    shared.announce(posted({ strategy: 'foresight' }), START)
    expect(pricing.price).toBe(uniform.firstPrice(300, BUDGET))
    shared.announce(posted({ isLow: true }), START)
    expect([pricing.price, pricing.isLow]).toEqual([5, true])
  })

  it('is what it was at this time of the last day where nobody moves it, and stands still where that is not known', () => {
    const prices = new DayPrices()
    for (let hour = 0; hour < 23; hour++) {
      for (const price of [hour + 1, 4 * (hour + 1)]) prices.note(price, START + hour * HOUR_MS)
    }
    const byHour = prices.all
    expect(usualPrice(byHour, START + DAY_MS + 2 * HOUR_MS)).toBeCloseTo(6)
    expect(usualPrice(byHour, START + DAY_MS + 23 * HOUR_MS)).toBeNull()
    // Of the next day what is known of it counts.
    const next = new DayPrices(byHour)
    next.note(9, START + DAY_MS)
    expect(next.all.slice(0, 3).map((price) => Math.round(price))).toEqual([9, 4, 6])

    const shared = new SharedPrices(uniform)
    const pricing = shared.newPricing(BUDGET, START)
    const at = (hour: number, ageMs: number) => {
      shared.announce(posted({ byHour, ageMs }), START + DAY_MS + hour * HOUR_MS)
      return pricing.price
    }
    expect(at(2, MINUTE_MS)).toBe(5)
    expect(at(2, 10 * MINUTE_MS)).toBeCloseTo(6)
    expect(at(23, 10 * MINUTE_MS)).toBe(5)
  })

  it('has all members end their periods together, and sums what its payers see', () => {
    const shared = new SharedPrices(uniform)
    shared.announce(posted({}), START)
    const payers = [shared.newPricing(BUDGET, START + 1), shared.newPricing(BUDGET, START + 7_000)]
    expect(payers.map(({ endsAt }) => endsAt)).toEqual([START + MINUTE_MS, START + MINUTE_MS])
    for (const [index, pricing] of payers.entries()) {
      pricing.begin(START, { waiting: 9, sources: 10 })
      pricing.noteWaiting(index)
      pricing.endPeriod(START + MINUTE_MS, { spent: 4, waiting: 5, saved: 0, exploring: index > 0, sources: 10 })
    }
    expect(shared.report()).toEqual({
      spent: 8,
      waiting: 10,
      leastWaiting: 1,
      sources: 20,
      exploring: true,
      payers: [],
    })
  })
})
