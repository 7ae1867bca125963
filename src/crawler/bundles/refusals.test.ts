import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, WEEK_MS } from '../../model/index.ts'
import { Refusals } from './refusals.ts'

it('rest after three failures, twice as long after each one later, and not after an answer', () => {
  const refusals = new Refusals()
  const restOf = (now: number) => {
    let until = now
    while (refusals.isResting(1, until)) until += HOUR_MS
    return until - now
  }
  expect([1, 2, 3].map((count) => refusals.note([1, 2], count, 0))).toEqual([false, false, true])
  expect(restOf(0)).toBe(6 * HOUR_MS)
  expect(refusals.isResting(3, 0)).toBe(false)
  // With somebody else, too.
  expect(refusals.note([1, 3], 1, DAY_MS)).toBe(true)
  expect(restOf(DAY_MS)).toBe(12 * HOUR_MS)
  for (let day = 2; day < 9; day++) refusals.note([1], 1, day * DAY_MS)
  expect(restOf(8 * DAY_MS)).toBe(WEEK_MS)
  refusals.note([1], 0, 9 * DAY_MS)
  expect(restOf(9 * DAY_MS)).toBe(0)
  expect(refusals.note([1], 2, 9 * DAY_MS)).toBe(false)
})
