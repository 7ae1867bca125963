import { DAY_MS } from '../../src/model/index.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { type Trace, traceSpan } from '../worlds/trace.ts'
import { type Dates, datedTimes } from './dates.ts'

/** A trace as a world: from midnight (UTC) before its first item to just after its last. */
export function traceWorld(
  trace: Trace,
  windowSize: number,
  { dates, seed }: { readonly dates: Dates; readonly seed: number } = { dates: 'recorded', seed: 1 },
): SimWorld {
  const sources = trace.sources.map((source, index) => {
    const { times, stated } = datedTimes(source, index, dates, seed)
    return simSource(index, times, windowSize, { name: source.id, ...(stated === undefined ? {} : { stated }) })
  })
  const span = traceSpan({ sources: sources.map(({ name, times }) => ({ id: name, times })) })
  return { startMs: Math.floor(span.fromMs / DAY_MS) * DAY_MS, endMs: span.toMs + 1, sources }
}
