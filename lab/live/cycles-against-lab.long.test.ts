import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/model/index.ts'
import { readTrace } from '../worlds/trace.ts'
import { calibratedWorld } from './calibrated-world.ts'
import { LIVE_CYCLE_MS, picksInTheLab, picksOfTheNode, poissonCycles } from './cycles-against-lab.ts'

const TRACE = '../shared/traces/rss-2024/trace.csv.gz'

describe('in cycles the node refreshes what the papers pick, cycle by cycle, in their order', () => {
  it.each([
    ['two-steps', 10],
    ['top-k-utility', 10],
    ['only-tau', 10],
    // Full windows are rare: in short cycles there would be a dozen of them.
    ['only-sat', 240],
  ])('%s over 2,000 cycles of %i minutes', async (strategy, minutes) => {
    const subject = poissonCycles(strategy, 2_000, minutes * MINUTE_MS)
    const picks = picksInTheLab(subject)
    expect(picks.length).toBeGreaterThan(500)
    expect(await picksOfTheNode(subject)).toEqual(picks)
  })
})

describe.skipIf(!existsSync(TRACE))(`50 feeds of a trace (skipped without ${TRACE})`, () => {
  it('are refreshed as 2Steps picks them over 500 cycles', async () => {
    const world = calibratedWorld(await readTrace(TRACE), { feeds: 50, days: 4, windowSize: 20, seed: 5 })
    const subject = { world, strategy: 'two-steps', cycles: 500, cycleMs: LIVE_CYCLE_MS, perCycle: 3 }
    const picks = picksInTheLab(subject)
    expect(picks.length).toBeGreaterThan(0.7 * 3 * 500)
    expect(await picksOfTheNode(subject)).toEqual(picks)
  })
})
