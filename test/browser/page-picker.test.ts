import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { CHROMIUM, openPage, seriousViolations, type WatchedPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { enter } from './node-client.ts'
import { createBrowserStage, NEAR } from './stage.ts'

const ROWS = ['Ice', 'Snow', 'Rain'].map(
  (word, k) => `<li><a href="/${k}">${word} in the north, again</a> <i class="day">2026-11-0${k + 1}</i></li>`,
)
const PAGE = `<!doctype html><title>The north</title><ul class="news">${ROWS.join('')}</ul><p id="state">All is calm</p>`

describe.skipIf(CHROMIUM === null)(`a page without a feed${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let site: LocalServer
  let watched: WatchedPage

  beforeAll(async () => {
    site = await startServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE))
    const client = await stage.openOwned(['--budget', '600/min', ...NEAR])
    watched = await openPage(stage.browser)
    await enter(watched.page, stage.url, client)
  })
  afterAll(async () => {
    await stage.close()
    await site?.close()
  })

  it('shows its lists, what selectors find while they are typed, and follows it', async () => {
    const { page, complaints } = watched
    await page.goto(`${stage.url}/sources`)
    await page.getByRole('button', { name: 'Add a source' }).click()
    await page.getByLabel('Address of a site or feed').fill(site.url('/news'))
    await page.getByRole('button', { name: 'It has no feed' }).click()
    await page.getByRole('button', { name: 'Take this list' }).first().click()
    const preview = page.getByRole('status', { name: 'Preview' })
    await preview.getByText('3 items found').waitFor()
    await page.getByLabel('Items', { exact: true }).fill('ul.news > li:first-child')
    await preview.getByText('1 item found').waitFor()
    expect(await seriousViolations(page)).toEqual([])
    await page.getByLabel('Items', { exact: true }).fill('ul.news > li')
    await preview.getByText('3 items found').waitFor()
    await page.getByRole('button', { name: 'Follow the page' }).click()
    await page.getByText('The north').first().waitFor()
    // One request for all that was tried, one for the refresh, which may have begun.
    expect(site.requests.length).toBeLessThanOrEqual(2)
    expect(complaints).toEqual([])
  })
})
