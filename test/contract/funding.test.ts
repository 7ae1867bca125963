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
import { grantedAllowance, reportedPricing } from './granted-funding.ts'
import { BUSY, IDLE, PRICING_BUDGET, pricingContract } from './pricing.contract.ts'

/** So long a grant is valid. */
const WINDOW_MS = SECOND_MS / 2

allowanceContract('one process', (budget, burst) => ({
  allowance: new LocalAllowance({ budget, factor: 1 }, burst, START),
  fund: () => {},
}))

allowanceContract('one process that saves little up while its hour is full', (budget, burst) => ({
  allowance: new LocalAllowance({ budget, factor: 1 }, burst, START, { savedWhileFull: () => burst / 3 }),
  fund: () => {},
}))

allowanceContract('one of several, by grants', (budget, burst) => {
  // The row from which all draw.
  const common = new TokenBucket(budget, burst, START)
  const { allowance, time, draw } = grantedAllowance(budget, burst, START)
  return {
    allowance,
    fund(now) {
      time.at = now
      draw(now + WINDOW_MS, (left, back) => {
        common.refund(back)
        const amount = Math.max(0, Math.min(common.balance(now), burst - left))
        common.spend(amount, now)
        return amount
      })
    },
  }
})

it('one process loses nothing by a clock that is set', () => {
  const allowance = new LocalAllowance({ budget: { requests: 60, perMs: HOUR_MS }, factor: 1 }, 4, START)
  allowance.spend(2, START)
  allowance.shift(HOUR_MS)
  expect(allowance.saved(START + HOUR_MS)).toBeCloseTo(2)
  allowance.shift(-3 * HOUR_MS)
  expect(allowance.saved(START - 2 * HOUR_MS)).toBeCloseTo(2)
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
  const { shared, announce } = reportedPricing(uniform, 5, MINUTE_MS)
  const pricing = shared.newPricing(PRICING_BUDGET, now)
  return { pricing, nudge: (direction) => announce(pricing.price * (direction === 'down' ? 0.9 : 1.1)) }
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
    const funds = grantedAllowance(budget, 60, START)
    // Uniform: with so many sources at this price each comes round in some minutes.
    const { shared, ...pricing } = reportedPricing(uniform, uniform.firstPrice(sources, budget), MINUTE_MS)
    const scheduler = new Scheduler({
      strategy: uniform,
      budget,
      burst: 60,
      minIntervalMs: 0,
      random: seededRandom(1),
      now: START,
      funding: { allowance: funds.allowance, newPricing: shared.newPricing },
    })
    for (let id = 1; id <= sources; id++) {
      const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: null }
      scheduler.upsert({ facts, dueAt: null, paused: false, retired: false })
    }
    return { ...funds, pricing, scheduler }
  }

  /** Asks every second, as a crawler that waits for grants does. */
  function run({ scheduler, time }: ReturnType<typeof granted>, from: InstantMs, to: InstantMs) {
    const taken: { readonly id: number; readonly at: InstantMs }[] = []
    for (let now = from; now < to; now += SECOND_MS) {
      time.at = now
      for (let next = scheduler.take(now); next.kind === 'refresh'; next = scheduler.take(now)) {
        taken.push({ id: next.id, at: now })
        scheduler.plan(seen(next.id, now))
        scheduler.finish(next.id, null)
      }
    }
    return taken
  }

  it('spends what was granted, while it is valid, and then nothing more, not even for a person', () => {
    const one = granted()
    const { scheduler, time, grant } = one
    expect(run(one, START, START + 10 * SECOND_MS)).toEqual([])
    grant(5, START + 12 * SECOND_MS)
    expect(run(one, START + 10 * SECOND_MS, START + 11 * SECOND_MS)).toHaveLength(5)
    grant(5, START + 20 * SECOND_MS)
    expect(run(one, START + 20 * SECOND_MS, START + HOUR_MS)).toEqual([])
    const now = START + HOUR_MS
    time.at = now
    scheduler.requestRefresh(7)
    expect(scheduler.take(now)).toMatchObject({ kind: 'wait' })
    // Nor for an older page of a refresh that is under way.
    expect(scheduler.reserve(8, now, now + DAY_MS)).toBeNull()
    grant(2, now + SECOND_MS)
    expect(run(one, now, now + SECOND_MS).map(({ id }) => id)[0]).toBe(7)
  })

  it('gives a postponed refresh back to its grant, and not to a later one', () => {
    const { allowance, scheduler, time, grant } = granted(1)
    grant(1, START + SECOND_MS)
    expect(scheduler.take(START)).toMatchObject({ id: 1 })
    scheduler.postpone(1, START + MINUTE_MS, START)
    expect(allowance.saved(START)).toBe(1)
    grant(1, START + DAY_MS)
    time.at = START + MINUTE_MS
    expect(scheduler.take(time.at)).toMatchObject({ id: 1 })
    time.at = START + DAY_MS
    scheduler.postpone(1, START + 2 * MINUTE_MS, time.at)
    expect(allowance.saved(time.at)).toBe(0)
  })

  it('follows the price as it is announced, and reports what each period has shown', () => {
    const one = granted(100)
    const { pricing, scheduler } = one
    const { price } = scheduler
    one.grant(1e6, START + 30 * DAY_MS)
    const perHour = (hour: number) => run(one, START + hour * HOUR_MS, START + (hour + 1) * HOUR_MS).length
    perHour(0)
    const usual = perHour(1)
    pricing.announce(price / 2)
    perHour(2)
    expect(perHour(3) / usual).toBeGreaterThan(1.8)
    pricing.announce(4 * price)
    perHour(4)
    expect(perHour(5) / usual).toBeLessThan(0.4)
    expect(scheduler.price).toBe(4 * price)
    expect(pricing.reports.length).toBeGreaterThan(5 * 59)
    expect(pricing.reports[110]?.spent).toBeGreaterThan(1.5 * usual)
    expect(pricing.reports[110]?.sources).toBe(100)
  })

  it('notices that the budget was changed by somebody else', () => {
    const { scheduler, grant } = granted(10)
    grant(100, START + DAY_MS)
    scheduler.take(START)
    const before = scheduler.shares(START)[0]?.sharePerHour
    grant(100, START + DAY_MS, { requests: 120, perMs: MINUTE_MS })
    scheduler.take(START + SECOND_MS)
    expect(scheduler.shares(START)[0]?.sharePerHour).toBeCloseTo(2 * (before ?? 0))
  })
})
