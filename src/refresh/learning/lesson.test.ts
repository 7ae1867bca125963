import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../model/index.ts'
import { refresh } from '../estimators/refresh.fixture.ts'
import { isLearningRequest, joinObservations, type Lesson, lessonOf } from './lesson.ts'
import { LEARNING_ONLINE, type LearningPlan } from './plan.ts'

const START = Date.UTC(2024, 0, 1)
const at = (hours: number) => START + hours * HOUR_MS
const online = LEARNING_ONLINE
const separate: LearningPlan = { ...LEARNING_ONLINE, way: 'separate', share: 0.2 }
const freeze: LearningPlan = { ...LEARNING_ONLINE, way: 'freeze', share: 1, learnMs: 2 * DAY_MS }
const repeated: LearningPlan = { ...freeze, way: 'repeated', learnMs: DAY_MS, everyMs: 7 * DAY_MS }

describe('which refreshes teach', () => {
  it.each<[string, LearningPlan, number | null, number, Partial<Parameters<typeof lessonOf>[2]>, Lesson]>([
    ['online, every one', online, 500, 501, {}, 'now'],
    ['separate, what was made for learning', separate, 500, 501, { isLearningRequest: true }, 'now'],
    ['separate, others are saved for it', separate, 500, 501, {}, 'later'],
    ['separate, a first refresh whatever caused it', separate, null, 501, {}, 'now'],
    ['separate, what was seen before it began', separate, -2, -1, {}, 'now'],
    ['freeze, all of the period', freeze, 46, 47, {}, 'now'],
    ['freeze, not what reaches over its end', freeze, 46, 49, { isLearningRequest: true }, 'none'],
    ['freeze, nothing after it', freeze, 100, 101, { isLearningRequest: true }, 'none'],
    ['freeze, of a source that came later its own first days', freeze, 100, 101, { addedAt: at(90) }, 'now'],
    ['repeated, the first period', repeated, 1, 2, {}, 'now'],
    ['repeated, not the rest of the round', repeated, 48, 49, {}, 'none'],
    ['repeated, the next period', repeated, 169, 170, {}, 'now'],
    ['repeated, not from one period to the next', repeated, 20, 170, {}, 'none'],
    ['repeated, not from the rest into a period', repeated, 160, 169, {}, 'none'],
  ])('%s', (_name, plan, from, to, fields, lesson) => {
    const previousAt = from === null ? null : at(from)
    const input = { previousAt, at: at(to), addedAt: at(-9_000), isLearningRequest: false, ...fields }
    expect(lessonOf(plan, START, input)).toBe(lesson)
  })

  it('learning requests are those made for it, and first looks', () => {
    const causes = ['new', 'asked', 'full', 'worth', 'time', 'signal', 'push', 'learning', 'spare'] as const
    expect(causes.filter(isLearningRequest)).toEqual(['new', 'learning'])
    expect(isLearningRequest(null)).toBe(false)
  })
})

describe('refreshes in a row as one', () => {
  it('count all that came since the first of them', () => {
    const both = joinObservations(refresh(at(0), at(1), 5), refresh(at(1), at(6), 4))
    expect(both).toMatchObject({ previousAt: at(0), at: at(6), newItems: 9, overlap: 'some', lostAtLeast: 0 })
  })

  it('are a loss if one of them was, and dated only if both are', () => {
    const lossy = {
      ...refresh(at(0), at(1), 2),
      overlap: 'none' as const,
      lostAtLeast: 3,
      itemTimes: [at(0.1), at(0.2)],
    }
    const undated = { ...refresh(at(1), at(2), 1), itemTimes: [] }
    expect(joinObservations(lossy, undated)).toMatchObject({
      overlap: 'none',
      lostAtLeast: 3,
      newItems: 3,
      itemTimes: [],
    })
    const dated = { ...undated, itemTimes: [at(1.5)] }
    expect(joinObservations(lossy, dated).itemTimes).toEqual([at(0.1), at(0.2), at(1.5)])
  })
})
