import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../model/index.ts'
import { gammaProfile } from './gamma-profile.ts'
import { refresh } from './refresh.fixture.ts'

const MONDAY = Date.UTC(2024, 0, 1)
const PRIOR = { ratePerHour: 1, at: MONDAY }
const estimator = gammaProfile()

/** Twelve items between 8 and 10 on each working day, none at the weekend; refreshed at even intervals. */
function itemsBetween(from: number, to: number): number[] {
  const times: number[] = []
  for (let day = Math.floor(from / DAY_MS) * DAY_MS; day < to; day += DAY_MS) {
    const weekday = Math.floor((day - MONDAY) / DAY_MS) % 7
    for (let item = 0; item < (weekday < 5 ? 12 : 0); item++) times.push(day + (8 + item / 6) * HOUR_MS)
  }
  return times.filter((time) => time > from && time <= to)
}

function learnt(days: number, everyHours: number, dated: boolean) {
  let state = estimator.start(PRIOR)
  for (let at = MONDAY; at < MONDAY + days * DAY_MS; at += everyHours * HOUR_MS) {
    const itemTimes = itemsBetween(at, at + everyHours * HOUR_MS)
    const observation = refresh(at, at + everyHours * HOUR_MS, itemTimes.length, dated ? { itemTimes } : {})
    state = estimator.observe(state, observation)
  }
  return state
}

const LATER = MONDAY + 84 * DAY_MS
const items = (state: ReturnType<typeof learnt>, day: number, fromHour: number, toHour: number) =>
  estimator.expected(state, LATER + day * DAY_MS + fromHour * HOUR_MS, LATER + day * DAY_MS + toHour * HOUR_MS)

describe('Gamma with hours and days', () => {
  it('learns hours and days from dates, even when refreshed once a day', () => {
    const state = learnt(84, 24, true)
    expect(items(state, 1, 8, 10)).toBeGreaterThan(9)
    expect(items(state, 1, 12, 24)).toBeLessThan(2.5)
    expect(items(state, 5, 0, 24)).toBeLessThan(4)
    expect(estimator.expected(state, LATER, LATER + 7 * DAY_MS)).toBeGreaterThan(48)
    expect(estimator.expected(state, LATER, LATER + 7 * DAY_MS)).toBeLessThan(72)
  })

  it('learns them without dates from frequent refreshes, as equation 7.3 does', () => {
    const state = learnt(84, 2, false)
    expect(items(state, 1, 8, 10)).toBeGreaterThan(9)
    expect(items(state, 1, 12, 24)).toBeLessThan(2.5)
  })

  it('takes only the time since the oldest item for watched when a window overflowed', () => {
    let state = estimator.start(PRIOR)
    for (let day = 0; day < 30; day++) {
      const at = MONDAY + (day + 1) * DAY_MS
      // 10 an hour around the clock; at midnight the window of 20 shows the last two hours.
      const itemTimes = Array.from({ length: 20 }, (_, index) => at - 2 * HOUR_MS + (index + 0.5) * 0.1 * HOUR_MS)
      state = estimator.observe(state, refresh(at - DAY_MS, at, 20, { overlap: 'none', itemTimes }))
    }
    expect(items(state, 0, 22, 24)).toBeGreaterThan(18)
    // Nothing was seen of the morning: it is taken to be like the rest, not to be silent.
    expect(items(state, 0, 6, 8)).toBeGreaterThan(14)
  })

  it('does not mistake a wrong prior for busy hours', () => {
    let state = estimator.start({ ratePerHour: 0.001, at: MONDAY })
    for (let hour = 0; hour < 12; hour++) {
      const at = MONDAY + hour * HOUR_MS
      state = estimator.observe(state, refresh(at, at + HOUR_MS, 5))
    }
    const [morning, evening] = [items(state, 0, 6, 7), items(state, 0, 18, 19)]
    // Measured with the rate believed before, it would be three and a half.
    expect(morning / evening).toBeLessThan(2)
  })
})
