import { entryAt } from '../../src/model/entry-at.ts'
import { DAY_MS, type DurationMs } from '../../src/model/index.ts'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import type { Trace } from '../worlds/trace.ts'
import { assemble } from './assemble.ts'
import { comparisonClaims } from './claims.ts'
import { codeVersion } from './code-version.ts'
import { wholeMinuteShare } from './dates.ts'
import { lastTrace } from './last-trace.ts'
import { type MeasureOptions, measurePolicies, taskKey } from './measure.ts'
import type { OursOptions } from './ours.ts'
import { type Block, mainWindow, planOf, type TraceFacts, urgency } from './plan.ts'
import { KNOWN_IDS, LEARNING_MS, OURS } from './policies.ts'
import type { CompareProgress } from './progress.ts'
import { ResultFolder } from './results.ts'
import { besideShipped } from './shipped.ts'
import type { OursResult, OursTask, PolicyTask, Task } from './task.ts'
import { traceWorld } from './trace-world.ts'
import { measurable, traceFile, tracePaths, withSlow } from './traces.ts'
import type { CompareResult, MeasuredRow } from './types.ts'

export interface CompareOptions extends OursOptions {
  /** Paths of traces, folders of them, or `all`. */
  readonly traces: readonly string[]
  /** Also the slow sources of each by themselves. */
  readonly slow?: boolean
  /** Requests per source and day. */
  readonly perDay: readonly number[]
  /** Publication window W; several give one comparison each. */
  readonly window: number | readonly number[]
  /** All of them unless given; at windows other than the main one those of the table. */
  readonly policies?: readonly string[]
  /** Also our strategy with one part left out each. */
  readonly ablations?: boolean
  /** Also how much of the gain is the rounding of dates. */
  readonly rounding?: boolean
  /** Also the peers as their authors ship them. */
  readonly shipped?: boolean
  /** Where a run would take more requests, sources are drawn. */
  readonly mostRequests?: number
  readonly seed?: number
  /** Threads beside this one; without any, which is usual, all runs in this one. */
  readonly threads?: number
  /** Folder in which figures are stored and found again. */
  readonly results?: string
  /** Nothing is run: only what is in that folder. */
  readonly finishedOnly?: boolean
  readonly onProgress?: (progress: CompareProgress) => void
  /** Since the start; for a prognosis. */
  readonly elapsedMs?: () => DurationMs
}

/**
 * Every policy at equal total requests on real traces, by the conventions of the traces: the first 14 days are for
 * learning, the rest is measured; every item counts up to the refresh that follows it; loss is counted apart.
 */
export async function runCompare(options: CompareOptions): Promise<CompareResult> {
  const checked = checkedOptions(options)
  const seed = options.seed ?? 1
  const paths = tracePaths(options.traces)
  const traces = await factsOf(options.slow ? withSlow(paths) : paths)
  const blocks = planOf(traces, checked)
  const countOf = new Map(traces.map(({ path, sources }) => [path, sources]))
  const main = mainWindow(checked.windows)
  const ownTasks: OursTask[] = []
  const how: MeasureOptions = {
    threads: options.threads ?? 0,
    results: options.results === undefined ? null : new ResultFolder(options.results),
    finishedOnly: options.finishedOnly ?? false,
    followUps(task, result) {
      // Beside peers as shipped ours runs at other budgets, of which nothing else is asked for.
      const following = checked.perDay.includes(task.perDay) ? oursTasks(task, result, options, main) : []
      ownTasks.push(...following)
      const facts = traces.find(({ path }) => path === task.setting.trace)
      return facts === undefined ? following : [...following, ...besideShipped(task, result, facts)]
    },
    sourcesOf: ({ setting }) => setting.sources ?? countOf.get(setting.trace)!,
    elapsedMs: options.elapsedMs ?? (() => 0),
    onProgress: options.onProgress ?? (() => {}),
  }
  const tasks = blocks
    .flatMap((block) => tasksOf(block, seed).map((task) => ({ task, urgency: urgency(block, task.policy, main) })))
    .sort((a, b) => a.urgency - b.urgency)
    .map(({ task }) => task)
  const measured = await measurePolicies(tasks, how)
  const results = await assemble(traces, checked.windows, blocks, measured, ownTasks, seed)
  const claims = comparisonClaims(results)
  const missing = new Set(tasks.map(taskKey).filter((key) => !measured.has(key))).size
  return {
    ...entryAt(results, 0),
    ...(results.length > 1 ? { traces: results } : {}),
    run: {
      seed,
      perDay: checked.perDay,
      windows: checked.windows,
      mostRequests: options.mostRequests ?? null,
      version: codeVersion(OURS),
      missing,
    },
    ...(claims.length > 0 ? { claims } : {}),
  }
}

function checkedOptions(options: CompareOptions) {
  const { policies, perDay } = options
  if (options.traces.length === 0) throw new HeadwaterError('USAGE', 'no trace given; see --trace')
  if (perDay.length === 0 || perDay.some((each) => !(each > 0))) {
    throw new HeadwaterError('USAGE', 'requests per day must be numbers above 0, as in --per-day 4,24')
  }
  const unknown = (policies ?? []).filter((id) => !KNOWN_IDS.includes(id))
  if (unknown.length > 0) {
    throw new HeadwaterError('USAGE', `no policy ${unknown.join(', ')}; there are ${KNOWN_IDS.join(', ')}`)
  }
  const { policies: _policies, ...others } = options
  const windows = typeof options.window === 'number' ? [options.window] : options.window
  return { ...others, windows, ...(policies === undefined || policies.length === 0 ? {} : { policies }) }
}

async function factsOf(paths: readonly string[]): Promise<TraceFacts[]> {
  const facts: TraceFacts[] = []
  for (const path of paths) {
    const trace = await lastTrace(path)
    // A trace may have no slow sources.
    if (traceFile(path).isSlow && trace.sources.length === 0) continue
    facts.push(traceFacts(path, measurable(path, trace)))
  }
  return facts
}

function traceFacts(path: string, trace: Trace): TraceFacts {
  const { startMs, endMs } = traceWorld(trace, 1)
  return {
    path,
    sources: trace.sources.length,
    items: trace.sources.reduce((sum, { times }) => sum + times.length, 0),
    measuredDays: (endMs - startMs - LEARNING_MS) / DAY_MS,
    wholeMinuteShare: wholeMinuteShare(trace.sources),
  }
}

function tasksOf({ setting, perDay, policies }: Block, seed: number): PolicyTask[] {
  return policies.map((policy) => ({ kind: 'policy', setting, perDay, seed, policy }))
}

/** Newcomers, bursts and a price that follows: at the main window, where all sources of the trace are there. */
function oursTasks(
  task: Task,
  result: MeasuredRow | OursResult,
  { newcomers, burstsMs, followed }: OursOptions,
  window: number,
): OursTask[] {
  const { setting, perDay, seed } = task
  if (task.kind !== 'policy' || task.policy !== OURS || setting.dates !== 'recorded') return []
  if (setting.window !== window || setting.sources !== null) return []
  const { price } = result as MeasuredRow
  if (price === null || (newcomers === undefined && burstsMs === undefined && !followed)) return []
  const variants = {
    ...(newcomers === undefined ? {} : { newcomers }),
    ...(burstsMs === undefined ? {} : { burstsMs }),
    ...(followed ? { followed } : {}),
  }
  return [{ kind: 'ours', setting, perDay, seed, price, options: variants }]
}
