import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type TraceInHand, traceInHand } from './last-trace.ts'
import { type OursResult, type Task, TaskRunner } from './task.ts'
import type { MeasuredRow } from './types.ts'

export interface TaskHooks {
  onStart(task: Task): void
  /** Returns what is to be run beside, after all others. */
  done(task: Task, result: MeasuredRow | OursResult): readonly Task[]
}

/** Threads load compiled files; from sources (tests) everything runs in one thread. */
function workersCanRun(): boolean {
  return import.meta.url.endsWith('.js')
}

/** Hands out tasks one by one to so many threads; with none they run in this one. */
export async function runTasks(tasks: readonly Task[], threads: number, hooks: TaskHooks): Promise<void> {
  const waiting = [...tasks].reverse()
  if (threads > 0 && workersCanRun()) {
    const count = Math.min(threads, tasks.length)
    const inHand = await traceInHand()
    await Promise.all(Array.from({ length: count }, () => work(waiting, inHand, hooks)))
    return
  }
  const runner = new TaskRunner()
  for (let task = waiting.pop(); task !== undefined; task = waiting.pop()) {
    hooks.onStart(task)
    waiting.unshift(...hooks.done(task, await runner.run(task)))
    await turn()
  }
}

function work(waiting: Task[], inHand: TraceInHand | null, hooks: TaskHooks): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: inHand })
    let task: Task | undefined
    const next = () => {
      task = waiting.pop()
      if (task === undefined) return void worker.terminate().then(() => resolve())
      hooks.onStart(task)
      worker.postMessage(task)
    }
    worker.on('message', (result: MeasuredRow | OursResult) => {
      try {
        waiting.unshift(...hooks.done(task!, result))
        next()
      } catch (error) {
        reject(error)
        void worker.terminate()
      }
    })
    worker.on('error', (error) => {
      // The others end with what they have in hand.
      waiting.length = 0
      reject(error)
    })
    next()
  })
}
