import { describe, expect, it } from 'vitest'
import { createWorkQueue } from './work-queue.ts'

const LONG_MS = 1e8

describe('a queue of work', () => {
  it('does a few at a time in the order in which they came, and sends away who finds it full', async () => {
    const queue = createWorkQueue({ name: 'previews', atOnce: 2, mostWaiting: 3, deadlineMs: LONG_MS })
    const started: number[] = []
    const ends: (() => void)[] = []
    const ask = (number: number) =>
      queue.run(async () => {
        started.push(number)
        await new Promise<void>((resolve) => ends.push(resolve))
        return number
      })
    const answers = [1, 2, 3, 4, 5].map(ask)
    await expect(ask(6)).rejects.toMatchObject({ code: 'NODE_BUSY' })
    expect(started).toEqual([1, 2])
    for (let at = 0; at < 5; at++) {
      ends[at]!()
      await answers[at]
    }
    expect(started).toEqual([1, 2, 3, 4, 5])
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5])
  })

  it('hands the place on when work fails', async () => {
    const queue = createWorkQueue({ name: 'previews', atOnce: 1, mostWaiting: 5, deadlineMs: LONG_MS })
    const failing = queue.run(() => Promise.reject(new Error('no')))
    const next = queue.run(async () => 'yes')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('yes')
    expect(await queue.run(async () => 'again')).toBe('again')
  })

  it('stops work that takes too long, and rejects those who waited for it', async () => {
    const queue = createWorkQueue({ name: 'previews', atOnce: 1, mostWaiting: 5, deadlineMs: 5 })
    const endless = queue.run(async (signal) => {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve))
        signal.throwIfAborted()
      }
    })
    const waiting = queue.run(async () => 'never')
    const [ended, second] = await Promise.allSettled([endless, waiting])
    expect(ended).toMatchObject({ reason: { code: 'ANSWER_TOO_LATE' } })
    // Its own time may end first, or the place is free just before.
    if (second.status === 'rejected') expect(second.reason).toMatchObject({ code: 'NODE_BUSY' })
  })
})
