import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { DurationMs } from '../../src/model/index.ts'
import { codeVersion, liveCodeVersion } from './code-version.ts'
import { type CompareProgress, Progress } from './progress.ts'
import { type ResultFolder, type ResultKey, rowFromJson, rowToJson } from './results.ts'
import { traceName } from './setting.ts'
import type { OursResult, Task } from './task.ts'
import { traceFile } from './traces.ts'
import type { MeasuredRow } from './types.ts'
import { runTasks } from './workers.ts'

export interface MeasureOptions {
  readonly threads: number
  /** Where figures are stored and looked for. */
  readonly results: ResultFolder | null
  /** Only what is found there. */
  readonly finishedOnly: boolean
  /** What else is measured once this figure is there; it takes its turn after all others. */
  readonly followUps: (task: Task, result: MeasuredRow | OursResult) => readonly Task[]
  /** For a prognosis. */
  readonly sourcesOf: (task: Task) => number
  readonly elapsedMs: () => DurationMs
  readonly onProgress: (progress: CompareProgress) => void
}

export type MeasuredPolicies = ReadonlyMap<string, MeasuredRow | OursResult>

export function taskKey(task: Task): string {
  return JSON.stringify(task)
}

/** Every task's figure: found, or measured and stored at once. */
export async function measurePolicies(tasks: readonly Task[], options: MeasureOptions): Promise<MeasuredPolicies> {
  const { results } = options
  const measured = new Map<string, MeasuredRow | OursResult>()
  const keys = new KeyMaker()
  const missing = new Map<string, Task>()
  /** The tasks that have to be run: this one, or what follows from its figure, which is put aside. */
  const following: Task[] = []
  const consider = (task: Task): Task[] => {
    const key = taskKey(task)
    if (measured.has(key) || missing.has(key)) return []
    const found = results?.get(keys.of(task))
    if (found === undefined) {
      missing.set(key, task)
      return [task]
    }
    const result = task.kind === 'policy' ? rowFromJson(found) : (found as OursResult)
    measured.set(key, result)
    following.push(...options.followUps(task, result))
    return []
  }
  const first = tasks.flatMap(consider)
  const waiting = [...first, ...following.flatMap(consider)]
  if (options.finishedOnly || waiting.length === 0) return measured
  const progress = new Progress(waiting, measured.size, options.sourcesOf, options.elapsedMs, options.onProgress)
  await runTasks(waiting, options.threads, {
    onStart: (task) => progress.showStart(task, describeTask(task)),
    done(task, result) {
      measured.set(taskKey(task), result)
      results?.put(keys.of(task), task.kind === 'policy' ? rowToJson(result as MeasuredRow) : result)
      const beside = options.followUps(task, result).flatMap(consider)
      progress.ended(task, beside)
      return beside
    },
  })
  return measured
}

function describeTask(task: Task): string {
  const what = task.kind === 'policy' ? task.policy : 'newcomers and bursts'
  return `${what} at ${task.perDay} a day, ${traceName(task.setting.trace)}, window ${task.setting.window}`
}

/** What a figure depends on: the content of the trace, not its place; the code that runs, not its version number. */
class KeyMaker {
  private readonly contents = new Map<string, string>()

  of(task: Task): ResultKey {
    const { setting, perDay, seed } = task
    const shared = {
      trace: this.contentOf(setting.trace),
      window: setting.window,
      dates: setting.dates,
      sources: setting.sources,
      perDay,
      seed,
    }
    if (task.kind === 'policy') return { ...shared, policy: task.policy, code: codeVersion(task.policy) }
    return { ...shared, price: task.price, options: JSON.stringify(task.options), code: liveCodeVersion() }
  }

  private contentOf(path: string): string {
    let hash = this.contents.get(path)
    if (hash === undefined) {
      const { file, isSlow } = traceFile(path)
      hash = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16)
      if (isSlow) hash += '-slow'
      this.contents.set(path, hash)
    }
    return hash
  }
}
