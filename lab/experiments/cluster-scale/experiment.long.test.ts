import { describe, expect, it } from 'vitest'
import { expectGolden } from '../../../test/golden.ts'
import { TRACES_ABSENT } from '../../../test/support/traces-absent.ts'
import { tracesPresent } from '../../traces/trace-set.ts'
import { CONFIG, SETTINGS } from './config.ts'
import { experiment, runScale } from './experiment.ts'

describe.skipIf(!tracesPresent([CONFIG.trace.set]))(`${experiment.title} (${TRACES_ABSENT})`, () => {
  it('holds, and gives what it gave before', async () => {
    const { claims, tables, load } = await runScale(SETTINGS, { seeds: experiment.defaultSeeds })
    for (const claim of claims) expect(claim.holds, `${claim.text}: ${JSON.stringify(claim.figures)}`).toBe(true)
    // What is multiplied with measured units, and the heap, are compared elsewhere (sizing.test.ts).
    const [runs, handOvers] = tables
    expectGolden(import.meta.url, { load, claims: claims.slice(0, 4), tables: [runs, handOvers] })
  })
})
