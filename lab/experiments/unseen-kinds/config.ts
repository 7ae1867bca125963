import { RSS_2023, RSS_2024 } from '../../traces/trace-set.ts'

export const CONFIG = {
  learntFrom: RSS_2023,
  judgedOn: RSS_2024,
  kinds: ['site', 'youtube'],
  perDay: [3, 24],
  windowSize: 20,
  days: 70,
  oneIn: 3,
  /** Added after so many quarters of the days. */
  starts: [1, 2, 3],
  /** They settle in the first days, and are judged from then on. */
  settledAfterDays: 3,
  watchedDays: 10,
  mostTimesSteady: 1.2,
} as const
