import { workerData } from 'node:worker_threads'
import { type MovedPast, moveSnapshot, readSnapshot } from './snapshot.ts'

// A thread of its own: meanwhile the first one reads the modules of the node.
const { databasePath, stages, byMs, port } = workerData as MovedPast
await readSnapshot(databasePath, stages)
moveSnapshot(databasePath, byMs, port)
