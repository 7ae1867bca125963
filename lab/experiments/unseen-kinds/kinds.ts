import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DAY_MS } from '../../../src/model/index.ts'
import { parseCsv } from '../../analysis/descriptions.ts'
import { traceWorld } from '../../compare/trace-world.ts'
import type { SimWorld } from '../../simulator/world.ts'
import { readTraceSet, type TraceSet, tracePath } from '../../traces/trace-set.ts'
import type { Trace } from '../../worlds/trace.ts'
import { CONFIG } from './config.ts'

/** The sources of a trace, of one kind or of all others. */
export async function sourcesOfKind(set: TraceSet, kind: string, isLeftOut: boolean): Promise<Trace> {
  const [header = [], ...rows] = parseCsv(readFileSync(join(dirname(tracePath(set)), 'sources.csv'), 'utf8'))
  const kinds = new Map(rows.map((row) => [row[header.indexOf('source_id')], row[header.indexOf('kind')]]))
  const { sources } = await readTraceSet(set)
  return { sources: sources.filter(({ id }) => (kinds.get(id) === kind) !== isLeftOut) }
}

/** Some of them, over the first weeks. */
export function worldOfKind(trace: Trace): SimWorld {
  const whole = traceWorld(trace, CONFIG.windowSize)
  const endMs = whole.startMs + CONFIG.days * DAY_MS
  const sources = whole.sources
    .filter((_, index) => index % CONFIG.oneIn === 0)
    .map((source, id) => ({ ...source, id, times: source.times.filter((time) => time < endMs) }))
  return { startMs: whole.startMs, endMs, sources }
}
