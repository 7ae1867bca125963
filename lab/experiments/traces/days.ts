import { DAY_MS } from '../../../src/model/index.ts'
import { countWithin, type WatchedSpan } from '../../analysis/index.ts'
import { type Trace, type TraceSource, traceSpan } from '../../worlds/trace.ts'

/** The first `days` whole days (UTC) of a trace, or as many as there are. */
export function firstDays(trace: Trace, days = Number.POSITIVE_INFINITY): WatchedSpan {
  const { fromMs, toMs } = traceSpan(trace)
  const from = Math.ceil(fromMs / DAY_MS) * DAY_MS
  const all = Math.floor((toMs + 1 - from) / DAY_MS)
  return { from, to: from + Math.min(days, all) * DAY_MS }
}

/** Both papers look only at sources that published at least one item in their time. */
export function activeWithin(trace: Trace, span: WatchedSpan): readonly TraceSource[] {
  return trace.sources.filter(({ times }) => countWithin(times, span) > 0)
}
