import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, openPage, type WatchedPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { enter } from './node-client.ts'
import { createBrowserStage } from './stage.ts'

describe.skipIf(CHROMIUM === null)(`a page whose code does not come${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let watched: WatchedPage

  beforeAll(async () => {
    const client = await stage.openOwned([])
    watched = await openPage(stage.browser)
    await enter(watched.page, stage.url, client)
  })
  afterAll(() => stage.close())

  /** The first requests for the code of Sources fail, `most` of them; counts them. */
  async function fail(most: number): Promise<{ readonly count: () => number }> {
    let requests = 0
    const { page } = watched
    await page.unrouteAll()
    await page.route('**/sources-page-*.js*', (route) => (++requests > most ? route.continue() : route.abort('failed')))
    await page.goto(`${stage.url}/settings`)
    await page.getByRole('link', { name: 'Sources', exact: true }).click()
    return { count: () => requests }
  }

  it('is asked for again, and shown', async () => {
    const failed = await fail(2)
    await watched.page.getByRole('button', { name: 'Add a source' }).waitFor()
    expect(failed.count()).toBe(3)
  })

  it('says so where it does not come at all; the others are there, and so is this one when it is loaded again', async () => {
    const { page } = watched
    await fail(Number.POSITIVE_INFINITY)
    await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor()
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Sources', exact: true }).click()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Load it again' }).click()
    await page.getByRole('button', { name: 'Add a source' }).waitFor()
  })
})
