import { describe, expect, it } from 'vitest'
import { type ArticleRun, type ArticleSetting, runArticleWorld } from '../../lab/live/article-run.ts'
import { extent } from '../support/extent.ts'
import { plainExtractor } from '../support/plain-extractor.ts'

const HOURS = extent(6, 24)
const FEEDS = extent(10, 20)
/** What may be saved up, by default: a quarter of an hour's. */
const BURST_HOURS = 0.25
const FAULT_SHARE = 0.15
/**
 * A site that asks for rest (429, 503) gets it, from its feed as well, which is then read at other moments: over few items chance
 * alone is worth some percent.
 */
const MOST_CHANGE = extent(0.06, 0.02)
/**
 * Guards against starving feeds alone: in hours of ten feeds the change is chance for the most part (1.02 to 1.27 were seen). What it is
 * over several worlds: lab/live/pages-beside.long.test.ts and decision 0113.
 */
const MOST_CHANGE_WITHOUT_ROOM = 0.5

const USUAL: Omit<ArticleSetting, 'pages' | 'budgetPerHour' | 'pageShare'> = {
  ...{ feeds: FEEDS, itemsPerDay: 200, hours: HOURS, faultShare: FAULT_SHARE, seed: 1 },
  openExtractor: plainExtractor,
}
const run = (pages: 'off' | 'fetch', budgetPerHour: number, pageShare: number) =>
  runArticleWorld({ ...USUAL, pages, budgetPerHour, pageShare })

const requestsOf = ({ feedRequests, pageRequests }: ArticleRun) => feedRequests + pageRequests
const sum = (outcomes: ArticleRun['outcomes']) => Object.values(outcomes).reduce((all, count) => all + count, 0)

describe(`${HOURS} hours of a world with article pages`, () => {
  it('leaves items where they were while the budget has room, and asks for each page as often as it has to', async () => {
    const perHour = 60 * FEEDS
    const without = await run('off', perHour, 0.5)
    const withPages = await run('fetch', perHour, 0.5)
    expect(without).toMatchObject({ pageRequests: 0, outcomes: {}, foundByWord: 0 })

    // Those that the last minutes brought may be seen now and not then.
    expect(Math.abs(withPages.items / without.items - 1)).toBeLessThan(0.02)
    expect(Math.abs(withPages.meanDelayMs / without.meanDelayMs - 1)).toBeLessThan(MOST_CHANGE)
    expect(withPages.mostPerHour).toBeLessThanOrEqual(perHour)
    expect(withPages.repeated).toBe(0)

    const { outcomes, items, foundByWord } = withPages
    expect(sum(outcomes)).toBe(items)
    expect(outcomes['article']).toBeGreaterThan((1 - FAULT_SHARE) * 0.95 * items)
    expect(foundByWord).toBe(outcomes['article'])
    const met = ['HTTP_NOT_FOUND', 'HTTP_GONE', 'FETCH_ADDRESS_REFUSED', 'FETCH_REDIRECT_LOOP', 'PAGE_NOT_HTML']
    expect(Object.keys(outcomes)).toEqual(expect.arrayContaining(met))
  })

  it('takes no more than its share where the budget has none to spare; raised by that share, items come as before', async () => {
    const share = 0.2
    const perHour = 5 * FEEDS
    const raised = perHour / (1 - share)
    const without = await run('off', perHour, share)
    const withPages = await run('fetch', raised, share)
    expect(withPages.mostPerHour).toBeLessThanOrEqual(raised)
    expect(requestsOf(withPages)).toBeLessThanOrEqual(raised * (HOURS + BURST_HOURS) + 1)
    expect(withPages.pageRequests).toBeLessThanOrEqual(share * raised * HOURS + 1)
    expect(withPages.pageRequests).toBeGreaterThan(0.8 * share * raised * HOURS)
    expect(withPages.meanDelayMs / without.meanDelayMs).toBeLessThan(1 + MOST_CHANGE_WITHOUT_ROOM)
  })
})
