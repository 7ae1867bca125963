import { DAY_MS, SECOND_MS } from '../../../src/model/index.ts'
import { RSS_2024 } from '../../traces/trace-set.ts'

/** What hubs are like: the share of items that they tell of, and how many pushes for each true one are false. */
export const HUBS = {
  'recall 1': { recall: 1, falsePerTrue: 0, dies: false },
  'recall 0.9': { recall: 0.9, falsePerTrue: 0, dies: false },
  'recall 0.5': { recall: 0.5, falsePerTrue: 0, dies: false },
  'recall 0.9, half false': { recall: 0.9, falsePerTrue: 1, dies: false },
  'recall 1, dies half way': { recall: 1, falsePerTrue: 0, dies: true },
} as const
export type HubKind = keyof typeof HUBS

export const CONFIG = {
  trace: RSS_2024,
  windowSize: 20,
  learningMs: 14 * DAY_MS,
  /** 172 of 404, as in the first study. */
  pushedShare: 172 / 404,
  hubDelayMs: 10 * SECOND_MS,
  budgets: [
    { perDay: 3, days: 56 },
    { perDay: 24, days: 24 },
  ],
  minIntervalMs: SECOND_MS,
  /** Where the traces are absent: Poisson and daily waves, from one item in two days to 60 a day. */
  drawn: { sources: 36, leastPerDay: 0.5, mostPerDay: 60, days: 28, perDay: 12 },
  /** Of the delay of polling alone. */
  most: { 'recall 1': 0.92, 'recall 0.9': 0.95, 'recall 0.5': 1.02, 'recall 0.9, half false': 1.05 },
  /** Once the hub is dead, over all that is published then. */
  mostAfterDeath: 1.25,
  /** Beside polling alone, of all items. */
  mostLost: 0.0005,
  /** By so much requests may differ. */
  requestsWithin: 0.02,
} as const
