import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../e2e/world-node.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { CHROMIUM, openPage, seriousViolations, WITHOUT_CHROMIUM } from './chromium.ts'
import { enter, type NodeClient } from './node-client.ts'
import { createBrowserStage, NEAR } from './stage.ts'

const ITEMS = 24
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="teal"/></svg>'

/** Talks with a picture each, the last two with something to hear and to see. */
function talks(base: string): string {
  const items = Array.from({ length: ITEMS }, (_, i) => {
    const published = new Date(Date.UTC(2026, 1, 1, 12, i)).toUTCString()
    const media =
      i === ITEMS - 1
        ? `<enclosure url="${base}/a.wav" type="audio/wav" length="4000"/>`
        : i === ITEMS - 2
          ? `<enclosure url="${base}/v.mp4" type="video/mp4" length="9000"/>`
          : ''
    return `<item><guid isPermaLink="false">t-${i}</guid><title>Talk ${i}</title><link>${base}/${i}</link>${media}
<media:thumbnail url="${base}/p.svg"/><description>&lt;p&gt;About ${i % 2 === 0 ? 'walruses' : 'seals'}.&lt;/p&gt;</description><pubDate>${published}</pubDate></item>`
  })
  return `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Talks</title><link>${base}/</link>${items.join('')}</channel></rss>`
}

describe.skipIf(CHROMIUM === null)(`what is read, heard and seen in Read${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  const asked: string[] = []
  let site: LocalServer
  let client: NodeClient

  beforeAll(async () => {
    site = await startServer((request, response) => {
      asked.push(request.url ?? '')
      if (request.url === '/feed.xml') return response.end(talks(site.url('')))
      response.setHeader('content-type', request.url === '/p.svg' ? 'image/svg+xml' : 'application/octet-stream')
      return response.end(request.url === '/p.svg' ? PICTURE : 'none')
    })
    client = await stage.openOwned(['--budget', '600/min', ...NEAR])
    await client.call('POST', '/api/sources', { url: site.url('/feed.xml'), discover: false, categories: ['Talks'] })
    expect(await eventually(async () => (await unread()) === ITEMS)).toBe(true)
  })
  afterAll(async () => {
    await stage.close()
    await site?.close()
  })

  const unread = async () => ((await client.call('GET', '/api/items/unread')) as { all: number }).all
  const shownTitles = (page: Page) => page.locator('.items button.item .title').allTextContents()
  const openRead = async (path: string) => {
    const opened = await openPage(stage.browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    await enter(opened.page, stage.url, client)
    await opened.page.goto(`${stage.url}${path}`)
    await opened.page.locator('.items button.item').first().waitFor()
    return opened
  }

  it('plays audio in a bar that stays while one reads on, and loads a video by a click alone', async () => {
    const { page, context } = await openRead('/read?category=Talks')
    await page.keyboard.press('j')
    await page.getByRole('button', { name: /^Listen/ }).click()
    const player = page.getByRole('region', { name: 'Player' })
    await player.getByText(`Talk ${ITEMS - 1}`).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('article', { name: `Talk ${ITEMS - 2}` }).waitFor()
    expect(await player.isVisible()).toBe(true)
    const video = page.getByRole('button', { name: /^Play the video from/ })
    await video.waitFor()
    expect(asked).not.toContain('/v.mp4')
    expect(await seriousViolations(page)).toEqual([])
    await video.click()
    expect(await eventually(async () => asked.includes('/v.mp4'))).toBe(true)
    await player.getByRole('button', { name: 'Close the player' }).click()
    await player.waitFor({ state: 'detached' })
    await context.close()
  })

  it('shows pictures and icons, copies the address, names the folder of each feed', async () => {
    const { page, complaints, context } = await openRead('/read?category=Talks')
    expect(await page.locator('.items .thumbnail img').count()).toBeGreaterThan(5)
    const folders = page.getByRole('navigation', { name: 'What to read' })
    await folders.getByRole('link', { name: /Talks/ }).last().waitFor()
    expect(await folders.locator('details[open] .monogram').count()).toBe(1)
    await page.keyboard.press('j')
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(site.url(`/${ITEMS - 1}`))
    expect(complaints).toEqual([])
    await context.close()
  })

  it('orders and packs the list as chosen, and remembers it', async () => {
    const { page, context } = await openRead('/read?category=Talks')
    const height = async () => (await page.locator('.items button.item').nth(3).boundingBox())?.height ?? 0
    const usual = await height()
    expect((await shownTitles(page))[0]).toContain(`Talk ${ITEMS - 1}`)
    await page.getByRole('button', { name: 'How to show it' }).click()
    await page.getByText('Headlines').click()
    expect(await eventually(async () => (await height()) < usual)).toBe(true)
    await page.getByText('Oldest first').click()
    expect(await eventually(async () => (await shownTitles(page))[0]?.endsWith('Talk 0') ?? false)).toBe(true)
    await page.reload()
    await page.locator('.items button.item').first().waitFor()
    expect((await shownTitles(page)).at(0)).toContain('Talk 0')
    expect(await shownTitles(page)).toHaveLength(ITEMS)
    await context.close()
  })

  it('counts what a search finds, and marks its words in the list and in the article', async () => {
    const { page, context } = await openRead('/read?category=Talks&text=walruses')
    await page
      .getByRole('status')
      .filter({ hasText: `${ITEMS / 2} items` })
      .waitFor()
    await page.keyboard.press('j')
    await page.locator('article .content mark').getByText('walruses').waitFor()
    await context.close()
  })

  it('marks what is scrolled past as read, where one wishes it', async () => {
    const { page, context } = await openRead('/read?category=Talks')
    const before = await unread()
    const scroll = () => page.locator('.items').evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
    await scroll()
    await page.locator('.items').evaluate((list) => list.scrollTo({ top: 0 }))
    await page.getByRole('button', { name: 'How to show it' }).click()
    await page.getByLabel('What I scroll past is read').check()
    expect(await unread()).toBe(before)
    await scroll()
    expect(await eventually(async () => (await unread()) < before)).toBe(true)
    await context.close()
  })
})
