import { setImmediate as turn } from 'node:timers/promises'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { itemCount } from '../simulator/world.ts'
import { readTrace } from '../worlds/trace.ts'
import { arenaOf, comparePolicy, measuredDays } from './compare-policy.ts'
import { POLICY_IDS } from './policies.ts'
import { traceWorld } from './trace-world.ts'
import type { CompareResult, PolicyRow, TraceComparison } from './types.ts'
import { compareInWorkers, workersCanRun } from './workers.ts'

export interface CompareOptions {
  /** Paths of traces. */
  readonly traces: readonly string[]
  /** Requests per source and day. */
  readonly perDay: readonly number[]
  /** Publication window W. */
  readonly window: number
  /** All of them unless given. */
  readonly policies?: readonly string[]
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
  const policies = checkedPolicies(options.policies)
  if (options.traces.length === 0) throw new HeadwaterError('USAGE', 'no trace given; see --trace')
  if (options.perDay.length === 0 || options.perDay.some((perDay) => !(perDay > 0))) {
    throw new HeadwaterError('USAGE', 'requests per day must be numbers above 0, as in --per-day 4,24')
  }
  const results: TraceComparison[] = []
  for (const [index, trace] of options.traces.entries()) {
    const before = index * policies.length
    const total = options.traces.length * policies.length
    const told = (policy: string, done: number) => options.onProgress?.({ done: before + done, total, trace, policy })
    results.push(await compareTrace(trace, policies, options, told))
  }
  return results.length === 1 ? results[0]! : { ...results[0]!, traces: results }
}

function checkedPolicies(wished: readonly string[] | undefined): readonly string[] {
  const policies = wished === undefined || wished.length === 0 ? POLICY_IDS : wished
  const unknown = policies.filter((id) => !POLICY_IDS.includes(id))
  if (unknown.length > 0) {
    throw new HeadwaterError('USAGE', `no policy ${unknown.join(', ')}; there are ${POLICY_IDS.join(', ')}`)
  }
  return policies
}

type Told = (policy: string, done: number) => void

async function compareTrace(
  trace: string,
  policies: readonly string[],
  options: CompareOptions,
  told: Told,
): Promise<TraceComparison> {
  const { perDay, window } = options
  const seed = options.seed ?? 1
  const arena = arenaOf(traceWorld(await readTrace(trace), window), seed)
  const rows = new Map<string, readonly PolicyRow[]>()
  const record = (policy: string, found: readonly PolicyRow[]) => {
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
    budgets: perDay.map((each, index) => ({
      perDay: each,
      policies: policies.map((policy) => rows.get(policy)![index]!),
    })),
  }
}
