import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/model/index.ts'

/** Five nodes with as many sources each, 60 % of them common to all. */
export const CONFIG = {
  members: 5,
  sourcesEach: 30,
  commonShare: 0.6,
  /** Poisson and daily waves, evenly by their logarithm; a random one is common. */
  leastPerDay: 0.5,
  mostPerDay: 40,
  windowSize: 20,
  days: 21,
  learningMs: 10 * DAY_MS,
  perDay: 12,
  minIntervalMs: SECOND_MS,
  /** Of the polls of common sources. */
  checkShare: 0.05,
  /** From the member that polled to the others. */
  passMs: 5 * SECOND_MS,
  silentAfterMs: 10 * MINUTE_MS,
  /** After the beginning one member falls silent, or begins to lie. */
  faultAfterMs: 14 * DAY_MS,
  /** Lies begin at so many moments of a day: which poll is checked is chance, and at night there is less to find. */
  lies: 8,
  /** The member with the fault. */
  faulty: 1,
  /** Of the requests of five nodes alone: what is promised, and what it would be without spot checks. */
  mostRequests: 0.6,
  leastRequests: 0.52,
  /** Of the delay of five nodes alone. */
  mostDelay: 1.05,
} as const
