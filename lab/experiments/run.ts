import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { entryAt } from '../../src/model/entry-at.ts'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import type { ExperimentResult } from './experiment.ts'
import type { ExperimentJob, Message } from './worker.ts'

export interface RunHooks {
  readonly progress?: (id: string, done: number) => void
  /** Aborting ends the workers; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** How many at once; else one per core. */
  readonly parallel?: number
}

/**
 * Compiled, the worker lies beside this file as JavaScript. From the sources its thread has to register a loader itself
 * before it can read TypeScript: `--import tsx` does so in the main thread only.
 */
function startWorker(job: ExperimentJob): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./worker.js', import.meta.url), { workerData: job })
  // The ES module of it: its CommonJS twin looks for its hooks in the wrong folder (tsx 4.23).
  const loader = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/cjs$/, 'mjs'),
  ).href
  const worker = new URL('./worker.ts', import.meta.url).href
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => (register(), import(${JSON.stringify(worker)})))`
  return new Worker(code, { eval: true, workerData: job })
}

/** Runs experiments in parallel, each in a thread of its own; results in the order of the jobs. */
export async function runExperiments(
  jobs: readonly ExperimentJob[],
  hooks: RunHooks = {},
): Promise<ExperimentResult[]> {
  const results: ExperimentResult[] = []
  const stopping = new AbortController()
  const signal = hooks.signal ? AbortSignal.any([hooks.signal, stopping.signal]) : stopping.signal
  let next = 0
  const lane = async () => {
    while (next < jobs.length) {
      const index = next++
      results[index] = await runInWorker(entryAt(jobs, index), hooks, signal)
    }
  }
  const lanes = Math.min(jobs.length, hooks.parallel ?? availableParallelism())
  try {
    await Promise.all(Array.from({ length: lanes }, lane))
  } catch (error) {
    stopping.abort(error)
    throw error
  }
  return results
}

function runInWorker(job: ExperimentJob, hooks: RunHooks, signal: AbortSignal): Promise<ExperimentResult> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = startWorker(job)
    const stop = () => {
      reject(signal.reason)
      void worker.terminate()
    }
    signal.addEventListener('abort', stop, { once: true })
    worker.on('message', (message: Message) => {
      if (message.kind === 'progress') hooks.progress?.(job.id, message.done)
      else if (message.kind === 'result') resolve(message.result)
      else reject(new HeadwaterError(message.code, message.detail === '' ? undefined : message.detail))
    })
    worker.on('error', (cause) => reject(new Error(`experiment ${job.id} failed: ${reasonOf(cause)}`, { cause })))
    worker.on('exit', (code) => {
      signal.removeEventListener('abort', stop)
      // After a result this is too late to matter; without one it is all that is known.
      reject(new Error(`experiment ${job.id} ended without a result (exit code ${code})`))
    })
  })
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
