import { parentPort, workerData } from 'node:worker_threads'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { type LabMessage, type LabTask, runTask } from './lab.ts'

const tell = (message: LabMessage) => parentPort!.postMessage(message)

runTask(workerData as LabTask, (done, total) => tell({ kind: 'progress', done, total })).then(
  (result) => tell({ kind: 'result', result }),
  (error: unknown) => tell({ kind: 'failed', code: error instanceof HeadwaterError ? error.code : 'INTERNAL' }),
)
