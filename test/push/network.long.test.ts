import { expect, it } from 'vitest'
import { entryAt } from '../../src/model/entry-at.ts'
import { SECOND_MS } from '../../src/model/index.ts'
import { type LevelFigures, latencyMs, plannedLevels, realLevels, replayedLevels } from './network-levels.ts'
import { type NetworkPlan, runNetwork } from './node-network.ts'

/** Between 0.6 and 1.5 of ten seconds, no two in a simple relation. */
const FACTORS = [1, 0.618, 1.272, 0.786, 1.4, 0.71, 1.155, 0.875, 1.493, 0.939]

const planFor = (alpha: number): NetworkPlan => ({
  nodes: 10,
  sources: 3,
  alpha,
  seed: 1,
  intervalMs: (node) => entryAt(FACTORS, node % FACTORS.length) * 10 * SECOND_MS,
  itemsPerSecond: 0.8,
  lastsMs: 180 * SECOND_MS,
  sourceWindow: 20,
  feedWindow: 20,
  // A node of the simulator sees a window and nothing behind it.
  repairPages: 0,
})
const SEEDS = 20
/** Items of the last part may still be on their way at the end. */
const TAIL_MS = 60 * SECOND_MS

it.each([4, 20, 100])('ten processes at α = %i: delay and loss of each level as in the simulator', async (alpha) => {
  const plan = planFor(alpha)
  const run = await runNetwork(plan)
  const untilMs = run.endMs - TAIL_MS
  const real = realLevels(run, untilMs)
  console.log(`processes in ${run.how}, from fetching to publishing ${latencyMs(run.published.flat()).toFixed(0)} ms`)
  const replayed = replayedLevels(plan, run, untilMs)
  const planned = meanOf(Array.from({ length: SEEDS }, (_, seed) => plannedLevels(plan, run, untilMs, seed + 1)))
  for (const [index, each] of real.entries()) {
    const [same, usual] = [entryAt(replayed, index), entryAt(planned, index)]
    console.log(
      `α ${alpha}, level ${each.level} (${each.nodes} nodes): delay ${each.delaySeconds.toFixed(2)} s, ` +
        `replayed ${same.delaySeconds.toFixed(2)}, planned ${usual.delaySeconds.toFixed(2)}; ` +
        `lost ${(100 * each.lostShare).toFixed(1)} %, replayed ${(100 * same.lostShare).toFixed(1)}, planned ${(100 * usual.lostShare).toFixed(1)}`,
    )
    expect(Math.abs(each.delaySeconds / same.delaySeconds - 1)).toBeLessThan(0.1)
    // Within a tenth, or within what a second more or less at the busiest moment is.
    expect(Math.abs(each.lostShare - same.lostShare)).toBeLessThan(Math.max(0.1 * same.lostShare, 0.01))
  }
})

it('and who reads the older pages of the others loses little of what windows lose', async () => {
  const plan = { ...planFor(100), repairPages: 20 }
  const run = await runNetwork(plan)
  const untilMs = run.endMs - TAIL_MS
  const [deepest, same] = [realLevels(run, untilMs).at(-1), replayedLevels(plan, run, untilMs).at(-1)]
  console.log(
    `level ${deepest?.level} with older pages: lost ${deepest?.lostShare}, by windows alone ${same?.lostShare}`,
  )
  expect(deepest?.lostShare).toBeLessThan((same?.lostShare ?? 0) / 2)
})

function meanOf(runs: readonly (readonly LevelFigures[])[]): readonly LevelFigures[] {
  return entryAt(runs, 0).map((first, index) => {
    const mean = (key: 'delaySeconds' | 'lostShare') =>
      runs.reduce((sum, run) => sum + entryAt(run, index)[key], 0) / runs.length
    return { ...first, delaySeconds: mean('delaySeconds'), lostShare: mean('lostShare') }
  })
}
