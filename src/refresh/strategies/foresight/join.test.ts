import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../model/index.ts'
import { foresight } from './foresight.ts'
import { foresightPacking } from './pack.ts'

const START = Date.UTC(2026, 0, 5)

/** What is known of a source that was refreshed every six hours and had so many items each time. */
function memoryOf(counts: readonly number[]) {
  const strategy = foresight()
  const facts = { id: 1, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: null }
  let memory = strategy.start(facts, () => 0.5)
  counts.forEach((newItems, look) => {
    const at = START + look * 6 * HOUR_MS
    const itemTimes = Array.from({ length: newItems }, (_, item) => at - (newItems - item) * 60_000)
    const overlap = look === 0 ? ('first' as const) : ('some' as const)
    const rest = { windowSize: 20, lostAtLeast: 0, notModified: false, bytes: 0, latencyMs: 0 }
    const previousAt = look === 0 ? null : at - 6 * HOUR_MS
    memory = strategy.observe(
      memory,
      { sourceId: 1, previousAt, at, newItems, overlap, itemTimes, ...rest },
      facts,
      () => 0.5,
    )
  })
  return memory
}

it('together sources publish as much as each of them does, and what is known of that can be stored', () => {
  const strategy = foresight()
  const counts = fc.array(fc.integer({ min: 0, max: 15 }), { minLength: 2, maxLength: 30 })
  fc.assert(
    fc.property(fc.array(counts, { minLength: 2, maxLength: 10 }), (sources) => {
      const memories = sources.map(memoryOf)
      const joint = strategy.join!(memories)
      const week = (memory: typeof joint) => strategy.expected!(memory, START, START + 7 * DAY_MS)
      const sum = memories.reduce((total, memory) => total + week(memory), 0)
      expect(week(joint) / sum).toBeCloseTo(1, 4)
      const row = new Float32Array(foresightPacking.floats)
      foresightPacking.pack(joint, row, 0)
      expect(foresightPacking.unpack(row, 0)).toEqual(joint)
    }),
    { numRuns: 40 },
  )
})
