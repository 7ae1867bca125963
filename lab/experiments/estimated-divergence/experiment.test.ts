import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { experiment } from './experiment.ts'

const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as unknown

describe('real against estimated divergence (Figure 7.2)', () => {
  it('is closer when the model is updated online, as it was before', async () => {
    const result = await experiment.run({ seeds: experiment.defaultSeeds })
    expect(result.claims.map(({ holds }) => holds)).toEqual([true])
    expect(result).toEqual(expected)
  })
})
