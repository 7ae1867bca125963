import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../model/index.ts'
import { fixedAlpha } from './alpha.ts'
import { learningDueAt, learnThenFreeze, repeatedLearning, separateLearning } from './learning.ts'
import { budgetAt, type LearningPlan } from './learning-budget.ts'
import { refresh } from './refresh.fixture.ts'
import { singleVariable } from './single-variable.ts'

const START = Date.UTC(2024, 0, 1)
const at = (hours: number) => START + hours * HOUR_MS
const PRIOR = { ratePerHour: 1, at: START }
const inner = singleVariable({ alpha: fixedAlpha(1) })

describe('ways to spend on learning (7.3.4)', () => {
  it('learn then freeze keeps the model of the learning period', () => {
    const estimator = learnThenFreeze(inner, { learnMs: 2 * DAY_MS })
    let state = estimator.observe(estimator.start(PRIOR), refresh(at(24), at(25), 7))
    state = estimator.observe(state, refresh(at(47), at(49), 100))
    state = estimator.observe(state, refresh(at(100), at(101), 100))
    expect(estimator.ratePerHour(state, at(101))).toBe(7)
    expect(estimator.expected(state, at(0), at(2))).toBe(14)
    expect(estimator.reaches(state, at(0), 14)).toBe(at(2))
  })

  it('repeated learning learns anew at the start of each round', () => {
    const estimator = repeatedLearning(inner, { learnMs: DAY_MS, everyMs: 7 * DAY_MS })
    let state = estimator.observe(estimator.start(PRIOR), refresh(at(1), at(2), 7))
    state = estimator.observe(state, refresh(at(48), at(49), 100))
    expect(estimator.ratePerHour(state, at(49))).toBe(7)
    state = estimator.observe(state, refresh(at(168), at(169), 3))
    expect(estimator.ratePerHour(state, at(169))).toBe(3)
  })

  it('learning apart sees even intervals, however refreshes are bunched', () => {
    const estimator = separateLearning(inner, { everyMs: 6 * HOUR_MS })
    let state = estimator.start(PRIOR)
    state = estimator.observe(state, refresh(at(0), at(1), 5))
    state = estimator.observe(state, refresh(at(1), at(1.1), 3, { overlap: 'none' }))
    expect(estimator.ratePerHour(state, at(2))).toBe(1)
    expect(learningDueAt(state, at(1.1), { everyMs: 6 * HOUR_MS })).toBe(at(6))
    state = estimator.observe(state, refresh(at(1.1), at(6), 4))
    expect(estimator.ratePerHour(state, at(6))).toBe(2)
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    expect(learningDueAt(state, at(6), { everyMs: 6 * HOUR_MS })).toBe(at(12))
  })

  it.each<[string, LearningPlan, number, number, number]>([
    ['online', { kind: 'online' }, 0, 60, 0],
    ['a fifth for learning', { kind: 'separate', share: 0.2 }, 5, 48, 12],
    ['learning first', { kind: 'learn then freeze', learnMs: 48 * HOUR_MS, boost: 3 }, 10, 0, 180],
    ['learning over', { kind: 'learn then freeze', learnMs: 48 * HOUR_MS, boost: 3 }, 50, 60, 0],
    ['in a round of learning', { kind: 'repeated', learnMs: DAY_MS, everyMs: 7 * DAY_MS, boost: 4 }, 170, 0, 240],
    ['the rest of a round', { kind: 'repeated', learnMs: DAY_MS, everyMs: 7 * DAY_MS, boost: 4 }, 200, 30, 0],
  ])('splits the budget: %s', (_name, plan, hours, refreshing, learning) => {
    const split = budgetAt(plan, 60, START, at(hours))
    expect(split.refreshing).toBeCloseTo(refreshing, 9)
    expect(split.learning).toBeCloseTo(learning, 9)
  })
})
