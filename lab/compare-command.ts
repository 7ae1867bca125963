import { availableParallelism, homedir } from 'node:os'
import { join } from 'node:path'
import type { SingleBar } from 'cli-progress'
import type { CliContext } from '../src/cli/context.ts'
import { json } from '../src/cli/output.ts'
import { progressBars } from '../src/cli/progress-bars.ts'
import { MINUTE_MS } from '../src/model/index.ts'
import { describeDuration } from '../src/refresh/words.ts'
import { ERRORS } from '../src/runtime/errors.ts'
import { computeInThreads } from '../src/runtime/heap.ts'
import type { CompareProgress } from './compare/progress.ts'
import { comparePage } from './compare/report/report.ts'
import { runCompare } from './compare/run.ts'
import { compareTable } from './compare/table.ts'
import { checkWritable, writeText } from './files.ts'

export interface CompareCommandOptions {
  readonly trace: readonly string[]
  readonly perDay: readonly number[]
  readonly window: readonly number[]
  readonly slow?: boolean
  readonly ablations?: boolean
  readonly rounding?: boolean
  readonly shipped?: boolean
  readonly newcomers?: number
  readonly followed?: boolean
  readonly burst?: readonly number[]
  readonly policies?: readonly string[]
  readonly mostRequests?: number
  readonly seed: number
  readonly threads?: number
  /** False: nothing is stored. */
  readonly results?: string | false
  readonly finished?: boolean
  /** True or `-`: standard output. */
  readonly json?: boolean | string
  readonly html?: string
}

export async function runCompareCommand(options: CompareCommandOptions, context: CliContext): Promise<void> {
  const jsonFile = options.json === true ? '-' : options.json || undefined
  for (const file of [options.html, jsonFile]) if (file !== undefined && file !== '-') await checkWritable(file)
  const bar = context.isTerminal ? progressBar() : null
  const leave = () => leaveAtOnce(context, bar, options.results !== false)
  context.signal.addEventListener('abort', leave, { once: true })
  const startedMs = context.clock.monotonicMs()
  computeInThreads()
  try {
    const result = await runCompare({
      traces: options.trace,
      perDay: options.perDay,
      window: options.window,
      seed: options.seed,
      threads: options.threads ?? availableParallelism(),
      ...(options.results === false ? {} : { results: options.results ?? resultsFolder(context) }),
      ...(options.finished ? { finishedOnly: true } : {}),
      ...(options.slow ? { slow: true } : {}),
      ...(options.ablations ? { ablations: true } : {}),
      ...(options.rounding ? { rounding: true } : {}),
      ...(options.shipped ? { shipped: true } : {}),
      ...(options.mostRequests === undefined ? {} : { mostRequests: options.mostRequests }),
      ...(options.newcomers === undefined ? {} : { newcomers: options.newcomers }),
      ...(options.followed ? { followed: true } : {}),
      ...(options.burst === undefined ? {} : { burstsMs: options.burst.map((minutes) => minutes * MINUTE_MS) }),
      ...(options.policies === undefined ? {} : { policies: options.policies }),
      elapsedMs: () => context.clock.monotonicMs() - startedMs,
      onProgress: (progress) => showProgress(bar, progress),
    })
    bar?.stop()
    if (options.html !== undefined) await writeText(options.html, comparePage(result), context)
    if (jsonFile !== undefined) await writeText(jsonFile, json(result), context)
    if (options.html !== '-' && jsonFile !== '-') context.out(compareTable(result))
  } finally {
    bar?.stop()
    context.signal.removeEventListener('abort', leave)
  }
}

/** Where programs keep what can be made again (XDG base directories). */
function resultsFolder({ env }: CliContext): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'headwater', 'lab-compare')
}

function progressBar(): SingleBar {
  const bar = new (progressBars().SingleBar)({
    format: '{bar} {value}/{total} {left} {running}',
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  })
  bar.start(1, 0, { left: '', running: '' })
  return bar
}

function showProgress(bar: SingleBar | null, { done, total, running, remainingMs }: CompareProgress): void {
  bar?.setTotal(total)
  bar?.update(done, {
    left: remainingMs === null ? '' : `· ${describeDuration(remainingMs)} left ·`,
    running: running.join('; '),
  })
}

/** What was measured is stored, and the threads end with the process: there is nothing to wait for. */
function leaveAtOnce(context: CliContext, bar: SingleBar | null, isStored: boolean): void {
  bar?.stop()
  const hint = isStored
    ? 'What was measured is stored: the same command goes on from there, with --finished it shows that much.'
    : ERRORS.INTERRUPTED.hint
  context.err(`headwater: ${ERRORS.INTERRUPTED.summary} [INTERRUPTED]\n${hint}\n`)
  process.exit(1)
}
