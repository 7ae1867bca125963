import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '../../src/model/index.ts'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { TRACE_SETS, tracePath } from '../traces/trace-set.ts'
import { type Trace, traceSpan } from '../worlds/trace.ts'
import { LEARNING_MS } from './policies.ts'

const NAMES = ['trace.csv.gz', 'trace.csv']

/** Appended to the path of a trace: of its sources those that publish less than `SLOW_BELOW_PER_DAY`, as a trace of its own. */
const SLOW = '#slow'
const SLOW_BELOW_PER_DAY = 1

/** Each of them, and the slow sources of each. */
export function withSlow(paths: readonly string[]): string[] {
  return paths.flatMap((path) => [path, `${path}${SLOW}`])
}

/** The file of a trace, and whether only its slow sources are meant. */
export function traceFile(path: string): { readonly file: string; readonly isSlow: boolean } {
  const isSlow = path.endsWith(SLOW)
  return { file: isSlow ? path.slice(0, -SLOW.length) : path, isSlow }
}

/** Over the whole of the trace. */
export function slowSources(trace: Trace): Trace {
  const { fromMs, toMs } = traceSpan(trace)
  const most = (SLOW_BELOW_PER_DAY * (toMs - fromMs)) / DAY_MS
  return { sources: trace.sources.filter(({ times }) => times.length < most) }
}

/** Files as they are; a folder stands for the trace in it, or for those in its folders; `all` for the recorded ones. */
export function tracePaths(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap(pathsOf))]
}

function pathsOf(path: string): readonly string[] {
  if (path === 'all') return recorded()
  if (!existsSync(path) || !statSync(path).isDirectory()) return [path]
  const here = traceIn(path)
  if (here !== undefined) return [here]
  const within = readdirSync(path)
    .sort()
    .map((name) => traceIn(join(path, name)))
    .filter((path) => path !== undefined)
  if (within.length === 0) {
    throw new HeadwaterError('USAGE', `no ${NAMES.join(' or ')} in ${path} or in the folders in it`)
  }
  return within
}

function traceIn(folder: string): string | undefined {
  return NAMES.map((name) => join(folder, name)).find((path) => existsSync(path))
}

function recorded(): string[] {
  const paths = TRACE_SETS.map(tracePath).filter((path) => existsSync(path))
  if (paths.length === 0) {
    throw new HeadwaterError(
      'FILE_UNREADABLE',
      'all stands for the traces in shared/traces beside the project, and there are none; name files or folders instead',
    )
  }
  return paths
}

/** Nothing to compare is said at once, in words: after learning there must be time to measure, with items in it. */
export function measurable(path: string, trace: Trace): Trace {
  const { fromMs, toMs } = traceSpan(trace)
  if (!(toMs >= fromMs)) throw new HeadwaterError('USAGE', `${path} has no items: nothing can be compared on it`)
  const days = (toMs - fromMs) / DAY_MS
  const learningDays = LEARNING_MS / DAY_MS
  if (days < learningDays + 1) {
    throw new HeadwaterError(
      'USAGE',
      `${path} spans ${days.toFixed(1)} days; the first ${learningDays} are for learning, so give it ${learningDays + 1} or more`,
    )
  }
  return trace
}
