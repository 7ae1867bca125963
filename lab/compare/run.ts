import { setImmediate as turn } from 'node:timers/promises'
import { DAY_MS } from '../../src/model/index.ts'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { itemCount } from '../simulator/world.ts'
import { readTrace, type Trace, traceSpan } from '../worlds/trace.ts'
import { ABLATION_IDS } from './ablations.ts'
import { arenaOf, comparePolicy, measuredDays } from './compare-policy.ts'
import { budgetRows } from './gains.ts'
import { type OursOptions, withOurs } from './ours.ts'
import { KNOWN_IDS, LEARNING_MS, POLICY_IDS } from './policies.ts'
import { traceWorld } from './trace-world.ts'
import type { CompareResult, MeasuredRow, TraceComparison } from './types.ts'
import { compareInWorkers, workersCanRun } from './workers.ts'

export interface CompareOptions extends OursOptions {
  /** Paths of traces. */
  readonly traces: readonly string[]
  /** Requests per source and day. */
  readonly perDay: readonly number[]
  /** Publication window W; several give one comparison each. */
  readonly window: number | readonly number[]
  /** All of them unless given. */
  readonly policies?: readonly string[]
  /** Also our strategy with one part left out each. */
  readonly ablations?: boolean
  readonly seed?: number
  /** Threads; 1 runs in this one. */
  readonly threads?: number
  readonly onProgress?: (progress: CompareProgress) => void
}

export interface CompareProgress {
  readonly done: number
  readonly total: number
  readonly trace: string
  readonly policy: string
}

/**
 * Every policy at equal total requests on real traces, by the conventions of the traces: the first 14 days are for
 * learning, the rest is measured; every item counts up to the refresh that follows it; loss is counted apart.
 */
export async function runCompare(options: CompareOptions): Promise<CompareResult> {
  const policies = [...checkedPolicies(options.policies), ...(options.ablations ? ABLATION_IDS : [])]
  if (options.traces.length === 0) throw new HeadwaterError('USAGE', 'no trace given; see --trace')
  if (options.perDay.length === 0 || options.perDay.some((perDay) => !(perDay > 0))) {
    throw new HeadwaterError('USAGE', 'requests per day must be numbers above 0, as in --per-day 4,24')
  }
  const results: TraceComparison[] = []
  const windows = typeof options.window === 'number' ? [options.window] : options.window
  const runs = options.traces.flatMap((trace) => windows.map((window) => ({ trace, window })))
  for (const [index, { trace, window }] of runs.entries()) {
    const before = index * policies.length
    const total = runs.length * policies.length
    const told = (policy: string, done: number) => options.onProgress?.({ done: before + done, total, trace, policy })
    results.push(await compareTrace(trace, window, policies, options, told))
  }
  return results.length === 1 ? results[0]! : { ...results[0]!, traces: results }
}

function checkedPolicies(wished: readonly string[] | undefined): readonly string[] {
  const policies = wished === undefined || wished.length === 0 ? POLICY_IDS : wished
  const unknown = policies.filter((id) => !KNOWN_IDS.includes(id))
  if (unknown.length > 0) {
    throw new HeadwaterError('USAGE', `no policy ${unknown.join(', ')}; there are ${KNOWN_IDS.join(', ')}`)
  }
  return policies
}

/** Nothing to compare is said at once, in words: after learning there must be time to measure, with items in it. */
function measurable(path: string, trace: Trace): Trace {
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

type Told = (policy: string, done: number) => void

async function compareTrace(
  trace: string,
  window: number,
  policies: readonly string[],
  options: CompareOptions,
  told: Told,
): Promise<TraceComparison> {
  const { perDay } = options
  const seed = options.seed ?? 1
  const arena = arenaOf(traceWorld(measurable(trace, await readTrace(trace)), window), seed)
  const rows = new Map<string, readonly MeasuredRow[]>()
  const record = (policy: string, found: readonly MeasuredRow[]) => {
    rows.set(policy, found)
    told(policy, rows.size)
  }
  if ((options.threads ?? 1) > 1 && workersCanRun()) {
    await compareInWorkers({ trace, window, seed, perDay }, policies, options.threads!, record)
  } else {
    for (const policy of policies) {
      record(policy, comparePolicy(arena, policy, perDay))
      await turn()
    }
  }
  return {
    trace,
    sources: arena.world.sources.length,
    items: itemCount(arena.world),
    window,
    measuredDays: measuredDays(arena),
    budgets: perDay.map((each, index) => {
      const found = policies.map((policy) => rows.get(policy)![index]!)
      return withOurs(budgetRows(each, found, arena.world, seed), arena, options)
    }),
  }
}
