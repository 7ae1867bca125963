import { describe, expect, it } from 'vitest'
import { expectGolden } from '../../../test/golden.ts'
import { experiment } from './experiment.ts'

describe('Table 4.1', () => {
  it('holds over 20 seeds', async () => {
    const result = await experiment.run({ seeds: 20 })
    for (const claim of result.claims) expect(claim.holds, `${claim.text}: ${JSON.stringify(claim.figures)}`).toBe(true)
    expectGolden(import.meta.url, result.json)
  })
})
