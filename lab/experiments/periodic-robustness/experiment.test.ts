import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { experiment } from './experiment.ts'
import { halvingWeeks } from './measure.ts'

const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as unknown

describe('periodic robustness (Figures 7.6, 7.7)', () => {
  it('halves the distance clearly sooner at 1-hour than at 24-hour refreshes, as it did before', async () => {
    const result = await experiment.run({ seeds: experiment.defaultSeeds })
    expect(result.claims.filter(({ holds }) => !holds)).toEqual([])
    expect(result.claims).toHaveLength(2)
    expect(result).toEqual(expected)
  })

  it('stops when asked to', async () => {
    await expect(experiment.run({ seeds: 1, signal: AbortSignal.abort() })).rejects.toThrow()
  })

  it('reads halving times off the weekly distances', () => {
    expect(halvingWeeks([1, 1, 8, 9, 8, 7], [12], 3)).toEqual([Number.POSITIVE_INFINITY])
    expect(halvingWeeks([1, 1, 8, 6, 4, 2], [12], 3)).toEqual([1])
    expect(halvingWeeks([1, 1, 8, 4, 2, 2], [12], 2)).toEqual([1.5])
  })
})
