import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../model/index.ts'
import { elapsedSince, setSince, steady } from './steady-clock.ts'

function twoClocks() {
  const time = { wallAt: 1_000_000, ms: 50 }
  const clock = { now: () => time.wallAt, monotonicMs: () => time.ms, sleep: async () => {} }
  const pass = (ms: number) => {
    time.wallAt += ms
    time.ms += ms
  }
  return { time, clock, pass }
}

describe('a steady clock', () => {
  it('reports every jump, once, before it returns the time after it', () => {
    const { time, clock, pass } = twoClocks()
    const subject = steady(clock)
    const steps: number[] = []
    subject.onSet((byMs) => steps.push(byMs))
    pass(HOUR_MS)
    expect(subject.now()).toBe(time.wallAt)
    time.wallAt += 400 * DAY_MS
    expect(subject.now()).toBe(time.wallAt)
    expect(steps).toEqual([400 * DAY_MS])
    time.wallAt -= 800 * DAY_MS
    expect(subject.now()).toBe(time.wallAt)
    expect(steps).toEqual([400 * DAY_MS, -800 * DAY_MS])
    expect(subject.setByMs).toBe(-400 * DAY_MS)
  })

  it('goes on evenly while a machine puts its clock right, and is never more than a second off', () => {
    const { time, clock, pass } = twoClocks()
    const subject = steady(clock)
    let before = subject.now()
    for (let k = 0; k < 100; k++) {
      pass(SECOND_MS)
      time.wallAt -= 50
      const now = subject.now()
      if (k % 20 !== 0) expect(now - before).toBeLessThanOrEqual(SECOND_MS)
      expect(Math.abs(now - time.wallAt)).toBeLessThanOrEqual(SECOND_MS)
      before = now
    }
  })

  it('does not take a process that stood still between two looks for a clock that was set', () => {
    const { time, clock } = twoClocks()
    let looks = 0
    const now = () => {
      const { wallAt } = time
      // An hour passes after the second look at the wall clock, and before the one at the other.
      if (looks++ === 1) {
        time.wallAt += HOUR_MS
        time.ms += HOUR_MS
      }
      return wallAt
    }
    const slow = { ...clock, now }
    const subject = steady(slow)
    subject.now()
    expect(subject.setByMs).toBe(0)
  })

  it('is made once', () => {
    const subject = steady(twoClocks().clock)
    expect(steady(subject)).toBe(subject)
  })
})

describe('what was stored by another process', () => {
  const stored = { at: 1_000_000, monotonicMs: 50 }
  it.each<[string, number, number, number, number]>([
    ['the same clock', HOUR_MS, HOUR_MS, HOUR_MS, 0],
    ['set ahead', HOUR_MS + 400 * DAY_MS, HOUR_MS, HOUR_MS, 400 * DAY_MS],
    ['set back', HOUR_MS - 400 * DAY_MS, HOUR_MS, HOUR_MS, -400 * DAY_MS],
    ['the machine was started again', HOUR_MS, -20, HOUR_MS, 0],
    ['started again with a clock that is behind', -DAY_MS, -20, 0, -DAY_MS],
  ])('%s', (_, wallMs, ms, elapsedMs, setByMs) => {
    const clock = { now: () => stored.at + wallMs, monotonicMs: () => stored.monotonicMs + ms }
    expect(elapsedSince(stored, clock)).toBe(elapsedMs)
    expect(setSince(stored, clock)).toBe(setByMs)
  })
})
