import { afterEach, describe, expect, it } from 'vitest'
import type { JobBoard } from '../../src/cluster/job-board.ts'
import { type DurationMs, HOUR_MS, type InstantMs } from '../../src/model/index.ts'

export interface JobBoardAdapter {
  readonly name: string
  open(): Promise<{
    /** As two processes have them. */
    readonly boards: readonly [JobBoard, JobBoard]
    now(): InstantMs
    pass(ms: DurationMs): Promise<void>
    end(): Promise<void>
  }>
}

const posted = (id: string, document: unknown, isOver = false) => ({ id, userId: 7, isOver, document })

/** Jobs, as other processes find them. */
export function describeJobBoard(adapter: JobBoardAdapter): void {
  describe(`a board of jobs in ${adapter.name}`, () => {
    const ends: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0)) await end()
    })
    const open = async () => {
      const opened = await adapter.open()
      ends.push(opened.end)
      return opened
    }

    it('shows one process what another does, to its user alone', async () => {
      const { boards, now } = await open()
      const [here, there] = boards
      await here.post(posted('a', { done: 1 }))
      expect(await there.find('a', 7)).toEqual({ document: { done: 1 }, postedAt: now(), isAbandoned: false })
      expect(await there.find('a', 8)).toBeNull()
      expect(await there.find('b', 7)).toBeNull()
      await here.post(posted('a', { done: 2, words: ['ü', null] }, true))
      expect((await there.find('a', 7))?.document).toEqual({ done: 2, words: ['ü', null] })
    })

    it('calls a job abandoned that nobody posts any more, unless it is over', async () => {
      const { boards, pass } = await open()
      const [here, there] = boards
      await here.post(posted('running', 1))
      await here.post(posted('over', 2, true))
      await pass(29_000)
      expect(await there.find('running', 7)).toMatchObject({ isAbandoned: false })
      await pass(2_000)
      expect(await there.find('running', 7)).toMatchObject({ isAbandoned: true })
      expect(await there.find('over', 7)).toMatchObject({ isAbandoned: false })
      await here.post(posted('running', 1))
      expect(await there.find('running', 7)).toMatchObject({ isAbandoned: false })
    })

    it('forgets a job an hour after it was last posted', async () => {
      const { boards, pass } = await open()
      const [here, there] = boards
      await here.post(posted('a', 1, true))
      await pass(HOUR_MS - 1)
      expect(await there.find('a', 7)).not.toBeNull()
      await pass(2)
      expect(await there.find('a', 7)).toBeNull()
      await there.post(posted('b', 2))
      expect(await here.find('b', 7)).not.toBeNull()
    })
  })
}
