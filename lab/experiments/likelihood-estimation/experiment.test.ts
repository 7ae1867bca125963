import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { experiment } from './experiment.ts'

const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as unknown

describe('likelihood estimation (7.4)', () => {
  it('is within 3 % where counting is 20 to 30 % too low, as it was before', async () => {
    const result = await experiment.run({ seeds: experiment.defaultSeeds })
    expect(result.claims.filter(({ holds }) => !holds)).toEqual([])
    expect(Object.keys(result.claims[0]!.figures).length).toBeGreaterThanOrEqual(4)
    expect(result).toEqual(expected)
  })
})
