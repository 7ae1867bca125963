import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../e2e/world-node.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { CHROMIUM, openPage, seriousViolations, WITHOUT_CHROMIUM } from './chromium.ts'
import { tooWide } from './in-page.ts'
import { enter, type NodeClient } from './node-client.ts'
import { createBrowserStage, NEAR } from './stage.ts'

const PLAIN_ITEMS = 8

function plainFeed(): string {
  const items = Array.from({ length: PLAIN_ITEMS }, (_, i) => {
    const published = new Date(Date.UTC(2026, 1, 1, 12, i)).toUTCString()
    return `<item><guid isPermaLink="false">plain-${i}</guid><title>Letter ${i}</title><link>http://letters.localhost/${i}</link>
<description>&lt;p&gt;Dear reader, this is the ${i === 3 ? 'walrus' : 'usual'} letter ${i}.&lt;/p&gt;</description><pubDate>${published}</pubDate></item>`
  })
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Letters</title><link>http://letters.localhost/</link><description>x</description>${items.join('')}</channel></rss>`
}

describe.skipIf(CHROMIUM === null)(`reading${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let feeds: LocalServer
  let client: NodeClient

  beforeAll(async () => {
    feeds = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/rss+xml' })
      response.end(plainFeed())
    })
    client = await stage.openOwned(['--budget', '600/min', ...NEAR])
    const url = feeds.url('/plain.xml')
    await client.call('POST', '/api/sources', { url, discover: false, categories: ['Letters'] })
    const isFull = async () => {
      const { items } = (await client.call('GET', '/api/items?limit=500')) as { items: unknown[] }
      return items.length === PLAIN_ITEMS
    }
    expect(await eventually(isFull)).toBe(true)
  })
  afterAll(async () => {
    await stage.close()
    await feeds?.close()
  })

  const current = (page: Page) => page.locator('.items [aria-current=true] .title').textContent()

  it('goes with the keyboard: j, k, s, m, /, A', async () => {
    const { page, complaints, context } = await openPage(stage.browser)
    await enter(page, stage.url, client)
    await page.goto(`${stage.url}/read?category=Letters`)
    await page.getByRole('button', { name: /Letter 7/ }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('article', { name: 'Letter 7' }).getByText('usual letter 7').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.getByRole('article', { name: 'Letter 5' }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('article', { name: 'Letter 6' }).waitFor()
    expect(await current(page)).toContain('Letter 6')
    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'Starred', exact: true }).waitFor()
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Mark read' }).waitFor()
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Keep unread' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('walrus')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /Letter 3/ }).waitFor()
    expect(await page.locator('.items button.item').count()).toBe(1)
    expect(await page.locator('.items mark').allTextContents()).toEqual(['walrus'])
    await page
      .getByRole('status')
      .filter({ hasText: /^1 item/ })
      .waitFor()
    await page.getByRole('link', { name: 'Save as a query feed' }).click()
    await page.getByText('No mistake').waitFor()

    await page.goto(`${stage.url}/read?starred=1`)
    await page.getByRole('button', { name: /Letter 6/ }).waitFor()
    expect(await page.locator('.items button.item').count()).toBe(1)

    await page.goto(`${stage.url}/read?category=Letters&unread=1`)
    await page.getByRole('button', { name: /Letter 0/ }).waitFor()
    expect(await page.locator('.items button.item').count()).toBe(PLAIN_ITEMS - 3)
    await page.keyboard.press('Shift+A')
    await page
      .locator('.items .is-read')
      .nth(PLAIN_ITEMS - 4)
      .waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.items .is-read').first().waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+A')
    await page.getByText('All marked read').waitFor()
    // Whoever leaves the page has not undone it.
    await page.goto(`${stage.url}/read?starred=1`)
    const unread = async () => ((await client.call('GET', '/api/items/unread')) as { all: number }).all
    expect(await eventually(async () => (await unread()) === 0)).toBe(true)
    await page.goto(`${stage.url}/read?category=Letters&unread=1`)
    await page.getByText('All is read, or nothing has come yet.').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('works on a phone: the list, then the item, then back', async () => {
    const { page, complaints, context } = await openPage(stage.browser, {
      viewport: { width: 360, height: 740 },
      isMobile: true,
      hasTouch: true,
    })
    await enter(page, stage.url, client)
    await page.goto(`${stage.url}/read?category=Letters`)
    await page.getByRole('button', { name: /Letter 4/ }).tap()
    await page.getByRole('article', { name: 'Letter 4' }).getByText('usual letter 4').waitFor()
    expect(await page.locator('.items').isVisible()).toBe(false)
    expect(await tooWide(page)).toEqual([])
    expect(await seriousViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'List', exact: true }).tap()
    await page.getByRole('button', { name: /Letter 4/ }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
