import { stat } from 'node:fs/promises'
import { readTrace, type Trace } from '../worlds/trace.ts'

interface Kept {
  readonly path: string
  readonly changedMs: number
  readonly trace: Promise<Trace>
}

let last: Kept | null = null

/** The plan, the worlds and the report of a comparison are made from one trace: the last one read is kept. */
export async function lastTrace(path: string): Promise<Trace> {
  // What is not there is said by the reading.
  const changedMs = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.NaN,
  )
  if (last?.path !== path || last.changedMs !== changedMs) last = { path, changedMs, trace: readTrace(path) }
  return last.trace
}
