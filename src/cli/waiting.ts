import { writeSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import type { DurationMs } from '../model/index.ts'
import { startThread } from '../runtime/start-thread.ts'

/** Shows a person that a command still works, until it says something itself, asks or ends. */
export interface Waiting {
  start(words: string): void
  stop(): void
}

export interface WaitingTask {
  readonly words: string
  /** First: idle, WRITING or STOPPED; second: whether anything was shown. */
  readonly state: SharedArrayBuffer
  readonly startMs: DurationMs
  readonly stepMs: DurationMs
}

export const WRITING = 1
export const STOPPED = 2

/** What is over sooner needs no progress. */
const START_MS: DurationMs = 2_000
const STEP_MS: DurationMs = 1_000
const STDERR = 2

/** A thread counts the seconds: where the command computes, its own timers would stand still. */
export function createWaiting(): Waiting {
  let stopThread = () => {}
  return {
    start(words) {
      stopThread()
      const shared = new Int32Array(new SharedArrayBuffer(8))
      const thread = countingThread({ words, state: shared.buffer, startMs: START_MS, stepMs: STEP_MS })
      stopThread = () => {
        stopThread = () => {}
        // It writes for microseconds at most.
        while (Atomics.compareExchange(shared, 0, 0, STOPPED) === WRITING);
        Atomics.notify(shared, 0)
        if (Atomics.exchange(shared, 1, 0) === 1) writeSync(STDERR, '\r\u001b[K')
        thread.unref()
      }
    },
    stop: () => stopThread(),
  }
}

function countingThread(workerData: WaitingTask): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const thread = startThread(new URL(`./waiting-thread.${extension}`, import.meta.url), { workerData })
  thread.unref()
  return thread
}
