import { expect, it } from 'vitest'
import { entryAt } from '../../src/model/entry-at.ts'
import { SECOND_MS } from '../../src/model/index.ts'
import { realLevels, replayedLevels } from './network-levels.ts'
import { type NetworkPlan, runNetwork } from './node-network.ts'

const PLAN: NetworkPlan = {
  nodes: 4,
  sources: 2,
  alpha: 100,
  seed: 1,
  intervalMs: (node) => (1 + (node % 3) / 2) * SECOND_MS,
  itemsPerSecond: 1,
  lastsMs: 12 * SECOND_MS,
  sourceWindow: 20,
  feedWindow: 200,
  repairPages: 20,
}

it('four processes that read each other have each item once, no child before all of its parents, as the simulator says', async () => {
  const run = await runNetwork(PLAN)
  for (const [node, entries] of run.published.entries()) {
    const names = entries.map(({ source, item }) => `${source}-${item}`)
    expect(names.length).toBeGreaterThan(0)
    expect(new Set(names).size).toBe(names.length)
    const inputs = entryAt(run.graph.inputs, PLAN.sources + node)
    if (inputs.some((input) => input < PLAN.sources)) continue
    for (const { source, item, at } of entries) {
      const before = inputs.flatMap((input) => entryAt(run.published, input - PLAN.sources))
      const first = before.filter((entry) => entry.source === source && entry.item === item).map((entry) => entry.at)
      expect(Math.min(...first)).toBeLessThanOrEqual(at)
    }
  }
  const untilMs = run.startMs + PLAN.lastsMs / 3
  const levels = realLevels(run, untilMs)
  expect(levels.map(({ level }) => level)).toEqual(replayedLevels(PLAN, run, untilMs).map(({ level }) => level))
})
