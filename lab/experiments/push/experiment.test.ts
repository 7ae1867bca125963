import { describe, expect, it } from 'vitest'
import { experiment, runPush } from './experiment.ts'
import { drawnWorld } from './worlds.ts'

describe(experiment.title, () => {
  it('holds for drawn sources', async () => {
    const { claims } = await runPush([drawnWorld()], { seeds: 1 })
    for (const claim of claims) expect(claim.holds, `${claim.text}: ${JSON.stringify(claim.figures)}`).toBe(true)
  })
})
