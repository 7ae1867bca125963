import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, type InstantMs, MINUTE_MS, WEEK_MS } from '../../../src/model/index.ts'
import { MAX_INTERVAL_MS } from '../../../src/refresh/default-limits.ts'
import { type ForesightTables, foresight } from '../../../src/refresh/strategies/foresight/index.ts'
import { runPriced } from '../../simulator/priced-run.ts'
import { type RunWatch, Tally } from '../../simulator/tally.ts'
import { countPublishedBy, type SimWorld } from '../../simulator/world.ts'
import { CONFIG } from './config.ts'

/** Mean delay in minutes while they settle, and from then on. */
export interface NewcomerDelay {
  readonly first: number
  readonly settled: number
}

/** Sources of this world, added at several moments; `isKnown`: they were there from its beginning. */
export function newcomerDelay(
  world: SimWorld,
  tables: ForesightTables,
  price: number,
  isKnown: boolean,
): NewcomerDelay {
  const sums = [newSum(), newSum()] as const
  for (const quarter of CONFIG.starts) {
    const at = world.startMs + Math.floor((quarter * CONFIG.days) / 4) * DAY_MS
    const endMs = at + CONFIG.watchedDays * DAY_MS
    const settledAt = at + CONFIG.settledAfterDays * DAY_MS
    const tallies = [new Tally(at, settledAt), new Tally(settledAt, endMs)]
    const span = { startMs: isKnown ? world.startMs : at, endMs, sources: activeAt(world, at, endMs) }
    const strategy = foresight({ tables })
    runPriced({ world: span, strategy, price, seed: 1, maxIntervalMs: MAX_INTERVAL_MS }, watchOf(tallies))
    for (const [index, sum] of sums.entries()) {
      sum.delayMs += entryAt(tallies, index).delaySumMs
      sum.items += entryAt(tallies, index).items
    }
  }
  const [first, settled] = sums.map(({ delayMs, items }) => delayMs / items / MINUTE_MS)
  return { first: first ?? 0, settled: settled ?? 0 }
}

function newSum() {
  return { delayMs: 0, items: 0 }
}

/** With items in the week before and in the days that are watched: others say nothing. */
function activeAt({ sources }: SimWorld, at: InstantMs, endMs: InstantMs) {
  return sources.filter(({ times }) => {
    const before = countPublishedBy(times, at)
    return before > countPublishedBy(times, at - WEEK_MS) && countPublishedBy(times, endMs) > before
  })
}

function watchOf(tallies: readonly Tally[]): RunWatch {
  return {
    requests: 0,
    refreshed: (...seen) => {
      for (const tally of tallies) tally.refreshed(...seen)
    },
    ended: (...seen) => {
      for (const tally of tallies) tally.ended(...seen)
    },
  }
}
