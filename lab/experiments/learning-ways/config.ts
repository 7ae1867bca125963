import { DAY_MS } from '../../../src/model/index.ts'
import { LEARNING_ONLINE, type LearningPlan } from '../../../src/refresh/learning/plan.ts'
import { REDDIT_2013, RSS_2024 } from '../../traces/trace-set.ts'

const plan = (fields: Partial<LearningPlan>): LearningPlan => ({ ...LEARNING_ONLINE, ...fields })

/** Eight weeks, the first two of which are not measured: what `freeze` learns in, and the others settle in. */
export const CONFIG = {
  days: 56,
  measuredFromDay: 14,
  feeds: 60,
  windowSize: 20,
  strategy: 'two-steps',
  estimator: 'hybrid',
  /** Requests per source and day, from one in four days to one in six hours. */
  perDay: [0.25, 0.5, 1, 2, 4],
  /** Up to here bandwidth is scarce: less than one look a day and source for most. */
  scarcePerDay: 1,
  traces: [RSS_2024, REDDIT_2013],
  ways: [
    ['online', plan({})],
    ['separate', plan({ way: 'separate', share: 0.2 })],
    ['freeze', plan({ way: 'freeze', share: 1, learnMs: 14 * DAY_MS })],
    ['freeze ×4', plan({ way: 'freeze', share: 4, learnMs: 14 * DAY_MS })],
    ['repeated', plan({ way: 'repeated', share: 1, learnMs: 7 * DAY_MS, everyMs: 28 * DAY_MS })],
  ] satisfies readonly (readonly [string, LearningPlan])[],
} as const
