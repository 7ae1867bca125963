import { parentPort, workerData } from 'node:worker_threads'
import { type TraceInHand, takeInHand } from './last-trace.ts'
import { type Task, TaskRunner } from './task.ts'

const inHand = workerData as TraceInHand | null
if (inHand !== null) takeInHand(inHand)
const runner = new TaskRunner()

parentPort!.on('message', async (task: Task) => parentPort!.postMessage(await runner.run(task)))
