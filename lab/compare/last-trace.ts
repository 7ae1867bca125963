import { stat } from 'node:fs/promises'
import { readTrace, type Trace } from '../worlds/trace.ts'
import { slowSources, traceFile } from './traces.ts'

interface LastTrace {
  readonly path: string
  readonly changedMs: number
  readonly trace: Promise<Trace>
}

let last: LastTrace | null = null

/** A trace that was read, as one thread hands it to another. */
export interface TraceInHand {
  readonly path: string
  readonly changedMs: number
  readonly trace: Trace
}

/** The plan, the worlds and the report of a comparison are made from one trace: the last one read stays in memory. */
export async function lastTrace(path: string): Promise<Trace> {
  const { file, isSlow } = traceFile(path)
  // What is not there is said by the reading.
  const changedMs = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.NaN,
  )
  if (last?.path !== path || last.changedMs !== changedMs) {
    const whole = readTrace(file)
    last = { path, changedMs, trace: isSlow ? whole.then(slowSources) : whole }
  }
  return last.trace
}

/** The last one read; null: none. */
export async function traceInHand(): Promise<TraceInHand | null> {
  return last === null ? null : { ...last, trace: await last.trace }
}

/** As if it had been read here: reading and copying a trace costs many times as much as handing it over. */
export function takeInHand({ path, changedMs, trace }: TraceInHand): void {
  last = { path, changedMs, trace: Promise.resolve(trace) }
}
