import { describe, expect, it } from 'vitest'
import { HOUR_MS, SECOND_MS } from '../model/index.ts'
import { GrantedAllowance } from './granted-allowance.ts'
import { GRANT_WINDOW_MS, type GrantAnswer } from './grants.ts'

const TERMS = { budget: { requests: 3_600, perMs: HOUR_MS }, factor: 1, burst: 100 }
const START = Date.UTC(2026, 0, 5)

/** With a clock of its own beside the one of the day, which may be set. */
function begin(waiting = 1) {
  const time = { at: 5_000, day: START }
  const allowance = new GrantedAllowance({ terms: TERMS, monotonicMs: () => time.at, waiting: () => waiting })
  const pass = (ms: number) => {
    time.at += ms
    time.day += ms
  }
  const answer = (more: Partial<GrantAnswer>): GrantAnswer => ({
    ...{ left: 0, amount: 0, windowMs: GRANT_WINDOW_MS, retryAfterMs: 0, terms: TERMS },
    ...more,
  })
  const saved = () => allowance.saved(time.day)
  const grant = (amount: number) => {
    const sentAt = time.at
    const { left } = allowance.request(time.day)
    allowance.accept(answer({ left, amount }), sentAt, time.day)
  }
  return { allowance, time, pass, answer, saved, grant }
}

describe('what was granted to one of several', () => {
  it('is over some time before its window is, counted from before it was asked for', () => {
    const { allowance, time, pass, answer, saved } = begin()
    const sentAt = time.at
    allowance.request(time.day)
    pass(SECOND_MS)
    allowance.accept(answer({ amount: 5 }), sentAt, time.day)
    expect(saved()).toBe(5)
    pass(GRANT_WINDOW_MS - SECOND_MS - 600)
    expect(saved()).toBe(5)
    pass(200)
    expect(saved()).toBe(0)
    expect(allowance.affordableAt(1, time.day)).toBe(Number.POSITIVE_INFINITY)
  })

  it('is over too where the request that would have prolonged it came too late', () => {
    const { allowance, time, pass, answer, saved, grant } = begin()
    grant(5)
    allowance.spend(1, time.day)
    pass(3 * SECOND_MS)
    const sentAt = time.at
    expect(allowance.request(time.day)).toMatchObject({ left: 4 })
    pass(1_200)
    // Where it was granted it had ended when the request came.
    allowance.accept(answer({ left: 0, amount: 2 }), sentAt, time.day)
    expect(saved()).toBe(2)
  })

  it('is not prolonged by a clock that is set, nor by a machine that slept', () => {
    const { allowance, time, pass, saved, grant } = begin()
    grant(5)
    time.day -= HOUR_MS
    allowance.shift(-HOUR_MS)
    expect(saved()).toBe(5)
    pass(GRANT_WINDOW_MS)
    expect(saved()).toBe(0)
    grant(5)
    // Its own clock stood still.
    time.day += HOUR_MS
    expect(saved()).toBe(0)
    allowance.shift(HOUR_MS)
    expect(saved()).toBe(0)
  })

  it('takes back what was not needed as long as it was not accounted for', () => {
    const { allowance, time, saved, grant } = begin()
    grant(5)
    allowance.spend(2, time.day)
    allowance.refund(1, time.day)
    expect(saved()).toBe(4)
    allowance.request(time.day)
    allowance.refund(1, time.day)
    expect(saved()).toBe(4)
  })

  it('is asked for when something cannot be paid, not more often than is worth it, and as much as waits', () => {
    const { allowance, time, pass, answer } = begin(3)
    expect(allowance.talkAt).toBe(Number.POSITIVE_INFINITY)
    allowance.affordableAt(1, time.day)
    expect(allowance.talkAt).toBeLessThanOrEqual(time.at)
    expect(allowance.request(time.day)).toMatchObject({ left: 0, back: 0, want: 3, least: 1 })
    allowance.accept(answer({ retryAfterMs: 900 }), time.at, time.day)
    expect(allowance.talkAt).toBe(time.at + 900)
    pass(900)
    allowance.request(time.day)
    allowance.accept(answer({ amount: 3 }), time.at, time.day)
    allowance.spend(1, time.day)
    // Then what was spent is accounted for, and later what nobody has needed goes back.
    pass(SECOND_MS)
    expect(allowance.talkAt).toBe(time.at)
    expect(allowance.request(time.day)).toMatchObject({ left: 2, back: 0, want: 0 })
    pass(SECOND_MS)
    expect(allowance.request(time.day)).toMatchObject({ left: 0, back: 2, want: 0 })
    expect(allowance.talkAt).toBe(Number.POSITIVE_INFINITY)
  })

  it('is kept ready by what was spent of late', () => {
    const { allowance, time, pass, grant } = begin(0)
    for (let tick = 0; tick < 200; tick++) {
      grant(2)
      allowance.spend(2, time.day)
      pass(50)
    }
    // Forty a second: half a second's worth.
    expect(allowance.request(time.day).want).toBeGreaterThan(10)
    expect(allowance.request(time.day).want).toBeLessThan(40)
  })
})
