import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, type Observation, SECOND_MS } from '../../src/model/index.ts'
import { LocalAllowance } from '../../src/refresh/scheduler/local-allowance.ts'
import { PriceControl } from '../../src/refresh/scheduler/price-control.ts'
import { Scheduler } from '../../src/refresh/scheduler/scheduler.ts'
import { TokenBucket } from '../../src/refresh/scheduler/token-bucket.ts'
import { foresight } from '../../src/refresh/strategies/foresight/index.ts'
import { uniform } from '../../src/refresh/strategies/uniform.ts'
import type { Budget, PricedStrategy } from '../../src/refresh/strategy.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { allowanceContract, START } from './allowance.contract.ts'
import { GrantedAllowance, ReportedPricing } from './granted-funding.ts'
import { BUSY, IDLE, PRICING_BUDGET, pricingContract } from './pricing.contract.ts'

/** So long a grant is valid. */
const WINDOW_MS = SECOND_MS / 2

allowanceContract('one process', (budget, burst) => ({
  allowance: new LocalAllowance({ budget, factor: 1 }, burst, START),
  fund: () => {},
}))

allowanceContract('one of several, by grants', (budget, burst) => {
  // The row from which all draw.
  const common = new TokenBucket(budget, burst, START)
  const allowance = new GrantedAllowance(budget, burst)
  return {
    allowance,
    fund(now) {
      const amount = Math.min(common.balance(now), burst - allowance.saved(now))
      if (!(amount > 0)) return
      common.spend(amount, now)
      allowance.grant({ amount, until: now + WINDOW_MS })
    },
  }
})

for (const strategy of [uniform, foresight()] as PricedStrategy<never>[]) {
  pricingContract(`one process with ${strategy.id}`, (now) => {
    const pricing = new PriceControl(strategy, PRICING_BUDGET, now, 10)
    pricing.setSources(1_000, 'added')
    pricing.takeFall()
    return { pricing, nudge: (direction, at) => pricing.endPeriod(at, direction === 'down' ? IDLE : BUSY) }
  })
}

pricingContract('one of several, from outside', (now) => {
  const pricing = new ReportedPricing(5, now, MINUTE_MS)
  return { pricing, nudge: (direction) => pricing.announce(pricing.price * (direction === 'down' ? 0.9 : 1.1)) }
})

const seen = (sourceId: number, at: InstantMs): Observation => ({
  sourceId,
  previousAt: at - 1,
  at,
  newItems: 0,
  windowSize: 20,
  overlap: 'some',
  lostAtLeast: 0,
  itemTimes: [],
  notModified: false,
  bytes: 0,
  latencyMs: 0,
})

describe('a scheduler whose budget is granted and whose price comes from outside', () => {
  const budget: Budget = { requests: 60, perMs: MINUTE_MS }

  function granted(sources = 200) {
    const allowance = new GrantedAllowance(budget, 60)
    // Uniform: with so many sources at this price each comes round in some minutes.
    const pricing = new ReportedPricing(uniform.firstPrice(sources, budget), START, MINUTE_MS)
    const scheduler = new Scheduler({
      strategy: uniform,
      budget,
      burst: 60,
      minIntervalMs: 0,
      random: seededRandom(1),
      now: START,
      funding: { allowance, newPricing: () => pricing },
    })
    for (let id = 1; id <= sources; id++) {
      const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: null }
      scheduler.upsert({ facts, dueAt: null, paused: false, retired: false })
    }
    return { allowance, pricing, scheduler }
  }

  /** Asks every second, as a crawler that waits for grants does. */
  function run(scheduler: Scheduler<never> | Scheduler<{ readonly phase: number }>, from: InstantMs, to: InstantMs) {
    const taken: { readonly id: number; readonly at: InstantMs }[] = []
    for (let now = from; now < to; now += SECOND_MS) {
      for (let next = scheduler.take(now); next.kind === 'refresh'; next = scheduler.take(now)) {
        taken.push({ id: next.id, at: now })
        scheduler.plan(seen(next.id, now))
        scheduler.finish(next.id, null)
      }
    }
    return taken
  }

  it('spends what was granted, while it is valid, and then nothing more, not even for a person', () => {
    const { allowance, scheduler } = granted()
    expect(run(scheduler, START, START + 10 * SECOND_MS)).toEqual([])
    allowance.grant({ amount: 5, until: START + 12 * SECOND_MS })
    expect(run(scheduler, START + 10 * SECOND_MS, START + 11 * SECOND_MS)).toHaveLength(5)
    allowance.grant({ amount: 5, until: START + 20 * SECOND_MS })
    expect(run(scheduler, START + 20 * SECOND_MS, START + HOUR_MS)).toEqual([])
    const now = START + HOUR_MS
    scheduler.requestRefresh(7)
    expect(scheduler.take(now)).toMatchObject({ kind: 'wait' })
    // Nor for an older page of a refresh that is under way.
    expect(scheduler.reserve(8, now, now + DAY_MS)).toBeNull()
    allowance.grant({ amount: 2, until: now + SECOND_MS })
    expect(run(scheduler, now, now + SECOND_MS).map(({ id }) => id)[0]).toBe(7)
  })

  it('gives a postponed refresh back to its grant, and not to a later one', () => {
    const { allowance, scheduler } = granted(1)
    allowance.grant({ amount: 1, until: START + SECOND_MS })
    expect(scheduler.take(START)).toMatchObject({ id: 1 })
    scheduler.postpone(1, START + MINUTE_MS, START)
    expect(allowance.saved(START)).toBe(1)
    allowance.grant({ amount: 1, until: START + DAY_MS })
    expect(scheduler.take(START + MINUTE_MS)).toMatchObject({ id: 1 })
    scheduler.postpone(1, START + 2 * MINUTE_MS, START + DAY_MS)
    expect(allowance.saved(START + DAY_MS)).toBe(0)
  })

  it('follows the price as it is announced, and reports what each period has shown', () => {
    const { allowance, pricing, scheduler } = granted(100)
    allowance.grant({ amount: 1e6, until: START + 30 * DAY_MS })
    const perHour = (hour: number) => run(scheduler, START + hour * HOUR_MS, START + (hour + 1) * HOUR_MS).length
    perHour(0)
    const usual = perHour(1)
    pricing.announce(pricing.price / 2)
    perHour(2)
    expect(perHour(3) / usual).toBeGreaterThan(1.8)
    pricing.announce(pricing.price * 8)
    perHour(4)
    expect(perHour(5) / usual).toBeLessThan(0.4)
    expect(scheduler.price).toBe(pricing.price)
    expect(pricing.reports.length).toBeGreaterThan(5 * 59)
    const reported = pricing.reports.slice(0, 110).reduce((sum, { spent }) => sum + spent, 0)
    expect(reported).toBeGreaterThan(1.5 * usual)
  })

  it('notices that the budget was changed by somebody else', () => {
    const { allowance, scheduler } = granted(10)
    allowance.grant({ amount: 100, until: START + DAY_MS })
    scheduler.take(START)
    const before = scheduler.shares(START)[0]?.sharePerHour
    allowance.budget = { requests: 120, perMs: MINUTE_MS }
    scheduler.take(START + SECOND_MS)
    expect(scheduler.shares(START)[0]?.sharePerHour).toBeCloseTo(2 * (before ?? 0))
  })
})
