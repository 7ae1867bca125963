import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS, type InstantMs, MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import { seededRandom } from '../../runtime/random.ts'
import { uniform } from '../strategies/uniform.ts'
import { HourlyLimit } from './hourly-limit.ts'
import { Scheduler } from './scheduler.ts'

const START = Date.UTC(2026, 0, 5)
const HOURS = 12

/** The most in any hour, beginning with any of them. */
function mostInAnHour(times: readonly InstantMs[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  const within = sorted.map((from, first) => sorted.findLastIndex((at) => at < from + HOUR_MS) - first + 1)
  return Math.max(0, ...within)
}

interface World {
  readonly budgetPerHour: number
  /** So often somebody wants a page. */
  readonly pageEveryMs: number
  /** So long its host may let it wait after it was paid for. */
  readonly hostMs: number
  readonly seed: number
}

/** Refreshes that go out when they are taken, and pages that go out when their turn has come, for half a day. */
function requestsIn({ budgetPerHour, pageEveryMs, hostMs, seed }: World) {
  const random = seededRandom(seed)
  const budget = { requests: budgetPerHour, perMs: HOUR_MS }
  const burst = Math.max(2, budgetPerHour / 4)
  const scheduler = new Scheduler({ strategy: uniform, budget, burst, minIntervalMs: 0, random, now: START })
  for (let id = 1; id <= budgetPerHour; id++) {
    const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: null }
    scheduler.upsert({ facts, dueAt: null, paused: false, retired: false })
  }
  const feeds: InstantMs[] = []
  const pages: InstantMs[] = []
  let waiting: { readonly paidAt: InstantMs; readonly at: InstantMs }[] = []
  let nextPageAt = START
  for (let now = START; now < START + HOURS * HOUR_MS; now += SECOND_MS) {
    for (const { paidAt } of waiting.filter(({ at }) => at <= now)) {
      scheduler.delay(1, paidAt, now)
      pages.push(now)
    }
    waiting = waiting.filter(({ at }) => at > now)
    if (now >= nextPageAt) {
      nextPageAt = now + pageEveryMs
      const paidAt = scheduler.reserve(1, now, now + pageEveryMs)
      if (paidAt !== null) waiting.push({ paidAt, at: paidAt + Math.floor(random() * hostMs) })
    }
    for (let next = scheduler.take(now); next.kind === 'refresh'; next = scheduler.take(now)) {
      feeds.push(now)
      scheduler.finish(next.id, now + HOUR_MS / 2)
    }
  }
  return { feeds, pages }
}

describe('refreshes and pages together', () => {
  it.each<World>([
    { budgetPerHour: 60, pageEveryMs: 2 * MINUTE_MS, hostMs: 0, seed: 1 },
    { budgetPerHour: 125, pageEveryMs: MINUTE_MS, hostMs: 20 * SECOND_MS, seed: 3 },
    { budgetPerHour: 30, pageEveryMs: 4 * MINUTE_MS, hostMs: 2 * MINUTE_MS, seed: 4 },
  ])('never have more than the budget in any hour: $budgetPerHour, hosts that take $hostMs ms', (world) => {
    const { feeds, pages } = requestsIn(world)
    expect(mostInAnHour([...feeds, ...pages])).toBeLessThanOrEqual(world.budgetPerHour)
    // Not by leaving the budget unused, nor pages undone.
    expect(feeds.length + pages.length).toBeGreaterThan(0.93 * HOURS * world.budgetPerHour)
    expect(pages.length).toBeGreaterThan(0.5 * ((HOURS * HOUR_MS) / world.pageEveryMs))
  })
})

const reservation = fc.record({
  waitMs: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 20 * MINUTE_MS })),
  patienceMs: fc.constantFrom(0, MINUTE_MS, HOUR_MS / 2),
  lateMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5 * MINUTE_MS })),
})

describe('what is paid for in advance', () => {
  it('counts in each hour that it goes out in, and lets go again in time', () => {
    fc.assert(
      fc.property(fc.array(reservation, { maxLength: 100 }), fc.integer({ min: 2, max: 30 }), (wishes, limit) => {
        const hourlyLimit = new HourlyLimit(limit, START)
        const out: InstantMs[] = []
        let under: { readonly at: InstantMs; readonly goesAt: InstantMs }[] = []
        let now = START
        const goOutUntil = (until: InstantMs) => {
          for (const { at, goesAt } of under.filter((one) => one.goesAt <= until).sort((a, b) => a.goesAt - b.goesAt)) {
            hourlyLimit.delay(1, at, goesAt)
            out.push(goesAt)
          }
          under = under.filter((one) => one.goesAt > until)
        }
        for (const { waitMs, patienceMs, lateMs } of wishes) {
          goOutUntil(now + waitMs)
          now += waitMs
          const at = hourlyLimit.allowedAt(1, now)
          if (at > now + patienceMs) continue
          hourlyLimit.spend(1, now, at)
          under.push({ at, goesAt: at + lateMs })
          goOutUntil(now)
        }
        goOutUntil(Number.MAX_SAFE_INTEGER)
        expect(mostInAnHour(out)).toBeLessThanOrEqual(limit)
        expect(hourlyLimit.allowedAt(1, Math.max(START, ...out) + HOUR_MS + SECOND_MS)).toBeLessThanOrEqual(
          Math.max(START, ...out) + HOUR_MS + SECOND_MS,
        )
      }),
    )
  })
})
