import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { STOPPED, type WaitingTask, WRITING } from './waiting.ts'

// A thread of its own: whatever the command computes, this goes on.
const { words, state, startMs, stepMs } = workerData as WaitingTask
const shared = new Int32Array(state)
const STDERR = 2

for (let passedMs = startMs; ; passedMs += stepMs) {
  Atomics.wait(shared, 0, 0, passedMs === startMs ? startMs : stepMs)
  if (Atomics.compareExchange(shared, 0, 0, WRITING) === STOPPED) break
  writeSync(STDERR, `\r${words} … ${Math.round(passedMs / 1_000)} s\u001b[K`)
  Atomics.store(shared, 1, 1)
  Atomics.store(shared, 0, 0)
}
