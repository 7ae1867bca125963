import { parentPort, workerData } from 'node:worker_threads'
import { readTrace } from '../worlds/trace.ts'
import { arenaOf, comparePolicy } from './compare-policy.ts'
import { traceWorld } from './trace-world.ts'
import type { WorkerAnswer, WorkerTask } from './workers.ts'

const task = workerData as WorkerTask
const arena = readTrace(task.trace).then((trace) => arenaOf(traceWorld(trace, task.window), task.seed))

parentPort!.on('message', async (policy: string) => {
  const answer: WorkerAnswer = { policy, rows: comparePolicy(await arena, policy, task.perDay) }
  parentPort!.postMessage(answer)
})
