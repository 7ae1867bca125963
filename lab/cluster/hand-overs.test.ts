import { expect, it } from 'vitest'
import { SHARDS } from '../../src/cluster/shards.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/model/index.ts'
import { foresight } from '../../src/refresh/strategies/foresight/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { Tally } from '../simulator/tally.ts'
import { type SimSource, type SimWorld, simSource } from '../simulator/world.ts'
import { runCluster } from './cluster-run.ts'
import type { Absence } from './cluster-setup.ts'

const START = Date.UTC(2026, 0, 5)
const SOURCES = 120
const MEMBERS = 3
const PER_DAY = 12
const LEARNT_AT = START + 4 * DAY_MS

function drawnWorld(): SimWorld {
  const random = seededRandom(3)
  const endMs = START + 6 * DAY_MS
  const sources = Array.from({ length: SOURCES }, (_, id) => {
    const perDay = 0.5 * 100 ** random()
    const times: number[] = []
    for (let at = START - DAY_MS; at < endMs; at += (-Math.log(1 - random()) * DAY_MS) / perDay) times.push(at)
    return simSource(id, Float64Array.from(times.slice(1)), 20)
  })
  return { startMs: START, endMs, sources }
}

const world = drawnWorld()
const requests = PER_DAY * SOURCES

function run(absences: readonly Absence[]) {
  const tally = new Tally(LEARNT_AT, world.endMs)
  const owners = new Map<number, number>()
  const figures = runCluster(
    {
      world,
      newStrategy: () => foresight() as AnyPricedStrategy,
      terms: { budget: { requests, perMs: DAY_MS }, factor: 1, burst: Math.round(requests / 96) },
      minIntervalMs: SECOND_MS,
      members: MEMBERS,
      memberOf: {
        shardOf: ({ id }: SimSource) => (id * 37) % SHARDS,
        siteOf: ({ id }: SimSource) => id,
        absences,
        handOverMs: 2 * SECOND_MS,
        takeOverMs: 12 * SECOND_MS,
        spacingMs: SECOND_MS,
      },
      latencyMs: 20,
      seed: 1,
    },
    {
      refreshed(source, at, sight) {
        owners.set(source.id, (owners.get(source.id) ?? 0) + 1)
        tally.refreshed(source, at, sight)
      },
      ended: (source, reached, published) => tally.ended(source, reached, published),
    },
  )
  return { tally, figures, refreshed: owners.size }
}

it('members that go and come back hand their sources over with what was learnt of them', () => {
  const calm = run([])
  expect(calm.figures.handOvers).toMatchObject({ changes: 0, sources: 0 })
  // All day long one after the other is restarted or killed.
  const absences = Array.from({ length: 8 }, (_, index) => ({
    member: index % MEMBERS,
    fromMs: LEARNT_AT + index * 5 * HOUR_MS,
    toMs: LEARNT_AT + index * 5 * HOUR_MS + (index % 2 === 0 ? 60 * SECOND_MS : 2 * HOUR_MS),
    isKilled: index % 2 === 1,
  }))
  const restless = run(absences)
  const { handOvers } = restless.figures
  expect(handOvers).toMatchObject({ changes: 16, lost: 0, doubled: 0, tooSoon: 0, longestMs: 12 * SECOND_MS })
  expect(handOvers.sources).toBeGreaterThan(SOURCES)
  expect(restless.refreshed).toBe(SOURCES)
  expect(restless.tally.items).toBe(calm.tally.items)
  expect(restless.tally.meanDelayMs / calm.tally.meanDelayMs).toBeLessThan(1.05)
})
