import { describe, expect, it } from 'vitest'
import { latestOnly } from './latest-only.ts'

describe('saving only the latest', () => {
  it('keeps the last value given, one call at a time, however long each takes', async () => {
    const started: number[] = []
    const ends: (() => void)[] = []
    const save = latestOnly((value: number) => {
      started.push(value)
      return new Promise<void>((end) => ends.push(end))
    })
    const first = save(0.9)
    const all = [0.8, 0.7, 0.6, 0.5].map(save)
    expect(started).toEqual([0.9])
    ends[0]?.()
    await Promise.resolve()
    await expect.poll(() => started).toEqual([0.9, 0.5])
    ends[1]?.()
    await Promise.all([first, ...all])
    expect(started).toEqual([0.9, 0.5])
  })

  it('reports a failure to the caller that waits, and saves again afterwards', async () => {
    const results: number[] = []
    const save = latestOnly(async (value: number) => {
      if (value < 0) throw new Error('refused')
      results.push(value)
    })
    await expect(save(-1)).rejects.toThrow('refused')
    await save(2)
    expect(results).toEqual([2])
  })
})
