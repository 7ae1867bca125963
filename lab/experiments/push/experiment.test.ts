import { describe, expect, it } from 'vitest'
import { expectGolden } from '../../../test/golden.ts'
import { experiment, runPush } from './experiment.ts'
import { drawnPushWorld } from './worlds.ts'

describe(experiment.title, () => {
  it('holds for drawn sources, and gives what it gave before', async () => {
    const { claims, tables } = await runPush([drawnPushWorld()], { seeds: 1 })
    for (const claim of claims) expect(claim.holds, `${claim.text}: ${JSON.stringify(claim.figures)}`).toBe(true)
    expectGolden(import.meta.url, { claims, tables })
  })
})
