import { expect, it } from 'vitest'
import { SIBLINGS } from '../../src/crawler/shared/foresight-tables.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { documentFetcher, feedUrl } from './feed-documents.ts'
import { measureRefreshes } from './live-measures.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = Date.UTC(2026, 0, 5)
const END = START + 14 * DAY_MS
const MEASURED_FROM = START + 9 * DAY_MS
const FAMILIES = 4
const CHILDREN = 4

/** Each family publishes at the same unforeseeable moments, its members a minute apart; four times a day or so. */
function families(): SimWorld {
  const random = seededRandom(8)
  const sources = Array.from({ length: FAMILIES }, () => {
    const times = poissonTimes(5 / DAY_MS, START - 8 * DAY_MS, END - HOUR_MS, random)
    return Array.from({ length: CHILDREN }, (_, child) =>
      times.map((at) => Math.floor(at / 1000) * 1000 + child * MINUTE_MS),
    )
  }).flat()
  return { startMs: START, endMs: END, sources: sources.map((times, index) => simSource(index + 1, times, 20)) }
}

async function live(world: SimWorld, sharedTables: boolean) {
  const clock = new VirtualClock(START)
  const data = createMemoryStore({ clock })
  const refreshes: [number, number][] = []
  await runLive({
    clock,
    data,
    fetcher: documentFetcher(world.sources, clock),
    urls: world.sources.map((_, index) => feedUrl(index)),
    endMs: END,
    seed: 1,
    sharedTables,
    flags: { budget: `${24 * world.sources.length}/day` },
    onRefresh: (id, at) => refreshes.push([id, at]),
  })
  return { store: data.store, measured: measureRefreshes(world, refreshes, MEASURED_FROM) }
}

it('finds feeds that publish together, and refreshes the others when one of them has published', async () => {
  const world = families()
  const { store, measured } = await live(world, true)
  const pairs = await store.state(SIBLINGS)
  expect(pairs.length).toBeGreaterThan(FAMILIES * 2)
  const family = (id: number) => Math.floor((id - 1) / CHILDREN)
  expect(pairs.every(({ source, by }) => family(source) === family(by))).toBe(true)
  const decisions = (await Promise.all(world.sources.map(({ id }) => store.decisions(id, 300)))).flat()
  const signalled = decisions.filter(({ cause }) => cause === 'signal')
  expect(signalled.length).toBeGreaterThan(20)
  // Most of them find what was announced; of all refreshes a few do.
  const useful = (some: typeof decisions) => some.filter(({ newItems }) => newItems > 0).length / some.length
  expect(useful(signalled)).toBeGreaterThan(0.8)
  expect(useful(signalled)).toBeGreaterThan(2 * useful(decisions))
  const alone = await live(world, false)
  expect(measured.meanDelayMs).toBeLessThan(0.97 * alone.measured.meanDelayMs)
})
