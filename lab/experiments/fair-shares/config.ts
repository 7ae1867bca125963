import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/model/index.ts'

/** Four members share a budget that gives each modest source a refresh every two hours or so; one of them is greedy. */
export const CONFIG = {
  startMs: Date.UTC(2026, 0, 5),
  days: 3,
  /** What is learnt until then is not counted. */
  measuredFromMs: DAY_MS,
  budget: { requests: 120, perMs: HOUR_MS },
  /** A quarter of an hour's budget, as the node saves up with a timetable; else as much as it does without. */
  burst: { timetable: 30, other: 2 },
  minIntervalMs: 5 * MINUTE_MS,
  modest: { members: 3, sources: 40, leastPerDay: 0.5, mostPerDay: 48, windowSize: 20 },
  greedy: {
    /** The members who follow and read modestly are 1, 2 and 3. */
    payer: 4,
    usual: 40,
    ofInterval: { sources: 10, intervalMs: SECOND_MS },
    many: 1_000,
    fast: { sources: 100, perDay: 20_000 },
    askEveryMs: 10 * SECOND_MS,
  },
  /** The same members over the crawlers of a cluster, and from a crawler to the database and back. */
  cluster: { crawlers: 4, latencyMs: 20, strategy: 'foresight' },
  /** Others who need little: so few sources that even the shortest interval leaves most of the budget. */
  little: 2,
  /** The others' delay beside what their part of the budget gives them alone. */
  mostDelay: 1.1,
  /** Of a cluster: prices of payers come from the controller, a period late. */
  mostDelayInCluster: 1.15,
  leastSpent: 0.97,
} as const
