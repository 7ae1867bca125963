import { describe, expect, it } from 'vitest'
import { HOUR_MS, type InstantMs, MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import { LocalAllowance } from './local-allowance.ts'

const START = Date.UTC(2026, 0, 5)
const PER_HOUR = 100
const BURST = 25

function allowanceOf(perHour: number, burst: number, savedWhileFull?: number) {
  return new LocalAllowance({ budget: { requests: perHour, perMs: HOUR_MS }, factor: 1 }, burst, START, {
    savedWhileFull: savedWhileFull === undefined ? undefined : () => savedWhileFull,
  })
}

/** When something goes out that always waits. */
function greedyTimes(allowance: LocalAllowance, hours: number, cost = 1): InstantMs[] {
  const times: InstantMs[] = []
  for (let now = START; now < START + hours * HOUR_MS; now += SECOND_MS) {
    while (allowance.affordableAt(cost, now) <= now) {
      allowance.spend(cost, now)
      times.push(now)
    }
  }
  return times
}

function longestPauseMs(times: readonly InstantMs[]): number {
  return Math.max(...times.slice(1).map((at, index) => at - times[index]!))
}

function mostInAnHour(times: readonly InstantMs[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + HOUR_MS).length))
}

describe('what is saved up while the hour is full', () => {
  it('does not come round as a burst in every hour, with a pause of its length before it', () => {
    const inThirdHour = (times: readonly InstantMs[]) => times.filter((at) => at >= START + 2 * HOUR_MS)
    const whole = inThirdHour(greedyTimes(allowanceOf(PER_HOUR, BURST), 4))
    expect(longestPauseMs(whole)).toBeGreaterThan(14 * MINUTE_MS)

    const times = inThirdHour(greedyTimes(allowanceOf(PER_HOUR, BURST, 10), 4))
    expect(longestPauseMs(times)).toBeLessThan(7 * MINUTE_MS)
    expect(mostInAnHour(times)).toBeLessThanOrEqual(PER_HOUR)
    expect(times.length).toBeGreaterThan(0.97 * whole.length)
  })

  it('is a whole burst again as soon as the hour has room', () => {
    const allowance = allowanceOf(PER_HOUR, BURST, 10)
    greedyTimes(allowance, 1)
    expect(allowance.saved(START + HOUR_MS)).toBeLessThan(13)
    expect(allowance.saved(START + 2 * HOUR_MS)).toBe(BURST)
  })

  it('does not depend on who looks when', () => {
    const [seldom, often] = [allowanceOf(PER_HOUR, BURST, 10), allowanceOf(PER_HOUR, BURST, 10)]
    for (const at of greedyTimes(allowanceOf(PER_HOUR, BURST, 10), 1))
      for (const one of [seldom, often]) one.spend(1, at)
    for (let at = START + HOUR_MS - MINUTE_MS; at < START + 1.3 * HOUR_MS; at += 997) often.saved(at)
    expect(often.saved(START + 1.3 * HOUR_MS)).toBeCloseTo(seldom.saved(START + 1.3 * HOUR_MS), 3)
  })
})

describe('what pages have of an hour', () => {
  const withPages = (perHour: number, burst: number, hours: number) => {
    const allowance = allowanceOf(perHour, burst)
    // A fifth of it.
    const everyMs = HOUR_MS / (perHour / 5)
    for (let now = START; now < START + hours * HOUR_MS; now += everyMs) allowance.spend(1, now, now)
    return allowance
  }

  it('is not saved up for refreshes', () => {
    const now = START + 2 * HOUR_MS
    expect(withPages(125, 30, 2).saved(now)).toBeCloseTo(24, 0)
    // An hour after the last page nothing is taken off any more.
    expect(withPages(125, 30, 2).saved(now + HOUR_MS)).toBeCloseTo(30, 6)
  })

  it('starves no request that costs as much as a whole burst', () => {
    const allowance = withPages(125, 30, 2)
    const everyMs = 3 * MINUTE_MS
    let paidAt: InstantMs | null = null
    for (let now = START + 2 * HOUR_MS; now < START + 4 * HOUR_MS && paidAt === null; now += everyMs) {
      allowance.spend(1, now, now)
      const at = allowance.affordableAt(30, now)
      if (at < now + everyMs && allowance.affordableAt(30, at) <= at) paidAt = at
    }
    expect(paidAt).not.toBeNull()
  })
})
