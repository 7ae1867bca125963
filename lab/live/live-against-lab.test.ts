import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { readTrace } from '../worlds/trace.ts'
import { inTheLab, type LiveRefresh, type LiveSetting, liveInLockStep } from './against-lab.ts'
import { calibratedWorld } from './calibrated-world.ts'
import { documentFetcher, feedUrl } from './feed-documents.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = Date.UTC(2026, 0, 5)
const TRACE = '../shared/traces/rss-2024/trace.csv.gz'

function poissonWorld(feeds: number, days: number, seed: number): SimWorld {
  const random = seededRandom(seed)
  const endMs = START + days * DAY_MS
  const sources = Array.from({ length: feeds }, (_, index) => {
    const perHour = 0.02 * 200 ** random()
    const times = poissonTimes(perHour / HOUR_MS, START - 40 * DAY_MS, endMs, random)
    return simSource(
      index + 1,
      times.map((at) => Math.floor(at / 1000) * 1000),
      20,
    )
  })
  return { startMs: START, endMs, sources }
}

/** The crawler with feeds in this process. */
async function liveWithoutSockets({ world, strategy, perDay, seed }: LiveSetting): Promise<LiveRefresh[]> {
  const clock = new VirtualClock(world.startMs)
  const refreshes: LiveRefresh[] = []
  await runLive({
    clock,
    data: createMemoryStore({ clock }),
    fetcher: documentFetcher(world.sources, clock),
    urls: world.sources.map((_, index) => feedUrl(index)),
    endMs: world.endMs,
    seed,
    flags: { strategy, budget: `${perDay * world.sources.length}/day` },
    onRefresh: (id, at) => refreshes.push([id, at]),
  })
  return refreshes
}

describe('the live node and the lab refresh the same sources at the same moments', () => {
  it.each(['foresight', 'two-steps', 'uniform', 'miniflux'])('%s, in process', async (strategy) => {
    const setting = { world: poissonWorld(20, 2, 7), strategy, perDay: 12, seed: 3 }
    const expected = inTheLab(setting)
    expect(expected.length).toBeGreaterThan(0.85 * 2 * 12 * 20)
    expect(await liveWithoutSockets(setting)).toEqual(expected)
  })

  it('foresight, over real HTTP', async () => {
    const setting = { world: poissonWorld(20, 1, 9), strategy: 'foresight', perDay: 24, seed: 3 }
    expect(await liveInLockStep(setting)).toEqual(inTheLab(setting))
  })
})

describe.skipIf(!existsSync(TRACE))(`50 feeds of a trace (skipped without ${TRACE})`, () => {
  it('are refreshed in the same sequence over real HTTP and in the lab', async () => {
    const world = calibratedWorld(await readTrace(TRACE), { feeds: 50, days: 1, windowSize: 20, seed: 5 })
    const setting = { world, strategy: 'foresight', perDay: 24, seed: 3 }
    const expected = inTheLab(setting)
    expect(expected.length).toBeGreaterThan(0.9 * 24 * 50)
    expect(await liveInLockStep(setting)).toEqual(expected)
  })
})
