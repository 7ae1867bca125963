import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Observation } from '../../src/model/index.ts'
import { FLAT_TABLES, foresight } from '../../src/refresh/strategies/foresight/index.ts'
import type { SourceFacts } from '../../src/refresh/strategy.ts'
import { ForesightWheel } from './foresight-wheel.ts'

// A Monday.
const START = Date.UTC(2026, 0, 5)
const strategy = foresight()
const never = () => 0

function factsAt(lastRefreshAt: number | null, more: Partial<SourceFacts> = {}): SourceFacts {
  return { id: 0, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt, ...more }
}

function observationOf(
  previousAt: number | null,
  at: number,
  itemTimes: readonly number[],
  more: Partial<Observation> = {},
) {
  return {
    sourceId: 0,
    previousAt,
    at,
    newItems: itemTimes.length,
    windowSize: 20,
    overlap: previousAt === null ? 'first' : itemTimes.length >= 20 ? 'none' : 'some',
    lostAtLeast: 0,
    itemTimes,
    notModified: itemTimes.length === 0,
    bytes: 0,
    latencyMs: 0,
    ...more,
  } satisfies Observation
}

describe('many sources in a wheel', () => {
  it('are chosen when the strategy alone would have chosen them', () => {
    const price = 2
    const count = 12
    const wheel = new ForesightWheel({ capacity: count, shared: { tables: FLAT_TABLES }, price })
    const alone = Array.from({ length: count }, (_, id) => ({
      facts: factsAt(START - id * 13 * MINUTE_MS, { id }),
      memory: strategy.start(factsAt(null), never),
    }))
    for (const { facts, memory } of alone) wheel.add(facts, memory)
    for (let now = START; now < START + 5 * DAY_MS; now += 10 * MINUTE_MS) {
      const due = alone.filter(({ memory, facts }) => strategy.dueAt(memory, facts, price) <= now)
      expect(wheel.select(now).sort((a, b) => a - b)).toEqual(due.map(({ facts }) => facts.id))
      for (const source of due) {
        const items = (source.facts.id + Math.floor(now / HOUR_MS)) % 4
        const times = Array.from({ length: items }, (_, k) => now - (items - k) * MINUTE_MS)
        const observation = { ...observationOf(source.facts.lastRefreshAt, now, times), sourceId: source.facts.id }
        source.facts = { ...source.facts, lastRefreshAt: now }
        source.memory = strategy.observe(source.memory, observation, source.facts, never)
        wheel.observe(observation)
      }
    }
  })
})
