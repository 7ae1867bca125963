import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../e2e/world-node.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { CHROMIUM, openPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { enter, type NodeClient } from './node-client.ts'
import { createBrowserStage, NEAR } from './stage.ts'

const FEED = `<rss version="2.0"><channel><title>Letters</title>${[1, 2, 3]
  .map(
    (n) => `<item><guid>${n}</guid><title>Letter ${n}</title><description>The text of letter ${n}</description></item>`,
  )
  .join('')}</channel></rss>`

describe.skipIf(CHROMIUM === null)(`without the node${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let feeds: LocalServer
  let client: NodeClient

  beforeAll(async () => {
    feeds = await startServer((_request, response) => void response.end(FEED))
    client = await stage.openOwned(NEAR)
    await client.call('POST', '/api/sources', { url: feeds.url('/feed.xml'), discover: false })
    const isFull = async () => ((await client.call('GET', '/api/items')) as { items: unknown[] }).items.length === 3
    expect(await eventually(isFull)).toBe(true)
  })
  afterAll(async () => {
    await stage.close()
    await feeds?.close()
  })

  it('a page that is loaded again shows the last items; after the log-out it shows nothing of them', async () => {
    const { page, context } = await openPage(stage.browser, { serviceWorkers: 'allow' })
    await enter(page, stage.url, client)
    await page.goto(`${stage.url}/read`)
    await page.evaluate('navigator.serviceWorker.ready')
    // The first load was not the worker's.
    await page.reload()
    await page.getByRole('button', { name: /Letter 2/ }).waitFor()

    await context.setOffline(true)
    await page.reload()
    await page.getByRole('button', { name: /Letter 2/ }).waitFor()
    await page.getByRole('button', { name: /Letter 3/ }).waitFor()

    await context.setOffline(false)
    await page.evaluate(`fetch('/api/session', { method: 'DELETE', headers: { 'x-headwater': '1' } })`)
    const kept = `caches.open('answers-1').then((cache) => cache.keys()).then((keys) => keys.filter(({ url }) => url.includes('/api/items')).length)`
    expect(await eventually(async () => (await page.evaluate<number>(kept)) === 0)).toBe(true)
    await context.close()
  })

  it('can be installed, and is handed pages by other apps', async () => {
    const manifest = JSON.parse(await (await fetch(`${stage.url}/manifest.webmanifest`)).text())
    expect(manifest).toMatchObject({
      display: 'standalone',
      share_target: { action: 'sources', params: { url: 'add' } },
    })
    for (const { src, type } of manifest.icons) {
      const icon = await fetch(new URL(src, `${stage.url}/manifest.webmanifest`))
      expect([icon.status, icon.headers.get('content-type')]).toEqual([200, type])
    }
  })
})
