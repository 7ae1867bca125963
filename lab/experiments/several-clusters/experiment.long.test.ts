import { describe, expect, it } from 'vitest'
import { expectGolden } from '../../../test/golden.ts'
import { experiment } from './experiment.ts'

describe(experiment.title, () => {
  it('holds, and gives what it gave before', async () => {
    const { claims, tables } = await experiment.run({ seeds: experiment.defaultSeeds })
    for (const claim of claims) expect(claim.holds, `${claim.text}: ${JSON.stringify(claim.figures)}`).toBe(true)
    expectGolden(import.meta.url, { claims, tables })
  })
})
