import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import { ESTIMATORS } from '../../src/refresh/estimators/index.ts'
import { findStrategy } from '../../src/refresh/strategies/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { runScheduled } from '../simulator/scheduled-run.ts'
import { Tally } from '../simulator/tally.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { documentFetcher, feedUrl } from './feed-documents.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = Date.UTC(2026, 0, 5)

function world(feeds: number, days: number, seed: number): SimWorld {
  const random = seededRandom(seed)
  const endMs = START + days * DAY_MS
  const sources = Array.from({ length: feeds }, (_, index) => {
    const perHour = 0.02 * 200 ** random()
    const times = poissonTimes(perHour / HOUR_MS, START - 40 * DAY_MS, endMs, random).map(
      (at) => Math.floor(at / 1000) * 1000,
    )
    return simSource(index + 1, times, 20)
  })
  return { startMs: START, endMs, sources }
}

describe('the live node and the lab', () => {
  it.each(['two-steps', 'uniform', 'only-tau', 'miniflux'])(
    'refresh the same sources at the same moments (%s)',
    async (id) => {
      const w = world(20, 3, 7)
      const expected: [number, number][] = []
      const perDay = 12 * w.sources.length
      runScheduled(
        {
          world: w,
          scheduler: {
            strategy: findStrategy(id)!.priced!(ESTIMATORS.hybrid()),
            budget: { requests: perDay, perMs: DAY_MS },
            burst: 1,
            minIntervalMs: 5 * MINUTE_MS,
            maxIntervalMs: 7 * DAY_MS,
            random: seededRandom(3),
          },
          onRefresh: (source, at) => expected.push([source, at]),
        },
        new Tally(w.startMs, w.endMs),
      )
      const clock = new VirtualClock(START)
      const got: [number, number][] = []
      await runLive({
        clock,
        data: createMemoryStore({ clock }),
        fetcher: documentFetcher(w.sources, clock),
        urls: w.sources.map((_, index) => feedUrl(index)),
        endMs: w.endMs,
        seed: 3,
        flags: { strategy: id, budget: `${perDay}/day` },
        onRefresh: (source, at) => got.push([source, at]),
      })
      expect(expected.length).toBeGreaterThan(2.5 * perDay)
      expect(got).toEqual(expected)
    },
  )
})
