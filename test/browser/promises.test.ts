import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../e2e/world-node.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { CHROMIUM, openPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { enter, type NodeClient } from './node-client.ts'
import { createBrowserStage, NEAR } from './stage.ts'

const OLD_ITEMS = 120

/** A podcast that ended in 2019, oldest first: the highest number is not the newest item. */
function endedPodcast(): string {
  const items = Array.from({ length: OLD_ITEMS }, (_, i) => {
    const published = new Date(Date.UTC(2019, 0, 1 + i, 12)).toUTCString()
    return `<item><guid isPermaLink="false">e-${i}</guid><title>Episode ${i}</title><pubDate>${published}</pubDate></item>`
  })
  return `<rss version="2.0"><channel><title>Ended</title><link>http://x.localhost/</link>${items.join('')}</channel></rss>`
}

describe.skipIf(CHROMIUM === null)(`what pages promise${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let feeds: LocalServer
  let client: NodeClient

  beforeAll(async () => {
    feeds = await startServer((_request, response) => response.end(endedPodcast()))
    client = await stage.openOwned(['--budget', '600/min', ...NEAR])
    await client.call('POST', '/api/sources', { url: feeds.url('/f'), discover: false, categories: ['Talk'] })
    const unread = async () => ((await client.call('GET', '/api/items/unread')) as { all: number }).all
    expect(await eventually(async () => (await unread()) === OLD_ITEMS)).toBe(true)
  })
  afterAll(async () => {
    await stage.close()
    await feeds?.close()
  })

  const open = async (path: string): Promise<Page> => {
    const { page } = await openPage(stage.browser)
    await enter(page, stage.url, client)
    await page.goto(`${stage.url}${path}`)
    return page
  }
  const scopes = (page: Page) => page.getByRole('navigation', { name: 'What to read' })

  it('counts move while reading, all read is all read, and its folder stays', async () => {
    const page = await open('/read?category=Talk')
    await page.getByRole('button', { name: /Episode 119/ }).waitFor()
    await scopes(page).getByText(String(OLD_ITEMS)).first().waitFor()
    await page.keyboard.press('j')
    await scopes(page)
      .getByText(String(OLD_ITEMS - 1))
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Mark all read' }).click()
    const unread = async () => ((await client.call('GET', '/api/items/unread')) as { all: number }).all
    expect(await eventually(async () => (await unread()) === 0)).toBe(true)
    await page.reload()
    await scopes(page).getByText('Talk').waitFor()
    expect(await scopes(page).innerText()).not.toMatch(/\d/)
    await page.context().close()
  })

  it('dates are dates: what was published years ago is not from today', async () => {
    const page = await open('/sources/1')
    await page.getByText(/Newest item: 30 Apr 2019/).waitFor()
    await page.goto(`${stage.url}/new-query`)
    await page.locator('.cm-content').click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText('CREATE FEED all_of_it AS RETURN ALL')
    await page.getByText('30 Apr 2019').first().waitFor()
    await page.getByRole('link', { name: 'Episode 119' }).waitFor()
    await page.context().close()
  })

  it('the overview draws nothing where nothing is known', async () => {
    const page = await open('/')
    await page.getByText('120 items of 1 feed are archived').waitFor()
    const text = await page.locator('main').innerText()
    expect(text).not.toContain('no dated items')
    expect(text).toContain('what was there before is not counted')
    await page.context().close()
  })

  it('a filter that fits nothing says so, and what there is', async () => {
    const page = await open('/sources')
    await page.getByRole('searchbox', { name: 'Filter' }).fill('is:broken')
    await page.getByText('is:failing').last().waitFor()
    await page.getByRole('button', { name: 'Show all sources' }).click()
    await page.getByText('1 of 1 sources').waitFor()
    await page.context().close()
  })

  it('an address without a page says so', async () => {
    const page = await open('/sorces')
    await page.getByRole('heading', { name: 'No such page' }).waitFor()
    await page.getByText('/sorces').waitFor()
    await page.context().close()
  })

  it('settings that the next start could not use are refused, and fixed ones say why', async () => {
    for (const [name, value] of Object.entries({ host: 'not a host', strategy: 'nope', publicUrl: 'ftp://x' })) {
      await expect(client.call('PATCH', '/api/settings', { [name]: value })).rejects.toThrow(/: 400 .*USAGE/)
    }
    const page = await open('/settings/mail')
    await page.getByText(/^Mail server .*it may hold a password/).waitFor()
    await page.context().close()
  })
})
