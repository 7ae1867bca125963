import { DAY_MS } from '../../src/model/index.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { type Trace, traceSpan } from '../worlds/trace.ts'

/** A trace as a world: from midnight (UTC) before its first item to just after its last. */
export function traceWorld(trace: Trace, windowSize: number): SimWorld {
  const span = traceSpan(trace)
  return {
    startMs: Math.floor(span.fromMs / DAY_MS) * DAY_MS,
    endMs: span.toMs + 1,
    sources: trace.sources.map(({ id, times }, index) => simSource(index, times, windowSize, { name: id })),
  }
}
