import { Worker } from 'node:worker_threads'
import type { MeasuredRow } from './types.ts'

/** What a worker is started with; each reads the trace itself. */
export interface WorkerTask {
  readonly trace: string
  readonly window: number
  readonly seed: number
  readonly perDay: readonly number[]
}

export interface WorkerAnswer {
  readonly policy: string
  readonly rows: readonly MeasuredRow[]
}

/** Threads load compiled files; from sources (tests) everything runs in one thread. */
export function workersCanRun(): boolean {
  return import.meta.url.endsWith('.js')
}

/** Hands out policies one by one to a few threads. */
export async function compareInWorkers(
  task: WorkerTask,
  policies: readonly string[],
  threads: number,
  record: (policy: string, rows: readonly MeasuredRow[]) => void,
): Promise<void> {
  const waiting = [...policies].reverse()
  const count = Math.min(threads, policies.length)
  await Promise.all(Array.from({ length: count }, () => work(task, waiting, record)))
}

function work(
  task: WorkerTask,
  waiting: string[],
  record: (policy: string, rows: readonly MeasuredRow[]) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: task })
    const next = () => {
      const policy = waiting.pop()
      if (policy === undefined) void worker.terminate().then(() => resolve())
      else worker.postMessage(policy)
    }
    worker.on('message', (answer: WorkerAnswer) => {
      record(answer.policy, answer.rows)
      next()
    })
    worker.on('error', reject)
    next()
  })
}
