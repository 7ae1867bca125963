import { availableParallelism } from 'node:os'
import { SingleBar } from 'cli-progress'
import type { CliContext } from '../src/cli/context.ts'
import { json } from '../src/cli/output.ts'
import { MINUTE_MS } from '../src/model/index.ts'
import { ERRORS } from '../src/runtime/errors.ts'
import { runCompare } from './compare/run.ts'
import { compareTable } from './compare/table.ts'
import { checkWritable, writeText } from './files.ts'
import { comparePage } from './report/compare.ts'

export interface CompareCommandOptions {
  readonly trace: readonly string[]
  readonly perDay: readonly number[]
  readonly window: readonly number[]
  readonly ablations?: boolean
  readonly newcomers?: number
  readonly burst?: readonly number[]
  readonly policies?: readonly string[]
  readonly seed: number
  readonly json?: boolean
  readonly html?: string
}

export async function runCompareCommand(options: CompareCommandOptions, context: CliContext): Promise<void> {
  if (options.html !== undefined) await checkWritable(options.html)
  const bar = context.isTerminal ? progressBar() : null
  const leave = () => leaveAtOnce(context, bar)
  context.signal.addEventListener('abort', leave, { once: true })
  try {
    const result = await runCompare({
      traces: options.trace,
      perDay: options.perDay,
      window: options.window,
      seed: options.seed,
      threads: availableParallelism(),
      ...(options.ablations ? { ablations: true } : {}),
      ...(options.newcomers === undefined ? {} : { newcomers: options.newcomers }),
      ...(options.burst === undefined ? {} : { burstsMs: options.burst.map((minutes) => minutes * MINUTE_MS) }),
      ...(options.policies === undefined ? {} : { policies: options.policies }),
      onProgress: ({ done, total, policy }) => {
        bar?.setTotal(total)
        bar?.update(done, { policy })
      },
    })
    bar?.stop()
    if (options.html !== undefined) await writeText(options.html, comparePage(result), context)
    if (options.html !== '-' || options.json) context.out(options.json ? json(result) : compareTable(result))
  } finally {
    bar?.stop()
    context.signal.removeEventListener('abort', leave)
  }
}

function progressBar(): SingleBar {
  const bar = new SingleBar({
    format: '{bar} {value}/{total} {policy}',
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  })
  bar.start(1, 0, { policy: '' })
  return bar
}

/** Nothing is written before the end, and the threads end with the process: there is nothing to wait for. */
function leaveAtOnce(context: CliContext, bar: SingleBar | null): void {
  bar?.stop()
  context.err(`headwater: ${ERRORS.INTERRUPTED.summary} [INTERRUPTED]\n${ERRORS.INTERRUPTED.hint}\n`)
  process.exit(1)
}
