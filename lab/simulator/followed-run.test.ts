import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { foresight } from '../../src/refresh/strategies/foresight/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { runFollowed } from './followed-run.ts'
import { poissonTimes } from './poisson.ts'
import { runPriced } from './priced-run.ts'
import { Tally } from './tally.ts'
import { type SimWorld, simSource } from './world.ts'

const START = Date.UTC(2026, 0, 5)
const DAYS = 120
const LEARNT = START + 14 * DAY_MS

/** Half of the sources publish nothing before the learning days are over. */
function growingWorld(): SimWorld {
  const random = seededRandom(3)
  const endMs = START + DAYS * DAY_MS
  return {
    startMs: START,
    endMs,
    sources: Array.from({ length: 40 }, (_, id) => {
      const from = id % 2 === 0 ? START : START + (20 + id) * DAY_MS
      return simSource(id, poissonTimes(0.3 / HOUR_MS, from, endMs, random), 20)
    }),
  }
}

describe('a price that follows the budget', () => {
  const world = growingWorld()
  const strategy = foresight()
  const requestsPerDay = 6 * world.sources.length
  const options = { world, strategy, requestsPerDay, measureFromMs: LEARNT, seed: 1 }
  const budget = requestsPerDay * (DAYS - 14)

  it.each([
    ['far too low', 0.01],
    ['about right', 2],
    ['far too high', 2_000],
  ])('holds it while sources wake up, from a first price %s', (_name, firstPrice) => {
    const tally = new Tally(LEARNT, world.endMs)
    const { firstPrice: found, lastPrice } = runFollowed({ ...options, firstPrice }, tally)
    expect(tally.requests / budget).toBeGreaterThan(0.98)
    expect(tally.requests / budget).toBeLessThan(1.02)
    expect(lastPrice).toBeGreaterThan(1.3 * found)
    const fixed = new Tally(LEARNT, world.endMs)
    runPriced({ world, strategy, price: found, seed: 1 }, fixed)
    expect(fixed.requests / budget).toBeGreaterThan(1.1)
  })
})
