import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { usualBurst } from '../../src/app/crawling/crawling.ts'
import { strategyFor } from '../../src/app/crawling/strategy.ts'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../src/model/index.ts'
import { MAX_INTERVAL_MS } from '../../src/refresh/default-limits.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { runScheduled } from '../simulator/scheduled-run.ts'
import { Tally } from '../simulator/tally.ts'
import type { SimWorld } from '../simulator/world.ts'
import { readTrace } from '../worlds/trace.ts'
import { calibratedWorld } from './calibrated-world.ts'

const TRACE = '../shared/traces/rss-2024/trace.csv.gz'
const FEEDS = 60
const DAYS = 3
const WORLDS = 6
/** Refreshes have so many an hour, with pages or without. */
const FEEDS_PER_HOUR = 2 * FEEDS
/** As it is by default. */
const PAGE_SHARE = 0.2

function run(world: SimWorld, perHour: number, share: number, seed: number) {
  const budget = { requests: perHour, perMs: HOUR_MS }
  const strategy = strategyFor({ strategy: 'foresight', estimator: 'hybrid' })
  const limits = { minIntervalMs: 5 * MINUTE_MS, maxIntervalMs: MAX_INTERVAL_MS }
  const tally = new Tally(world.startMs + DAY_MS, world.endMs)
  const times: InstantMs[] = []
  const pages = { everyMs: HOUR_MS / (perHour * share), onPage: (at: InstantMs) => times.push(at) }
  runScheduled(
    {
      world,
      scheduler: { strategy, budget, burst: usualBurst(budget, strategy), ...limits, random: seededRandom(seed) },
      onRefresh: (_id, at) => times.push(at),
      ...(share > 0 && { pages }),
    },
    tally,
  )
  times.sort((one, other) => one - other)
  let mostPerHour = 0
  for (let from = 0, to = 0; to < times.length; to++) {
    while ((times[to] ?? 0) - (times[from] ?? 0) >= HOUR_MS) from++
    mostPerHour = Math.max(mostPerHour, to - from + 1)
  }
  return { meanDelayMs: tally.meanDelayMs, requests: times.length, mostPerHour }
}

it.skipIf(!existsSync(TRACE))(
  `pages at their usual share leave the delay of items within 2 %, where refreshes have what they had and the budget no room (skipped without ${TRACE})`,
  async () => {
    const trace = await readTrace(TRACE)
    const changes: number[] = []
    for (let seed = 1; seed <= WORLDS; seed++) {
      const world = calibratedWorld(trace, { feeds: FEEDS, days: DAYS, windowSize: 20, seed })
      const perHour = FEEDS_PER_HOUR / (1 - PAGE_SHARE)
      const without = run(world, FEEDS_PER_HOUR, 0, seed)
      const withPages = run(world, perHour, PAGE_SHARE, seed)
      expect(withPages.mostPerHour).toBeLessThanOrEqual(perHour)
      expect(withPages.requests).toBeGreaterThan(0.95 * perHour * 24 * DAYS)
      changes.push(withPages.meanDelayMs / without.meanDelayMs - 1)
    }
    const mean = changes.reduce((sum, one) => sum + one, 0) / WORLDS
    expect(Math.abs(mean), changes.map((one) => `${(100 * one).toFixed(1)} %`).join(', ')).toBeLessThan(0.02)
  },
)
