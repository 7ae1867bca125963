import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { singleVariable } from '../../../src/refresh/estimators/index.ts'
import { experiment } from './experiment.ts'
import { divergenceError, leastError, shapedSources } from './measure.ts'

const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as unknown

describe('divergence error (Figure 7.8)', () => {
  it('is smaller with the periodic model on waves at every interval, as it was before', async () => {
    const result = await experiment.run({ seeds: experiment.defaultSeeds })
    expect(result.claims.filter(({ holds }) => !holds)).toEqual([])
    expect(result.claims).toHaveLength(3)
    expect(result).toEqual(expected)
  })

  it('measures equation 7.4: one source that publishes where the model expects nothing', () => {
    const config = { sources: 1, itemsPerDay: 1, warmupDays: 0, measuredDays: 1 }
    const source = new Float64Array(144)
    source[100] = 1
    // Never refreshed within the day (mean 100 h): divergence is 1 from cycle 100 on, estimated 0.
    expect(divergenceError([source], singleVariable(), 100, config, 2)).toBeCloseTo(44 / 144, 9)
  })

  it('draws sources whose days sum to one item', () => {
    const [source] = shapedSources('waves', { sources: 1, itemsPerDay: 30, warmupDays: 1, measuredDays: 2 }, 1)
    for (let day = 0; day < 3; day++) {
      const sum = source!.subarray(day * 144, day * 144 + 144).reduce((total, share) => total + share, 0)
      expect(sum).toBeCloseTo(1, 9)
    }
    expect(leastError([0.1, 0.2, 0.3], (alpha) => (alpha - 0.2) ** 2).alpha).toBe(0.2)
  })
})
