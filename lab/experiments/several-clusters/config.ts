import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/model/index.ts'

/** Ten clusters that divide the sites; a small sample of what they would have, as their figures go by shares. */
export const CONFIG = {
  clusters: 10,
  /** Each on a site of its own. */
  sources: 1_000,
  /** Poisson and daily waves, evenly by their logarithm. */
  leastPerDay: 0.5,
  mostPerDay: 40,
  windowSize: 20,
  days: 14,
  learningMs: 7 * DAY_MS,
  perDay: 12,
  /** What may be saved up: a quarter of an hour's budget. */
  burstsPerDay: 96,
  minIntervalMs: SECOND_MS,
  /** Of all items, how many the readers of one cluster want. */
  selectivity: 0.01,
  /** From one cluster to another: pushed, and polled so often where push fails. */
  pushMs: SECOND_MS,
  polledEveryMs: 15 * MINUTE_MS,
  /** Of the delay of one cluster for all. */
  mostDelay: 1.1,
  /** Between what crosses and the formula of decision 0126. */
  mostApart: 0.05,
} as const
