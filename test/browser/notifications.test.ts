import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../e2e/world-node.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { type PushBrowser, startPushBrowser } from '../support/push-browser.ts'
import { CHROMIUM, openPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { enter, type NodeClient } from './node-client.ts'
import { createBrowserStage, NEAR } from './stage.ts'

interface Listed {
  readonly subscriptions: readonly { readonly id: number; readonly output: { readonly kind: string } }[]
}

describe.skipIf(CHROMIUM === null)(`notifications in this browser${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let feeds: LocalServer
  let client: NodeClient
  let push: PushBrowser
  let items = 1

  beforeAll(async () => {
    feeds = await startServer((_request, response) => {
      const all = Array.from({ length: items }, (_, n) => `<item><guid>${n}</guid><title>Letter ${n}</title></item>`)
      response.end(`<rss version="2.0"><channel><title>Letters</title>${all.join('')}</channel></rss>`)
    })
    push = await startPushBrowser()
    client = await stage.openOwned(NEAR)
    await client.call('POST', '/api/sources', { url: feeds.url('/feed.xml'), discover: false })
    const hasItem = async () => ((await client.call('GET', '/api/items')) as { items: unknown[] }).items.length === 1
    expect(await eventually(hasItem)).toBe(true)
    await client.call('POST', '/api/queries', { text: 'CREATE FEED post AS RETURN ALL;' })
  })
  afterAll(async () => {
    await stage.close()
    await push?.close()
    await feeds?.close()
  })

  const listed = async () => ((await client.call('GET', '/api/subscriptions')) as Listed).subscriptions
  const button = (page: Page) => page.getByRole('button', { name: /in this browser$/ })

  async function openFeedPage(before = '') {
    const opened = await openPage(stage.browser, { serviceWorkers: 'allow', permissions: ['notifications'] })
    if (before !== '') await opened.page.addInitScript(before)
    await enter(opened.page, stage.url, client)
    await opened.page.goto(`${stage.url}/queries/post`)
    await opened.page.evaluate('navigator.serviceWorker.ready')
    await button(opened.page).waitFor()
    return opened
  }

  it('are offered; where the browser reaches no push service it says so, and nothing is subscribed to', async () => {
    const { page, context } = await openFeedPage()
    await button(page).click()
    await page.getByText('The browser cannot subscribe to notifications').waitFor()
    expect(await button(page).textContent()).toBe('Notify me in this browser')
    expect(await listed()).toEqual([])
    await context.close()
  })

  it('reach the worker of the page as the node sends them, and open the item', async () => {
    // Stands for the push service of the browser, which no test reaches: it has an address and keys of our own.
    const own = { endpoint: push.server.url('/push'), keys: push.keys }
    const { page, context } = await openFeedPage(`
      const own = { ...${JSON.stringify(own)}, options: { applicationServerKey: null }, toJSON: () => (${JSON.stringify(own)}), unsubscribe: async () => true }
      let isSubscribed = false
      PushManager.prototype.getSubscription = async () => isSubscribed ? own : null
      PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
        if (!userVisibleOnly || !/^[\\w-]{87}$/.test(applicationServerKey)) throw new Error('not as browsers want it')
        isSubscribed = true
        return own
      }
    `)
    await button(page).click()
    await page.getByRole('button', { name: '✓ Notified in this browser' }).waitFor()
    expect((await listed()).map(({ output }) => output.kind)).toEqual(['webpush'])

    items = 2
    const [source] = ((await client.call('GET', '/api/sources')) as { sources: { id: number }[] }).sources
    await client.call('POST', `/api/sources/${source?.id}/refresh`)
    expect(await eventually(async () => push.notices.length === 1)).toBe(true)
    expect(push.notices[0]).toMatchObject({
      title: 'Letter 1',
      path: expect.stringMatching(/^\/read\?feed=post&item=/),
    })

    await page.reload()
    await deliver(page, JSON.stringify(push.notices[0]))
    const shown =
      'navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) => all.map(({ title }) => title))'
    expect(await eventually(async () => (await page.evaluate<string[]>(shown)).join() === 'Letter 1')).toBe(true)
    const [worker] = context.serviceWorkers()
    await worker?.evaluate(
      "self.registration.getNotifications().then(([notification]) => self.dispatchEvent(new NotificationEvent('notificationclick', { notification })))",
    )
    await page.waitForURL(`${stage.url}${push.notices[0]?.path}`)
    await page.getByRole('heading', { name: 'Letter 1' }).first().waitFor()

    await page.goto(`${stage.url}/deliveries`)
    await page
      .getByText(`a browser, by ${new URL(own.endpoint).host}`)
      .first()
      .waitFor()
    const [subscription] = await listed()
    await client.call('DELETE', `/api/subscriptions/${subscription?.id}`)
    await context.close()
  })

  /** As the push service would: by the browser's own tool for that. */
  async function deliver(page: Page, data: string): Promise<void> {
    const session = await page.context().newCDPSession(page)
    const registered = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [one] = registrations
        if (one !== undefined) resolve(one.registrationId)
      })
    })
    await session.send('ServiceWorker.enable')
    const registrationId = await registered
    await session.send('ServiceWorker.deliverPushMessage', { origin: `${stage.url}/`, registrationId, data })
  }
})
