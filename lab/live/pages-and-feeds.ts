import { usualSavings } from '../../src/app/crawling/crawling.ts'
import { strategyFor } from '../../src/app/crawling/strategy.ts'
import { HOUR_MS, type InstantMs, MINUTE_MS } from '../../src/model/index.ts'
import { MAX_INTERVAL_MS } from '../../src/refresh/default-limits.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { runScheduled } from '../simulator/scheduled-run.ts'
import { Tally } from '../simulator/tally.ts'
import type { SimWorld } from '../simulator/world.ts'

interface PagesAndFeeds {
  readonly perHour: number
  /** Of the budget, for pages; 0: there are none. */
  readonly share: number
  readonly seed: number
  /** Items of the time before do not count. */
  readonly countedFrom: InstantMs
  /** Absent: as the node has it. */
  readonly savedPerSource?: number
}

/** The scheduler of a node with pages beside the refreshes, all that their share pays for. */
export function runPagesAndFeeds(world: SimWorld, run: PagesAndFeeds) {
  const { perHour, share, seed, countedFrom } = run
  const budget = { requests: perHour, perMs: HOUR_MS }
  const strategy = strategyFor({ strategy: 'foresight', estimator: 'hybrid' })
  const { savedPerSource = usualSavings(budget, strategy).savedPerSource } = run
  const savings = { ...usualSavings(budget, strategy), savedPerSource }
  const limits = { minIntervalMs: 5 * MINUTE_MS, maxIntervalMs: MAX_INTERVAL_MS }
  const tally = new Tally(countedFrom, world.endMs)
  const times: InstantMs[] = []
  let pageCount = 0
  const onPage = (at: InstantMs) => {
    times.push(at)
    pageCount++
  }
  runScheduled(
    {
      world,
      scheduler: { strategy, budget, ...savings, ...limits, random: seededRandom(seed) },
      onRefresh: (_id, at) => times.push(at),
      ...(share > 0 && { pages: { everyMs: HOUR_MS / (perHour * share), onPage } }),
    },
    tally,
  )
  const { meanDelayMs } = tally
  return { meanDelayMs, pages: pageCount, requests: times.length, mostPerHour: mostInAnHour(times) }
}

function mostInAnHour(times: readonly InstantMs[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  let most = 0
  for (let from = 0, to = 0; to < sorted.length; to++) {
    while ((sorted[to] ?? 0) - (sorted[from] ?? 0) >= HOUR_MS) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}
