import { describe, expect, it } from 'vitest'
import { TRACES_ABSENT } from '../../../test/support/traces-absent.ts'
import { tracesPresent } from '../../traces/trace-set.ts'
import { CONFIG } from './config.ts'
import { experiment } from './experiment.ts'

describe.skipIf(!tracesPresent([CONFIG.trace]))(`${experiment.title} (${TRACES_ABSENT})`, () => {
  it('holds on recorded feeds', async () => {
    const { claims } = await experiment.run({ seeds: experiment.defaultSeeds })
    for (const claim of claims) expect(claim.holds, `${claim.text}: ${JSON.stringify(claim.figures)}`).toBe(true)
  })
})
