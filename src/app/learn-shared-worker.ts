import { parentPort, workerData } from 'node:worker_threads'
import type { History } from '../crawler/shared-tables.ts'
import { learnShared } from './learn-shared.ts'

parentPort!.postMessage(learnShared(workerData as readonly History[]))
