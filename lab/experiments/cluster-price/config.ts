import { DAY_MS, SECOND_MS } from '../../../src/model/index.ts'
import { RSS_2024 } from '../../traces/trace-set.ts'

export const CONFIG = {
  trace: RSS_2024,
  windowSize: 20,
  /** Of the trace; the first fortnight is for learning. */
  days: 26,
  learningMs: 14 * DAY_MS,
  /** Requests a day for each source. */
  perDay: 24,
  /** What may be saved up: a quarter of an hour's budget, as the node saves up with a timetable. */
  burstsPerDay: 96,
  minIntervalMs: SECOND_MS,
  members: 4,
  /** From a crawler to the database and back. */
  latencyMs: 20,
  /** By seed: from a Tuesday, a Friday, a Sunday on, by when the price has found its place. */
  away: { fromDays: [21, 17, 19], forMs: 2 * DAY_MS },
  mostDelay: 1.05,
  mostDelayAlone: 1.1,
} as const
