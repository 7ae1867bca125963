import { describe, expect, it } from 'vitest'
import { expectGolden } from '../../../test/golden.ts'
import { TRACES_ABSENT } from '../../../test/support/traces-absent.ts'
import { RSS_2023, tracesPresent } from '../../traces/trace-set.ts'
import { CONFIG } from './config.ts'
import { claimsOf, experiment, measureSet } from './experiment.ts'

// The whole experiment takes minutes; one trace at the budget of Tables 1 and 2 says whether it still holds.
describe.skipIf(!tracesPresent([RSS_2023]))(`${experiment.title} (${TRACES_ABSENT})`, () => {
  it('holds on rss-2023 at one retrieval per day, and gives what it gave before', async () => {
    const measured = await measureSet(RSS_2023, [1], CONFIG.policies, { seeds: 1 })
    const claims = claimsOf(measured)
    for (const claim of claims) expect(claim.holds, `${claim.text}: ${JSON.stringify(claim.figures)}`).toBe(true)
    const rows = Object.values(measured.rows).flatMap((each) =>
      each.map(({ policy, requests, meanDelayMinutes, maxDelayMinutes }) => [
        policy,
        requests,
        meanDelayMinutes,
        maxDelayMinutes,
      ]),
    )
    expectGolden(import.meta.url, { claims, rows })
  })
})
