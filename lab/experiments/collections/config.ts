import { TRACE_SETS, type TraceSet } from '../../traces/trace-set.ts'

export const CONFIG: { readonly sets: readonly TraceSet[]; readonly days: number } = {
  sets: TRACE_SETS,
  // Four weeks, as the crawls of 6.1.
  days: 28,
}

/** Figure 6.2 in the words of 6.2: % of the feeds of data set 1 (directories) and 2 (newspapers). */
export const THESIS_ACTIVITY = [
  { border: 'below 1', first: 50, second: 25 },
  { border: '1 to 10', first: 37, second: 52 },
  { border: 'above 10', first: 14, second: 23 },
] as const

/** 6.3: % with CV ≤ 1 among those that publish more than so many items a day. */
export const THESIS_PERIODIC = [
  { moreThanPerDay: 10, periodic: 20 },
  { moreThanPerDay: 48, periodic: 50 },
] as const
