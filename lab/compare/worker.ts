import { parentPort } from 'node:worker_threads'
import { type Task, TaskRunner } from './task.ts'

const runner = new TaskRunner()

parentPort!.on('message', async (task: Task) => parentPort!.postMessage(await runner.run(task)))
