import { BESIDE_POLLING } from '../../src/api/beside-polling.ts'
import { strategyFor } from '../../src/app/crawling/strategy.ts'
import { type DurationMs, type InstantMs, MINUTE_MS } from '../../src/model/index.ts'
import { measureQuality } from '../../src/quality/live.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import type { Store } from '../../src/store/store.ts'
import { runScheduled } from '../simulator/scheduled-run.ts'
import { Tally } from '../simulator/tally.ts'
import { type SimSource, simSource } from '../simulator/world.ts'
import { DEMO_SEED } from './past.ts'
import type { VisitedFeed } from './world-fetcher.ts'

interface PollingOptions {
  readonly feeds: readonly VisitedFeed[]
  readonly from: InstantMs
  readonly to: InstantMs
  /** From the time of the world to that of the node. */
  readonly shiftMs: DurationMs
}

/**
 * The same requests spent on polling at one interval, over the same publications: simulated, and stored for the Overview. Feeds
 * that fail are left out on both sides.
 */
export async function comparePolling(store: Store, { feeds, from, to, shiftMs }: PollingOptions): Promise<void> {
  const sources: SimSource[] = []
  for (const { feed } of feeds.filter(({ feed }) => feed.plan.fault === null)) {
    const source = await store.sourceByUrl(feed.url)
    if (source === null) continue
    const published = [...feed.source.between(from - shiftMs, to - shiftMs)]
    const times = Float64Array.from(published.map(({ at }) => at + shiftMs))
    sources.push(simSource(source.id, times, feed.plan.windowItems))
  }
  const ids = sources.map(({ id }) => id)
  const { requests, items, delay } = measureQuality(await store.quality({ kind: 'sources', ids }, from, to))
  if (requests === 0 || delay === null) return
  const tally = pollAll(sources, requests, from, to)
  await store.saveState(BESIDE_POLLING, {
    from,
    to,
    requests,
    everyMs: (sources.length * (to - from)) / requests,
    own: { meanDelayMs: delay.meanMs, items, lost: await lostBy(sources, store) },
    polling: { meanDelayMs: tally.meanDelayMs, items: tally.items - tally.lost, lost: tally.lost },
  })
}

/** Exactly: what the world has published between the first and the last look at a feed, and the archive has not. */
async function lostBy(sources: readonly SimSource[], store: Store): Promise<number> {
  let lost = 0
  for (const { id, times } of sources) {
    const observations = await store.observations(id, { since: 0, limit: 100_000 })
    const looks = observations.map(({ at }) => at)
    const [first, last] = [Math.min(...looks), Math.max(...looks)]
    const published = times.filter((time) => time > first && time <= last).length
    const found = observations.reduce((sum, { newItems, previousAt }) => sum + (previousAt === null ? 0 : newItems), 0)
    lost += Math.max(0, published - found)
  }
  return lost
}

function pollAll(sources: readonly SimSource[], requests: number, from: InstantMs, to: InstantMs): Tally {
  const tally = new Tally(from, to)
  const perMinute = (requests * MINUTE_MS) / (to - from)
  runScheduled(
    {
      world: { startMs: from, endMs: to, sources },
      scheduler: {
        strategy: strategyFor({ strategy: 'uniform', estimator: 'usual' }),
        budget: { requests: perMinute, perMs: MINUTE_MS },
        burst: 1,
        minIntervalMs: MINUTE_MS,
        maxIntervalMs: to - from,
        random: seededRandom(DEMO_SEED),
      },
    },
    tally,
  )
  return tally
}
