import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/model/index.ts'
import { foresight } from '../../src/refresh/strategies/foresight/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { runBundled } from './bundled-run.ts'
import { poissonTimes } from './poisson.ts'
import { Tally } from './tally.ts'
import { countWorldItems, type SimWorld, simSource } from './world.ts'

const START = Date.UTC(2026, 0, 5)
const END = START + 9 * DAY_MS
const SOURCES = 30

/** From one item in two days to twenty a day, and one that sometimes fills any window within minutes. */
function world(): SimWorld {
  const random = seededRandom(4)
  const sources = Array.from({ length: SOURCES }, (_, id) => {
    const times = Array.from(poissonTimes((0.5 * 40 ** (id / SOURCES)) / DAY_MS, START, END, random))
    if (id === 0)
      for (let burst = 0; burst < 3; burst++)
        for (let k = 0; k < 60; k++) times.push(START + (3 + 2 * burst) * DAY_MS + k * 20 * SECOND_MS)
    return simSource(id, Float64Array.from(times).sort(), 20)
  })
  return { startMs: START, endMs: END, sources }
}

function run(composable: ReadonlySet<number>, windowSize: number) {
  const requests = 3 * SOURCES
  const tally = new Tally(START, END)
  const scheduler = {
    strategy: foresight(),
    budget: { requests, perMs: DAY_MS },
    burst: requests,
    minIntervalMs: SECOND_MS,
    maxIntervalMs: 4 * DAY_MS,
    random: seededRandom(1),
  }
  const use = runBundled({ world: world(), scheduler, composable, limits: { mostMembers: 10, windowSize } }, tally)
  return { tally, use }
}

it('counts every item once, and meets most of them several times as soon', () => {
  const all = new Set(world().sources.map(({ id }) => id))
  const alone = run(new Set(), 25)
  const together = run(all, 25)
  for (const { tally } of [alone, together]) expect(tally.items).toBe(countWorldItems(world()))
  expect(together.use.fullWindows).toBeGreaterThan(0)
  expect(together.tally.meanDelayMs).toBeLessThan(0.5 * alone.tally.meanDelayMs)
  expect(together.tally.lost).toBeLessThanOrEqual(alone.tally.lost)
  // Budget of the days, what was saved up at the start, and no more.
  expect(together.tally.requests).toBeLessThanOrEqual((9 + 1) * 3 * SOURCES)
  // Everybody is still asked itself.
  expect(together.use.memberRequests).toBeGreaterThan(SOURCES)
  expect(together.tally.maxDelayMs).toBeLessThan(5 * DAY_MS + HOUR_MS)
})
