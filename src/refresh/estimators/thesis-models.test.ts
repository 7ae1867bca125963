import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, WEEK_MS } from '../../model/index.ts'
import { seededRandom } from '../../runtime/random.ts'
import { ADJUSTED_ALPHA, adjustAlpha, fixedAlpha, stabilityIndicator, startAlpha } from './alpha.ts'
import { hybrid } from './hybrid.ts'
import { periodic } from './periodic.ts'
import { poisson, refresh } from './refresh.fixture.ts'
import { singleVariable } from './single-variable.ts'

const MIDNIGHT = Date.UTC(2024, 0, 1)
const hour = (hours: number) => MIDNIGHT + hours * HOUR_MS
const PRIOR = { ratePerHour: 2, at: MIDNIGHT }

describe('single variable (7.2.1)', () => {
  it('smooths as equation 7.2: 0.25·(6/2) + 0.75·2', () => {
    const estimator = singleVariable({ alpha: fixedAlpha(0.25) })
    const state = estimator.observe(estimator.start(PRIOR), refresh(hour(0), hour(2), 6))
    expect(state.ratePerHour).toBeCloseTo(2.25, 12)
    expect(estimator.expected(state, hour(2), hour(6))).toBeCloseTo(9, 12)
    expect(estimator.reaches(state, hour(2), 9)).toBe(hour(6))
  })

  it('counts items known to be lost when a window overflowed', () => {
    const estimator = singleVariable({ alpha: fixedAlpha(1) })
    const overflowed = refresh(hour(0), hour(2), 20, { overlap: 'none', lostAtLeast: 10 })
    expect(estimator.observe(estimator.start(PRIOR), overflowed).ratePerHour).toBe(15)
  })

  it('forgets a wrong prior within a few observations when started warm', () => {
    const estimator = singleVariable()
    let state = estimator.start({ ratePerHour: 100, at: MIDNIGHT })
    for (let index = 0; index < 10; index++) state = estimator.observe(state, refresh(hour(index), hour(index + 1), 1))
    expect(state.ratePerHour).toBeLessThan(12)
  })
})

describe('periodic (7.2.2)', () => {
  const estimator = periodic({ alpha: fixedAlpha(0.5) })

  it('shares items out in proportion to what was expected (equation 7.3)', () => {
    const flat = estimator.start(PRIOR)
    const rates = flat.ratesPerHour.map((rate, slot) => (slot === 3 ? 6 : rate))
    // Expected over [2, 4): 2 + 6 = 8; 16 came, so both slots aim at twice their rate, half of the way.
    const next = estimator.observe({ ...flat, ratesPerHour: rates }, refresh(hour(2), hour(4), 16))
    expect(next.ratesPerHour[2]).toBeCloseTo(3, 12)
    expect(next.ratesPerHour[3]).toBeCloseTo(9, 12)
    expect(next.ratesPerHour[4]).toBe(2)
  })

  it('expects the same items again after learning with α = 1', () => {
    const eager = periodic({ alpha: fixedAlpha(1) })
    const state = eager.observe(eager.start(PRIOR), refresh(hour(5.5), hour(8.5), 12))
    expect(eager.expected(state, hour(5.5), hour(8.5))).toBeCloseTo(12, 9)
    expect(eager.expected(state, hour(29.5), hour(32.5))).toBeCloseTo(12, 9)
  })

  it('touches every slot after more than a day, once', () => {
    const state = estimator.observe(estimator.start(PRIOR), refresh(hour(0), hour(60), 240))
    expect(state.ratesPerHour.every((rate) => Math.abs(rate - 3) < 1e-9)).toBe(true)
  })

  it('wakes a slot again that had been silent for months, and a model started at 0', () => {
    let state = estimator.start({ ratePerHour: 0, at: MIDNIGHT })
    let at = 0
    for (let day = 0; day < 90; day++, at += 24) {
      state = estimator.observe(state, refresh(hour(at), hour(at + 12), 0))
      state = estimator.observe(state, refresh(hour(at + 12), hour(at + 24), 24))
    }
    expect(estimator.expected(state, hour(0), hour(12))).toBeLessThan(0.5)
    for (let day = 0; day < 20; day++, at += 24) state = estimator.observe(state, refresh(hour(at), hour(at + 12), 24))
    expect(estimator.expected(state, hour(0), hour(12))).toBeGreaterThan(20)
  })

  it('takes any period and number of slots', () => {
    const weekly = periodic({ periodMs: WEEK_MS, slots: 7, alpha: fixedAlpha(0.2) })
    let state = weekly.start(PRIOR)
    for (let day = 0; day < 200; day++) {
      const items = (day + 4) % 7 < 2 ? 0 : 48
      state = weekly.observe(state, refresh(MIDNIGHT + day * DAY_MS, MIDNIGHT + (day + 1) * DAY_MS, items))
    }
    // 1 January 2024 was a Monday: days 3 and 4 of each week here are the silent ones.
    expect(weekly.expected(state, MIDNIGHT + 3 * DAY_MS, MIDNIGHT + 5 * DAY_MS)).toBeLessThan(3)
    expect(weekly.expected(state, MIDNIGHT, MIDNIGHT + 3 * DAY_MS)).toBeCloseTo(144, 0)
  })

  it('lets a slot that was only brushed move less, if asked to', () => {
    const observed = refresh(hour(1.9), hour(3), 11)
    const whole = estimator.observe(estimator.start(PRIOR), observed)
    const covered = periodic({ alpha: fixedAlpha(0.5), touched: 'covered' })
    const partly = covered.observe(covered.start(PRIOR), observed)
    expect(whole.ratesPerHour[1]).toBeCloseTo(whole.ratesPerHour[2]!, 9)
    expect(partly.ratesPerHour[1]! - 2).toBeCloseTo((whole.ratesPerHour[1]! - 2) / 10, 6)
  })
})

describe('α (7.2.4)', () => {
  it('has a stability indicator that compares the last 3 errors with the last 10', () => {
    const errors = [1, 1, 1, 1, 1, 1, 1, 2, 2, 2]
    expect(stabilityIndicator(errors, 3, 10)).toBeCloseTo(2 / 1.3, 12)
    expect(stabilityIndicator(new Array(10).fill(0), 3, 10)).toBe(1)
  })

  it('shrinks while errors are steady, grows when they grow, and stays within its bounds', () => {
    const run = (errors: readonly number[]) =>
      errors.reduce((state, error) => adjustAlpha(ADJUSTED_ALPHA, state, error), startAlpha(ADJUSTED_ALPHA)).value
    const steady = new Array<number>(30).fill(1)
    expect(run(steady)).toBeLessThan(ADJUSTED_ALPHA.initial)
    expect(run([...steady, 4, 5, 6])).toBeGreaterThan(run(steady))
    expect(run(new Array(500).fill(1))).toBe(ADJUSTED_ALPHA.min)
    expect(run(Array.from({ length: 500 }, (_, index) => 2 ** index))).toBe(ADJUSTED_ALPHA.max)
  })

  it('follows a tenfold change of the rate sooner than the α it had settled at would', () => {
    const random = seededRandom(5)
    const adjusting = singleVariable()
    const settled = singleVariable({ alpha: fixedAlpha(ADJUSTED_ALPHA.min) })
    let [a, b] = [adjusting.start(PRIOR), settled.start(PRIOR)]
    const see = (index: number, mean: number) => {
      const observation = refresh(hour(index), hour(index + 1), poisson(mean, random))
      a = adjusting.observe(a, observation)
      b = settled.observe(b, observation)
    }
    for (let index = 0; index < 400; index++) see(index, 2)
    for (let index = 400; index < 425; index++) see(index, 20)
    expect(20 - a.ratePerHour).toBeLessThan((20 - b.ratePerHour) * 0.75)
  })
})

describe('hybrid (7.2.3)', () => {
  it('believes the model with the smaller error at the last refresh', () => {
    const estimator = hybrid({ alpha: fixedAlpha(0.5) })
    let state = estimator.start(PRIOR)
    for (let day = 0; day < 30; day++) {
      state = estimator.observe(state, refresh(hour(24 * day), hour(24 * day + 12), 0))
      state = estimator.observe(state, refresh(hour(24 * day + 12), hour(24 * day + 24), 48))
    }
    expect(state.using).toBe('periodic')
    // A day like no other: 24 where the periodic model expects nothing, the single variable about 24.
    const odd = estimator.observe(state, refresh(hour(720), hour(732), 30))
    expect(odd.using).toBe('single')
    expect(estimator.intensity(odd).ratesPerHour.length).toBe(1)
  })

  it('may weigh the errors of the last ten refreshes instead', () => {
    const estimator = hybrid({ choose: 'recent' })
    let state = estimator.start(PRIOR)
    for (let day = 0; day < 30; day++) {
      state = estimator.observe(state, refresh(hour(24 * day), hour(24 * day + 12), 0))
      state = estimator.observe(state, refresh(hour(24 * day + 12), hour(24 * day + 24), 48))
    }
    expect(estimator.observe(state, refresh(hour(720), hour(732), 30)).using).toBe('periodic')
  })
})
