import { expect, it } from 'vitest'
import { plainExtractor } from '../../test/support/plain-extractor.ts'
import { type ArticleRun, type ArticleSetting, runArticleWorld } from './article-run.ts'

const WORLDS = 10
const FEEDS = 20
const HOURS = 24
/** Refreshes have so many an hour, with pages or without. */
const FEEDS_PER_HOUR = 5 * FEEDS
/** As it is by default. */
const PAGE_SHARE = 0.2
/** 2 %, and what chance is worth in the mean of ten worlds: its standard error was 0.4 %. */
const MOST_LATER = 0.024

const percent = (change: number) => `${(100 * change).toFixed(1)} %`
const change = (before: ArticleRun, after: ArticleRun) => after.meanDelayMs / before.meanDelayMs - 1

it('a whole node with pages finds items as soon as one without, where refreshes have what they had and the budget no room', async () => {
  const raised = FEEDS_PER_HOUR / (1 - PAGE_SHARE)
  const changes: number[] = []
  for (let seed = 1; seed <= WORLDS; seed++) {
    const world = {
      feeds: FEEDS,
      itemsPerDay: 200,
      hours: HOURS,
      faultShare: 0.15,
      seed,
      openExtractor: plainExtractor,
    }
    const run = (more: Pick<ArticleSetting, 'pages' | 'budgetPerHour'>) =>
      runArticleWorld({ ...world, ...more, pageShare: PAGE_SHARE })
    const without = await run({ pages: 'off', budgetPerHour: FEEDS_PER_HOUR })
    const withPages = await run({ pages: 'fetch', budgetPerHour: raised })
    changes.push(change(without, withPages))
    expect(withPages.mostPerHour).toBeLessThanOrEqual(raised)
    expect(withPages.repeated).toBe(0)
    // Pages have their share, and refreshes theirs.
    expect(withPages.pageRequests).toBeGreaterThan(0.98 * PAGE_SHARE * raised * HOURS)
    expect(withPages.feedRequests).toBeGreaterThan(0.99 * without.feedRequests)
  }
  const mean = changes.reduce((sum, one) => sum + one, 0) / WORLDS
  expect(mean, changes.map(percent).join(', ')).toBeLessThan(MOST_LATER)
})
