import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { entryAt } from '../../src/model/entry-at.ts'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { startThread } from '../../src/runtime/start-thread.ts'
import type { ExperimentResult } from './experiment.ts'
import type { ExperimentJob, Message } from './worker.ts'

export interface RunHooks {
  readonly progress?: (id: string, done: number) => void
  /** Aborting ends the workers; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** How many at once; else one per core. */
  readonly parallel?: number
}

function startWorker(job: ExperimentJob): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return startThread(new URL(`./worker.${extension}`, import.meta.url), { workerData: job })
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
