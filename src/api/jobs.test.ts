import { beforeEach, expect, it } from 'vitest'
import { type VirtualClock, virtualClock } from '../../test/support/virtual-clock.ts'
import type { JobBoard } from '../cluster/job-board.ts'
import { createMemoryJobBoard } from '../cluster/memory/job-board.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import { createJobs, type Jobs } from './jobs.ts'

const ANN = 7

let clock: VirtualClock
let board: JobBoard
let isBoardGone: boolean
let here: Jobs
let there: Jobs
let told: string[]

beforeEach(() => {
  clock = virtualClock(1_000_000)
  isBoardGone = false
  told = []
  const memory = createMemoryJobBoard(() => clock.now())
  board = {
    find: memory.find,
    async post(job) {
      if (isBoardGone) throw new HeadwaterError('STORE_FAILED')
      await memory.post(job)
    },
  }
  here = createJobs({ clock, board, tell: ({ state, done }) => void told.push(`${state} ${done}`) })
  there = createJobs({ clock, board, tell: () => {} })
})

/** A job that ends when the test says so. */
function work() {
  let progress: (done: number, total: number) => void = () => {}
  let end: (result: unknown) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const start = () =>
    here.start('import', ANN, (onProgress) => {
      progress = onProgress
      return new Promise((resolve, reject) => {
        end = resolve
        fail = reject
      })
    })
  return {
    start,
    progress: (done: number) => progress(done, 10),
    end: (result: unknown) => end(result),
    fail: (error: unknown) => fail(error),
  }
}

it('are found and followed through another process, by their user alone', async () => {
  const task = work()
  const { id } = await task.start()
  expect(await there.find(id, ANN)).toMatchObject({ state: 'running', done: 0 })
  task.progress(3)
  expect(await here.find(id, ANN)).toMatchObject({ done: 3, total: 10 })
  await clock.pass(1_000)
  expect(await there.find(id, ANN)).toMatchObject({ state: 'running', done: 3 })
  expect(await there.find(id, ANN + 1)).toBeNull()
  expect(await here.find(id, ANN + 1)).toBeNull()
  task.end({ added: 3 })
  await clock.pass(0)
  expect(await there.find(id, ANN)).toMatchObject({ state: 'done', result: { added: 3 } })
  expect(told).toEqual(['running 3', 'done 3'])
  await clock.pass(3_600_001)
  expect(await here.find(id, ANN)).toBeNull()
})

it('that fail say why', async () => {
  const task = work()
  const { id } = await task.start()
  task.fail(new HeadwaterError('LIMIT_REACHED'))
  await clock.pass(0)
  expect(await there.find(id, ANN)).toMatchObject({ state: 'failed', error: { code: 'LIMIT_REACHED' } })
})

it('stay alive for others however long they say nothing, and end although the board was gone meanwhile', async () => {
  const task = work()
  const { id } = await task.start()
  await clock.pass(600_000)
  expect(await there.find(id, ANN)).toMatchObject({ state: 'running' })
  isBoardGone = true
  task.end(1)
  await clock.pass(10_000)
  expect(await here.find(id, ANN)).toMatchObject({ state: 'done' })
  isBoardGone = false
  await clock.pass(2_000)
  expect(await there.find(id, ANN)).toMatchObject({ state: 'done', result: 1 })
})

it('whose process is killed, or stopped, have failed and do not run for ever', async () => {
  const killed = await work().start()
  isBoardGone = true
  await clock.pass(31_000)
  expect(await there.find(killed.id, ANN)).toMatchObject({ state: 'failed', error: { code: 'JOB_INTERRUPTED' } })
  isBoardGone = false
  const stopped = await work().start()
  await here.close()
  expect(await there.find(stopped.id, ANN)).toMatchObject({ state: 'failed', error: { code: 'JOB_INTERRUPTED' } })
})

it('do not begin where nobody could find them', async () => {
  isBoardGone = true
  await expect(work().start()).rejects.toMatchObject({ code: 'STORE_FAILED' })
})
