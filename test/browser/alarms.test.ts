import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshFeed } from '../support/fresh-feed.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { CHROMIUM, openPage, type WatchedPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { enter, type NodeClient } from './node-client.ts'
import { createBrowserStage, NEAR } from './stage.ts'

const PAGES = ['Overview', 'Sources', 'Queries', 'Read', 'Settings']

describe.skipIf(CHROMIUM === null)(`alarms in the dashboard${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let site: LocalServer
  let client: NodeClient
  let watched: WatchedPage

  beforeAll(async () => {
    site = await startServer((_, response) => response.end(freshFeed(20, `look${site.requests.length}`)))
    client = await stage.openOwned(['--budget', '6000/min', ...NEAR])
    const settings = { url: site.url('/'), name: 'Spring tide', discover: false, dailyAllowance: 5 }
    await client.call('POST', '/api/sources', { ...settings, intervalMs: 86_400_000 })
    watched = await openPage(stage.browser)
    await enter(watched.page, stage.url, client)
  })
  afterAll(async () => {
    await stage.close()
    await site?.close()
  })

  const alarms = () => watched.page.getByRole('region', { name: 'Alarms' })

  it('are not there while all is well', async () => {
    const { page } = watched
    await page.goto(stage.url)
    await page.getByRole('heading', { name: 'Complete', exact: true }).waitFor()
    expect(await alarms().count()).toBe(0)
  })

  it('come by themselves, once, on every page, with what to do and the figures, and go when it is over', async () => {
    const { page } = watched
    await client.call('PATCH', '/api/settings', { maxData: '1kB' })
    const reached = page.getByText('The data folder has reached maxData; nothing is fetched')
    await reached.waitFor()
    for (const name of PAGES) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.locator('nav a[aria-current=page]:visible', { hasText: name }).waitFor()
      await page.getByText('Loading the page').waitFor({ state: 'detached' })
      expect(await reached.count(), name).toBe(1)
      expect(await reached.isVisible(), name).toBe(true)
      const { y, height } = (await alarms().boundingBox())!
      const below = await page.locator('main > :nth-child(2)').boundingBox()
      expect(below!.y, name).toBeGreaterThan(y + height)
    }
    await alarms().getByText('Raise maxData, or keep less').waitFor()
    await alarms().getByText('of 0.0 MiB are used').waitFor()
    await client.call('PATCH', '/api/settings', { maxData: null })
    await reached.waitFor({ state: 'detached' })
  })
})
