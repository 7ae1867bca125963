import { parentPort, workerData } from 'node:worker_threads'
import { runSharedTask, type SharedTask } from './learn-shared.ts'

parentPort!.postMessage(runSharedTask(workerData as SharedTask))
