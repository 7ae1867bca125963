import { parentPort, workerData } from 'node:worker_threads'
import { ERRORS, type ErrorCode, HeadwaterError } from '../../src/runtime/errors.ts'
import type { ExperimentResult } from './experiment.ts'
import { loadExperiment } from './index.ts'

/** What a worker is given, and what it says. */
export interface ExperimentJob {
  readonly id: string
  readonly seeds: number
}

export type Message =
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'result'; readonly result: ExperimentResult }
  /** An expected failure, such as a trace that is not there: errors themselves lose their class between threads. */
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly detail: string }

// Experiments may report thousands of steps; nobody sees more than 200 of them.
const PROGRESS_STEP = 0.005

if (parentPort !== null) {
  const port = parentPort
  const say = (message: Message) => port.postMessage(message)
  try {
    say({
      kind: 'result',
      result: await runJob(workerData as ExperimentJob, (done) => say({ kind: 'progress', done })),
    })
  } catch (error) {
    if (!(error instanceof HeadwaterError)) throw error
    say({ kind: 'failed', code: error.code, detail: error.message.slice(ERRORS[error.code].summary.length + 2) })
  }
}

async function runJob({ id, seeds }: ExperimentJob, progress: (done: number) => void): Promise<ExperimentResult> {
  const experiment = await loadExperiment(id)
  if (experiment === null) throw new Error(`no experiment ${id}`)
  let lastReportAt = 0
  return experiment.run({
    seeds,
    progress(done) {
      if (done < lastReportAt + PROGRESS_STEP) return
      lastReportAt = done
      progress(done)
    },
  })
}
