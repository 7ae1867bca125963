import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../model/index.ts'
import { budgetAt, LEARNING_ONLINE, type LearningPlan, totalOf } from './plan.ts'

const START = Date.UTC(2024, 0, 1)
const plan = (fields: Partial<LearningPlan>): LearningPlan => ({ ...LEARNING_ONLINE, exploreShare: 0.1, ...fields })

describe('what of the budget goes to learning (thesis 7.3.4)', () => {
  const freeze = plan({ way: 'freeze', share: 1, learnMs: 2 * DAY_MS })
  const boosted = { ...freeze, share: 3 }
  const repeated = plan({ way: 'repeated', share: 4, learnMs: DAY_MS, everyMs: 7 * DAY_MS })

  it.each<[string, LearningPlan, number, number, number, number]>([
    ['online', plan({}), 0, 1, 0, 0.1],
    ['online, all sources in turn with a fifth', plan({ share: 0.2 }), 900, 0.8, 0.2, 0.2],
    ['a fifth for learning, for ever', plan({ way: 'separate', share: 0.2 }), 900, 0.8, 0.2, 0.2],
    ['learning first', freeze, 47, 0, 1, 1],
    ['then frozen', freeze, 48, 1, 0, 0.1],
    ['learning first with half of it', { ...freeze, share: 0.5 }, 47, 0.5, 0.5, 0.5],
    ['with three times the budget', boosted, 47, 0, 3, 3],
    ['which nobody pays back', boosted, 48, 1, 0, 0.1],
    ['in a round of learning', repeated, 170, 0, 4, 4],
    ['which the rest of the round pays', repeated, 200, 0.5, 0, 0.1],
  ])('%s', (_name, plan, hours, refreshing, learning, exploring) => {
    const split = budgetAt(plan, START, START + hours * HOUR_MS)
    expect(split).toMatchObject({ learning, exploring })
    expect(split.refreshing).toBeCloseTo(refreshing, 12)
  })

  it('says until when that holds, and over a round no more goes out than the budget', () => {
    const repeatedPlan = fc.record({
      share: fc.double({ min: 0.01, max: 5, noNaN: true }),
      learnMs: fc.integer({ min: 1, max: DAY_MS }),
      everyMs: fc.integer({ min: 5 * DAY_MS + 1, max: 30 * DAY_MS }),
    })
    fc.assert(
      fc.property(repeatedPlan, fc.integer({ min: 0, max: 5 }), (fields, round) => {
        const learningPlan = plan({ way: 'repeated', ...fields })
        const from = START + round * fields.everyMs
        const learning = budgetAt(learningPlan, START, from)
        const rest = budgetAt(learningPlan, START, learning.endsAt)
        expect(learning.endsAt).toBe(from + fields.learnMs)
        expect(rest.endsAt).toBe(from + fields.everyMs)
        const spent = totalOf(learning) * fields.learnMs + totalOf(rest) * (fields.everyMs - fields.learnMs)
        expect(spent / fields.everyMs).toBeCloseTo(1, 9)
      }),
    )
  })

  it('a clock that was before the start is at the start', () => {
    expect(budgetAt(freeze, START, START - DAY_MS)).toMatchObject({ learning: 1, endsAt: START + 2 * DAY_MS })
  })
})
