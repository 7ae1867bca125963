import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DAY_MS } from '../../src/model/index.ts'
import { readTrace } from '../worlds/trace.ts'
import { calibratedWorld } from './calibrated-world.ts'
import { runPagesAndFeeds } from './pages-and-feeds.ts'

const TRACE = '../shared/traces/rss-2024/trace.csv.gz'
const FEEDS = 60
const DAYS = 3
const WORLDS = 6
/** Refreshes have so many an hour, with pages or without. */
const FEEDS_PER_HOUR = 2 * FEEDS
/** As it is by default. */
const PAGE_SHARE = 0.2

it.skipIf(!existsSync(TRACE))(
  `pages at their usual share leave the delay of items within 2 %, where refreshes have what they had and the budget no room (skipped without ${TRACE})`,
  async () => {
    const trace = await readTrace(TRACE)
    const changes: number[] = []
    for (let seed = 1; seed <= WORLDS; seed++) {
      const world = calibratedWorld(trace, { feeds: FEEDS, days: DAYS, windowSize: 20, seed })
      const perHour = FEEDS_PER_HOUR / (1 - PAGE_SHARE)
      const options = { seed, countedFrom: world.startMs + DAY_MS }
      const without = runPagesAndFeeds(world, { ...options, perHour: FEEDS_PER_HOUR, share: 0 })
      const withPages = runPagesAndFeeds(world, { ...options, perHour, share: PAGE_SHARE })
      expect(withPages.mostPerHour).toBeLessThanOrEqual(perHour)
      expect(withPages.requests).toBeGreaterThan(0.95 * perHour * 24 * DAYS)
      changes.push(withPages.meanDelayMs / without.meanDelayMs - 1)
    }
    const mean = changes.reduce((sum, one) => sum + one, 0) / WORLDS
    expect(Math.abs(mean), changes.map((one) => `${(100 * one).toFixed(1)} %`).join(', ')).toBeLessThan(0.02)
  },
)
