import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../test/support/virtual-clock.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../model/index.ts'
import { PriceControl } from '../refresh/scheduler/price-control.ts'
import { uniform } from '../refresh/strategies/uniform.ts'
import { Controller } from './controller.ts'
import { holdPrice } from './hold-price.ts'
import { MemoryGrants } from './memory/grants.ts'
import { MemoryPrices } from './memory/prices.ts'
import type { ReadReport } from './prices.ts'
import { reportSpending } from './report-spending.ts'
import { SharedPrices } from './shared-pricing.ts'

const START = Date.UTC(2026, 0, 5)
const BUDGET = { requests: 600, perMs: HOUR_MS }
const TERMS = { budget: BUDGET, factor: 1, burst: 10 }

const report = (memberId: string, seen: Partial<ReadReport>): ReadReport => ({
  memberId,
  ageMs: 0,
  spent: 0,
  waiting: 0,
  leastWaiting: 0,
  sources: 500,
  exploring: false,
  payers: [],
  ...seen,
})

function standingOf(grants: MemoryGrants) {
  const standing = grants.standingNow()
  if (standing === null) throw new Error('no terms')
  return standing
}

describe('the controller of a cluster', () => {
  it('moves the price as one process with the sum of all would', () => {
    const grants = new MemoryGrants({ now: () => START })
    grants.setTermsNow(TERMS)
    const controller = new Controller({ strategy: uniform, terms: TERMS, posted: null, now: START })
    const alone = new PriceControl(uniform, BUDGET, START, TERMS.burst)
    const parts = [0.1, 0.9]
    const seen = (spent: number, waiting: number) =>
      parts.map((part, index) =>
        report(`${index}`, { spent: part * spent, waiting: part * waiting, leastWaiting: part * waiting }),
      )
    let spent = 0
    let endsAt = controller.periodEndsAt
    controller.endPeriod(endsAt, standingOf(grants), seen(spent, 4))
    alone.setSources(1_000, 'added')
    alone.begin(endsAt, { waiting: 4, sources: 1_000 })
    for (const [more, waiting] of [
      [9, 30],
      [10, 90],
      [2, 0],
      [0, 0],
      [10, 12],
    ] as const) {
      endsAt = controller.periodEndsAt
      spent += more
      const { price } = controller.endPeriod(endsAt, standingOf(grants), seen(spent, waiting))
      alone.noteWaiting(waiting)
      alone.endPeriod(endsAt, { spent: more, waiting, saved: 10, exploring: false, sources: 1_000 })
      expect(price).toBeCloseTo(alone.price, 9)
    }
  })

  it('leaves the price alone while sources are handed over, and follows when they stay away', () => {
    const grants = new MemoryGrants({ now: () => START })
    grants.setTermsNow(TERMS)
    const usual = uniform.firstPrice(1_000, BUDGET)
    const posted = {
      price: usual,
      isLow: false,
      strategy: uniform.id,
      periodMs: MINUTE_MS,
      byHour: [],
      payers: [],
      revision: 3,
      ageMs: 0,
    }
    const controller = new Controller({ strategy: uniform, terms: TERMS, posted, now: START })
    const step = (sources: number) => {
      const at = controller.periodEndsAt
      const balanced = { sources, waiting: 20, leastWaiting: 20 }
      return controller.endPeriod(at, standingOf(grants), [report('a', balanced)]).price
    }
    const before = step(1_000)
    expect(before).toBe(usual)
    expect(Math.abs(Math.log(step(500) / before))).toBeLessThan(0.11)
    for (let minute = 0; minute < 12; minute++) step(500)
    expect(step(500)).toBeLessThan(0.7 * before)
  })

  it('moves the price while it has the lease, and lets it stand while nobody has', async () => {
    const clock = virtualClock(START)
    const grants = new MemoryGrants(clock)
    const board = new MemoryPrices(clock)
    grants.setTermsNow(TERMS)
    let token: number | null = null
    const stop = new AbortController()
    const ended = holdPrice({ strategy: uniform, grants, prices: board, hasLease: () => token, clock }).run(
      stop.signal,
      () => {},
    )
    const member = new SharedPrices(uniform)
    const pricing = member.newPricing(BUDGET, START)
    const reported = reportSpending({ memberId: 'a', prices: board, shared: member, clock, wake: () => {} }).run(
      stop.signal,
      () => {},
    )
    const live = async (minutes: number, waiting: number) => {
      for (let second = 0; second < 60 * minutes; second++) {
        if (clock.now() >= pricing.endsAt) {
          const seen = { spent: 10, waiting, saved: 0, exploring: false, sources: 1_000 }
          pricing.endPeriod(clock.now(), seen)
        }
        await clock.pass(SECOND_MS)
      }
      return board.readNow()?.price ?? null
    }
    expect(await live(3, 0)).toBeNull()
    token = 1
    const first = await live(5, 0)
    expect(first).not.toBeNull()
    const lower = await live(5, 0)
    expect(lower).toBeLessThan(first ?? 0)
    expect(pricing.price).toBe(lower)
    token = null
    const stands = await live(2, 0)
    expect(await live(10, 900)).toBe(stands)
    token = 2
    expect(await live(5, 900)).toBeGreaterThan(stands ?? 0)
    // One that is cut off and does not know it yet changes nothing.
    board.setPriceNow({ price: 7, isLow: false, strategy: uniform.id, periodMs: MINUTE_MS, byHour: [], payers: [] }, 3)
    await live(3, 0)
    expect(board.readNow()?.price).toBe(7)
    stop.abort()
    await clock.pass(0)
    await Promise.all([ended, reported])
  })
})
