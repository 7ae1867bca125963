import { entryAt } from '../../src/model/entry-at.ts'
import { DAY_MS, MINUTE_MS } from '../../src/model/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import { runPriced } from '../simulator/priced-run.ts'
import { type RunWatch, Tally } from '../simulator/tally.ts'
import { countPublishedBy, type SimWorld } from '../simulator/world.ts'
import { maxIntervalOf } from './policies.ts'
import type { Newcomers } from './types.ts'

const DAYS = 10
const SETTLED_AFTER_DAYS = 3
const STARTS = 6

/** Adds `count` sources with something to publish at several moments of the trace. */
export function newcomers(
  world: SimWorld,
  strategy: AnyPricedStrategy,
  price: number,
  count: number,
  seed: number,
): Newcomers {
  const fresh = Array.from({ length: DAYS }, () => ({ delayMs: 0, items: 0, requests: 0 }))
  const known = Array.from({ length: DAYS }, () => ({ delayMs: 0, items: 0, requests: 0 }))
  let sources = 0
  for (let start = 0; start < STARTS; start++) {
    const at =
      world.startMs + Math.floor(((start + 1) * (world.endMs - world.startMs)) / (STARTS + 1) / DAY_MS) * DAY_MS
    const chosen = active(world, at).slice(0, count)
    sources = Math.max(sources, chosen.length)
    const span = { sources: chosen, endMs: at + DAYS * DAY_MS }
    measure({ ...span, startMs: world.startMs }, strategy, price, seed, at, known)
    measure({ ...span, startMs: at }, strategy, price, seed, at, fresh)
  }
  const ratioOf = (days: readonly number[]) => mean(fresh, days) / mean(known, days)
  const all = fresh.map((_, day) => day)
  return {
    sources,
    starts: STARTS,
    delayRatioByDay: all.map((day) => ratioOf([day])),
    requestRatioByDay: all.map((day) => entryAt(fresh, day).requests / entryAt(known, day).requests),
    settledRatio: ratioOf(all.filter((day) => day >= SETTLED_AFTER_DAYS)),
  }
}

interface DaySums {
  delayMs: number
  items: number
  requests: number
}

function measure(
  world: SimWorld,
  strategy: AnyPricedStrategy,
  price: number,
  seed: number,
  from: number,
  into: readonly DaySums[],
): void {
  // One tally a day: all of them see the same refreshes.
  const tallies = into.map((_, day) => new Tally(from + day * DAY_MS, from + (day + 1) * DAY_MS))
  runPriced({ world, strategy, price, seed, ...maxIntervalOf(strategy.id) }, allOf(tallies))
  for (const [day, sums] of into.entries()) {
    const tally = entryAt(tallies, day)
    sums.delayMs += tally.delaySumMs
    sums.items += tally.items
    sums.requests += tally.requests
  }
}

function allOf(tallies: readonly Tally[]): RunWatch {
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

/** Sources with items in the week before and in the days that are measured: others say nothing. */
function active(world: SimWorld, at: number) {
  return world.sources.filter(({ times }) => {
    const before = countPublishedBy(times, at)
    return before > countPublishedBy(times, at - 7 * DAY_MS) && countPublishedBy(times, at + DAYS * DAY_MS) > before
  })
}

function mean(sums: readonly DaySums[], days: readonly number[]): number {
  const delayMs = days.reduce((sum, day) => sum + entryAt(sums, day).delayMs, 0)
  const items = days.reduce((sum, day) => sum + entryAt(sums, day).items, 0)
  return items > 0 ? delayMs / items / MINUTE_MS : 0
}
