import { DAY_MS, SECOND_MS } from '../../../src/model/index.ts'
import { REDDIT_2013 } from '../../traces/trace-set.ts'

/** Who can be composed: nobody, a random fifth of the sources, all. */
export const PARTS = { none: 0, fifth: 0.2, all: 1 } as const
export type Part = keyof typeof PARTS

export const CONFIG = {
  trace: REDDIT_2013,
  /** Of each source alone. */
  windowSize: 20,
  learningMs: 14 * DAY_MS,
  /** Every so many-th source of the trace, over so many days. */
  budgets: [
    { perDay: 3, days: 35, oneIn: 2 },
    { perDay: 24, days: 21, oneIn: 4 },
    { perDay: 96, days: 16, oneIn: 4 },
  ],
  mostMembers: 10,
  /** Where a fifth can be composed the first is enough. */
  sharedWindows: [25, 100],
  minIntervalMs: SECOND_MS,
  /** Of the delay without bundles. */
  mostDelay: { fifth: 0.8, all: 0.2 },
} as const
