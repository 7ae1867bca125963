import { crawlerFor, fetcherFor, usualSavings } from '../../src/app/crawling/crawling.ts'
import { strategyFor } from '../../src/app/crawling/strategy.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, type SourceId } from '../../src/model/index.ts'
import { MAX_INTERVAL_MS } from '../../src/refresh/default-limits.ts'
import type { Budget } from '../../src/refresh/strategy.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { runScheduled } from '../simulator/scheduled-run.ts'
import { Tally } from '../simulator/tally.ts'
import type { SimWorld } from '../simulator/world.ts'
import { fastClock } from './fast-clock.ts'
import { serveWorld } from './http-world.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

export type LiveRefresh = readonly [id: SourceId, at: InstantMs]

export interface LiveSetting {
  readonly world: SimWorld
  readonly strategy: string
  readonly perDay: number
  readonly seed: number
  /** The unit of the budget; absent: a day, over which it may be saved up. */
  readonly per?: 'day' | 'h'
}

function budgetOf({ world, perDay, per = 'day' }: LiveSetting): Budget {
  const requests = perDay * world.sources.length
  return per === 'day' ? { requests, perMs: DAY_MS } : { requests: requests / 24, perMs: HOUR_MS }
}

/** The replay in the simulator: the scheduler of the node, no network. */
export function inTheLab(setting: LiveSetting): LiveRefresh[] {
  const { world, strategy, seed } = setting
  const refreshes: LiveRefresh[] = []
  const budget = budgetOf(setting)
  const priced = strategyFor({ strategy, estimator: 'hybrid' })
  runScheduled(
    {
      world,
      scheduler: {
        strategy: priced,
        budget,
        ...usualSavings(budget, priced),
        minIntervalMs: 5 * MINUTE_MS,
        maxIntervalMs: MAX_INTERVAL_MS,
        random: seededRandom(seed),
      },
      onRefresh: (id, at) => refreshes.push([id, at]),
    },
    new Tally(world.startMs, world.endMs),
  )
  return refreshes
}

/** The node over real HTTP on loopback, in virtual time that stands still while a refresh is under way. */
export async function liveInLockStep({ world, strategy, perDay, seed }: LiveSetting): Promise<LiveRefresh[]> {
  const clock = new VirtualClock(world.startMs)
  const served = await serveWorld(world, clock)
  const refreshes: LiveRefresh[] = []
  const flags = { strategy, budget: `${perDay * world.sources.length}/day`, allowRange: ['loopback'] }
  const fetcher = fetcherFor(loadConfig('none', flags, {}), clock)
  try {
    await runLive({
      clock,
      data: createMemoryStore({ clock }),
      fetcher,
      urls: world.sources.map((_, index) => served.feedUrl(index)),
      endMs: world.endMs,
      seed,
      flags,
      onRefresh: (id, at) => refreshes.push([id, at]),
    })
  } finally {
    await fetcher.close()
    await served.close()
  }
  return refreshes
}

/** The node over real HTTP as it runs: several refreshes at once, time never waits. */
export async function liveAtSpeed(
  { world, strategy, perDay, seed }: LiveSetting,
  speed: number,
): Promise<LiveRefresh[]> {
  const clock = fastClock(world.startMs, speed)
  const served = await serveWorld(world, clock)
  const refreshes: LiveRefresh[] = []
  const flags = {
    strategy,
    budget: `${perDay * world.sources.length}/day`,
    allowRange: ['loopback'],
    hostSpacing: 0,
    checkpoint: '1h',
    afterLoss: 'strategy',
  }
  const config = loadConfig('none', flags, {})
  const fetcher = fetcherFor(config, clock)
  const data = createMemoryStore({ clock })
  await data.store.addSources(
    world.sources.map((_, index) => withSourceDefaults({ url: served.feedUrl(index) })),
    world.startMs,
  )
  const stopping = new AbortController()
  const environment = { clock, random: seededRandom(seed), logger: silentLogger }
  const crawler = crawlerFor(config, data, fetcher, environment, {
    syncMs: 10 * MINUTE_MS,
    shared: 'none',
    onRefreshed: ({ record }) => refreshes.push([record.sourceId, record.state.lastCheckAt!]),
  })
  try {
    const running = crawler.run(stopping.signal)
    await Promise.race([running, clock.sleep(world.endMs - clock.now())])
    stopping.abort()
    await running
  } finally {
    await fetcher.close()
    await served.close()
  }
  return refreshes.filter(([, at]) => at < world.endMs)
}
