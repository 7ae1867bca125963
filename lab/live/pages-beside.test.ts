import { expect, it } from 'vitest'
import { runPagesAndFeeds } from './pages-and-feeds.ts'
import { plannedWorld } from './planned-world.ts'

const FEEDS = 20
const HOURS = 24
const WORLDS = 6
/** Refreshes have so many an hour, with pages or without: more is due than that, all day. */
const FEEDS_PER_HOUR = 5 * FEEDS
const PAGE_SHARE = 0.2
/** One world differs by some percent by chance. More worlds: pages-beside.long.test.ts, and over HTTP pages-over-http.long.test.ts. */
const MOST_CHANGE = 0.02

const worlds = Array.from({ length: WORLDS }, (_, index) => {
  const seed = index + 1
  const world = plannedWorld({ feeds: FEEDS, itemsPerDay: 60, hours: HOURS, seed })
  return { seed, world, countedFrom: world.startMs }
})
const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length

it('pages leave the delay of items where it was, although the budget has no room, and have all of their share', () => {
  const perHour = FEEDS_PER_HOUR / (1 - PAGE_SHARE)
  const changes = worlds.map(({ world, ...options }) => {
    const without = runPagesAndFeeds(world, { ...options, perHour: FEEDS_PER_HOUR, share: 0 })
    const withPages = runPagesAndFeeds(world, { ...options, perHour, share: PAGE_SHARE })
    expect(without.mostPerHour).toBeLessThanOrEqual(FEEDS_PER_HOUR)
    expect(withPages.mostPerHour).toBeLessThanOrEqual(perHour)
    expect(withPages.requests).toBeGreaterThan(0.98 * perHour * HOURS)
    expect(withPages.pages).toBeGreaterThan(0.95 * perHour * PAGE_SHARE * HOURS)
    return withPages.meanDelayMs / without.meanDelayMs - 1
  })
  expect(Math.abs(mean(changes)), changes.map((one) => `${(100 * one).toFixed(1)} %`).join(', ')).toBeLessThan(
    MOST_CHANGE,
  )
})

it('items come a sixth sooner than if a whole burst were saved up while the hour is full', () => {
  const gains = worlds.map(({ world, ...options }) => {
    const run = { ...options, perHour: FEEDS_PER_HOUR, share: 0 }
    const burst = runPagesAndFeeds(world, { ...run, savedPerSource: FEEDS_PER_HOUR })
    return 1 - runPagesAndFeeds(world, run).meanDelayMs / burst.meanDelayMs
  })
  expect(mean(gains)).toBeGreaterThan(1 / 6)
})
