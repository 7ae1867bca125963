import { TRACE_SETS, type TraceSet } from '../../traces/trace-set.ts'

export const CONFIG: { readonly sets: readonly TraceSet[]; readonly days: number; readonly stretchDays: number } = {
  sets: TRACE_SETS,
  // Three months, as theirs (4.1).
  days: 90,
  stretchDays: 14,
}

/** SCC07 4.1: 9,634 feeds, of which 3,116 published once a day or more; the power law of its footnote 4. */
export const SCC07_RATES = { feeds: 9_634, onceADay: 3_116, a: 376, b: -0.78 } as const
