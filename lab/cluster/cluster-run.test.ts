import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/model/index.ts'
import { ESTIMATORS } from '../../src/refresh/estimators/index.ts'
import { foresight } from '../../src/refresh/strategies/foresight/index.ts'
import { findStrategy } from '../../src/refresh/strategies/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { extent } from '../../test/support/extent.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { byRate, type CommonSetup, measureAlone, measureCluster } from './measure.ts'
import { mostWithin } from './spending-peaks.ts'

const START = Date.UTC(2026, 0, 5)
const SOURCES = 80
const DAYS = 8
const MEMBERS = 4

/** From one item in two days to some eighty a day, by day more than by night. */
function drawnWorld(): SimWorld {
  const random = seededRandom(7)
  const endMs = START + DAYS * DAY_MS
  const sources = Array.from({ length: SOURCES }, (_, index) => {
    const perDay = 0.5 * 160 ** random()
    const times: number[] = []
    for (let at = START - DAY_MS; at < endMs; ) {
      at += (-Math.log(1 - random()) * DAY_MS) / (2 * perDay)
      const byDay = 0.5 - 0.5 * Math.cos((2 * Math.PI * (at % DAY_MS)) / DAY_MS)
      if (at < endMs && random() < byDay) times.push(at)
    }
    return simSource(index + 1, Float64Array.from(times), 20)
  })
  return { startMs: START, endMs, sources }
}

const world = drawnWorld()
const REQUESTS = 24 * SOURCES
const setupOf = (newStrategy: () => AnyPricedStrategy, burst: number): CommonSetup => ({
  world,
  newStrategy,
  terms: { budget: { requests: REQUESTS, perMs: DAY_MS }, factor: 1, burst },
  minIntervalMs: SECOND_MS,
  measuredFromMs: START + 3 * DAY_MS,
  part: { fromMs: START + 5 * DAY_MS, toMs: START + 7 * DAY_MS },
  seed: 1,
})

const SETUPS: readonly (readonly [string, CommonSetup])[] = [
  ['foresight', setupOf(() => foresight() as AnyPricedStrategy, REQUESTS / 96)],
  [
    'two-steps',
    setupOf(() => {
      const strategy = findStrategy('two-steps')?.priced?.(ESTIMATORS.hybrid())
      if (strategy === undefined) throw new Error('no such strategy')
      return strategy
    }, 2),
  ],
]

describe.each(SETUPS.slice(0, extent(1, SETUPS.length)))(
  'crawlers that share one price and one token bucket, with %s',
  (_name, setup) => {
    const alone = measureAlone(setup)
    const { fromMs, toMs } = setup.part
    const isControllerAway = (now: number) => now >= fromMs && now < toMs

    it.each([
      ['sorted by rate', byRate(world.sources, setup.measuredFromMs, MEMBERS)],
      ['by hash', ({ id }: { readonly id: number }) => id % MEMBERS],
    ])('refresh as one does, %s, and never beyond the budget', (_spread, memberOf) => {
      const measured = measureCluster(setup, { members: MEMBERS, memberOf, latencyMs: 20 })
      expect(measured.meanDelayMinutes / alone.meanDelayMinutes).toBeLessThan(1.05)
      expect(measured.spent / alone.spent).toBeGreaterThan(0.97)
      expect(measured.busiestHour).toBeLessThanOrEqual(1)
      expect(measured.busiestDay).toBeLessThanOrEqual(1)
    })

    it('go on at the last price while nobody moves it', () => {
      const memberOf = byRate(world.sources, setup.measuredFromMs, MEMBERS)
      const measured = measureCluster(setup, { members: MEMBERS, memberOf, latencyMs: 20, isControllerAway })
      expect(measured.partDelayMinutes / alone.partDelayMinutes).toBeLessThan(1.1)
      expect(measured.busiestHour).toBeLessThanOrEqual(1)
    })
  },
)

it('the most requests of any hour are counted over every hour, not by the clock', () => {
  const times = [0, 10, 20, 30].map((minutes) => minutes * 60_000)
  const late = times.map((at) => at + 50 * 60_000)
  expect(mostWithin(Float64Array.from([...times, ...late]), HOUR_MS)).toBe(5)
  expect(mostWithin(new Float64Array(0), HOUR_MS)).toBe(0)
})
