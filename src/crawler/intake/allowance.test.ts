import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DayIntake } from '../../model/index.ts'
import { allowanceOf, intakeLimitOf, LEAST_PER_DAY, MOST_PER_DAY } from './allowance.ts'

const TODAY = 20_000
const past = (...counts: readonly (number | [taken: number, refused: number])[]): DayIntake[] =>
  counts.map((count, index) => {
    const [taken, refused] = typeof count === 'number' ? [count, 0] : count
    return { day: TODAY - counts.length + index, taken, repaired: 0, refused }
  })

describe('the allowance of a day', () => {
  it.each([
    ['of a source without a past is the least', past(), LEAST_PER_DAY],
    ['of a quiet one too', past(3, 0, 12, 40), LEAST_PER_DAY],
    ['is three times the second busiest day', past(2_000, 2_100, 1_900, 2_300), 6_300],
    ['does not follow a single busy day', past(40, 4_900, 30), LEAST_PER_DAY],
    ['does not learn from days on which something was refused', past([5_000, 9], [5_000, 4_000], 2_000, 1_800), 5_400],
    ['has a limit, however long a source stays just below it', past(40_000, 45_000, 50_000), MOST_PER_DAY],
  ])('%s', (_, days, allowance) => {
    expect(allowanceOf({ dailyAllowance: null }, days)).toBe(allowance)
  })

  it.each([
    ['a number', 70, 70],
    ['more than is ever learnt', 200_000, 200_000],
    ['off', 'off', Number.POSITIVE_INFINITY],
  ] as const)('is what a person says: %s', (_, dailyAllowance, allowance) => {
    expect(allowanceOf({ dailyAllowance }, past(2_000, 2_000))).toBe(allowance)
  })

  it('leaves room for an archive of 2,000 a day with bursts of three times as much, and for growth', () => {
    const days = past(...Array.from({ length: 28 }, (_, index) => 1_900 + 10 * index))
    expect(intakeLimitOf({}, days, TODAY).items).toBeGreaterThanOrEqual(3 * 2_000)
    // Twice as much every other day, from 1,000 on.
    const grown: DayIntake[] = []
    for (let day = 0, items = 1_000; items < 16_000; day++, items *= day % 2 === 0 ? 2 : 1) {
      expect(intakeLimitOf({}, grown, day).items).toBeGreaterThanOrEqual(items)
      grown.push({ day, taken: items, repaired: 0, refused: 0 })
    }
  })

  it('never refuses anything while no day brings more than the least, whatever there was before', () => {
    const counts = fc.array(fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 5 }), { maxLength: 40 })
    fc.assert(
      fc.property(counts, (days) => {
        const intakes: DayIntake[] = []
        for (const [day, polls] of days.entries()) {
          let taken = 0
          for (const poll of polls.filter((_, index) => sum(polls.slice(0, index + 1)) <= LEAST_PER_DAY)) {
            const today = { day, taken, repaired: 0, refused: 0 }
            expect(intakeLimitOf({}, [...intakes, today], day).items).toBeGreaterThanOrEqual(poll)
            taken += poll
          }
          intakes.push({ day, taken, repaired: 0, refused: 0 })
        }
      }),
    )
  })

  it('knows nothing of days that have not come, as a clock that was ahead has left them', () => {
    const ahead = { day: TODAY + 400, taken: 5_000, repaired: 9_000, refused: 3 }
    expect(intakeLimitOf({}, [ahead], TODAY)).toEqual(intakeLimitOf({}, [], TODAY))
  })
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
