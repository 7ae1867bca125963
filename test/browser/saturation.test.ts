import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLEAN_HABITS, type FeedPlan } from '../../lab/worlds/feed-plan.ts'
import { startWorld, type World } from '../../lab/worlds/server.ts'
import { CHROMIUM, openPage, seriousViolations, type WatchedPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { enter, type NodeClient } from './node-client.ts'
import { createBrowserStage, NEAR } from './stage.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** An item every virtual minute, in a window of five. */
const BUSY: FeedPlan = {
  title: 'Busy harbour',
  category: 'Ships',
  publication: { kind: 'constant', intervalMs: MINUTE_MS },
  windowItems: 5,
  habits: CLEAN_HABITS,
  fault: null,
  headlines: null,
}

describe.skipIf(CHROMIUM === null)(`a source that publishes faster than it is refreshed${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let world: World
  let client: NodeClient
  let watched: WatchedPage

  beforeAll(async () => {
    world = await startWorld({ feeds: [BUSY], seed: 1, speed: 0 })
    client = await stage.openOwned(['--budget', '6000/min', '--min-interval', '30s', '--max-interval', '7d', ...NEAR])
    await client.call('POST', '/api/sources', { url: world.feedUrl(0), name: 'Busy harbour', intervalMs: 24 * HOUR_MS })
    watched = await openPage(stage.browser)
    await enter(watched.page, stage.url, client)
  })
  afterAll(async () => {
    await stage.close()
    await world?.close()
  })

  it('is calm at first', async () => {
    const { page } = watched
    await page.goto(`${stage.url}/sources/1`)
    await page.getByRole('heading', { name: 'Busy harbour' }).waitFor()
    await page.locator('.state.good', { hasText: 'Works well' }).waitFor()
  })

  it('is shown in red when nothing in the feed is known any more, with what is lost', async () => {
    const { page } = watched
    world.advance(HOUR_MS)
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('Saturated: items were lost').waitFor()
    await page.locator('.state.bad', { hasText: 'Too fast: items were lost' }).first().waitFor()
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    const trouble = page.locator('section', { has: page.getByRole('heading', { name: 'Need you' }) }).last()
    await trouble.getByText('Too fast: items were lost').waitFor()
    await page.getByRole('link', { name: 'Sources', exact: true }).click()
    const line = page.locator('.source-table .line')
    await line.locator('.state.bad', { hasText: 'Too fast: items were lost' }).waitFor()
    expect(await line.getAttribute('data-condition')).toBe('saturated')
    expect(await seriousViolations(page)).toEqual([])
  })

  it('recovers when it is refreshed in time', async () => {
    const { page } = watched
    await page.goto(`${stage.url}/sources/1`)
    world.advance(2 * MINUTE_MS)
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.locator('.state.good', { hasText: 'Works well' }).waitFor()
    await page.getByText(/It lost items .*, and has recovered since/).waitFor()
    expect(watched.complaints).toEqual([])
  })
})
