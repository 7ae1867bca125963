import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../e2e/world-node.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { type ReverseProxy, startReverseProxy } from '../support/reverse-proxy.ts'
import { CHROMIUM, openPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { type NodeClient, OWNER } from './node-client.ts'
import { createBrowserStage, NEAR } from './stage.ts'

const FEED = `<rss version="2.0"><channel><title>Letters</title><link>http://letters.example/</link>${[1, 2, 3]
  .map((n) => `<item><guid>${n}</guid><title>Letter ${n}</title><description>Text ${n}</description></item>`)
  .join('')}</channel></rss>`

/** Also where the Google Reader API begins: nothing may be taken off twice. */
const PATH = '/reader'

describe.skipIf(CHROMIUM === null)(`a node below a path of its host, behind a proxy${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let feeds: LocalServer
  let proxy: ReverseProxy
  let client: NodeClient
  let base: string

  beforeAll(async () => {
    feeds = await startServer((_request, response) => void response.end(FEED))
    proxy = await startReverseProxy(PATH, () => stage.url)
    base = proxy.url(PATH)
    client = await stage.openOwned([...NEAR, '--public-url', `${base}/`, '--trust-proxy', 'loopback'])
    await client.call('POST', '/api/sources', { url: feeds.url('/feed.xml'), discover: false })
    const isFull = async () => ((await client.call('GET', '/api/items')) as { items: unknown[] }).items.length === 3
    expect(await eventually(isFull)).toBe(true)
    await client.call('POST', '/api/queries', { text: 'CREATE FEED post AS RETURN ALL;' })
  })
  afterAll(async () => {
    await stage.close()
    await proxy?.close()
    await feeds?.close()
  })

  it('shows its dashboard there: log-in, pages, reloads, the app, without one request beyond the path', async () => {
    const { page, context, complaints } = await openPage(stage.browser, { serviceWorkers: 'allow' })
    await page.goto(`${base}/`)
    await page.getByLabel('Name', { exact: true }).fill(OWNER.name)
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('link', { name: 'Sources', exact: true }).first().click()
    await page.waitForURL(`${base}/sources`)
    await page.getByRole('link', { name: 'Letters' }).first().click()
    await page.waitForURL(/\/reader\/sources\/\d+$/)
    await page.reload()
    await page.getByRole('heading', { name: 'Letters' }).first().waitFor()
    await page.goto(`${base}/read`)
    await page.getByRole('button', { name: /Letter 2/ }).click()
    await page.getByText('Text 2').first().waitFor()
    const scope = await page.evaluate<string>('navigator.serviceWorker.ready.then(({ scope }) => scope)')
    expect(scope).toBe(`${base}/`)
    const session = (await context.cookies()).filter(({ name }) => name === 'headwater_session')
    expect(session.map(({ path }) => path)).toEqual([PATH])

    await page.reload()
    await page.getByRole('button', { name: /Letter 2/ }).waitFor()
    await context.setOffline(true)
    await page.goto(`${base}/read`)
    await page.getByRole('button', { name: /Letter 2/ }).waitFor()
    await context.setOffline(false)
    await context.close()
    // Browsers ask the host for this by themselves.
    expect(proxy.strays.filter((line) => line !== 'GET /favicon.ico')).toEqual([])
    expect(complaints.filter((line) => !line.includes('ERR_INTERNET_DISCONNECTED') && !line.includes('401'))).toEqual(
      [],
    )
  })

  it('names addresses that work: feeds, hub, manifest, redirects, the description of the API', async () => {
    const atom = await (await fetch(`${base}/feeds/post.atom`)).text()
    expect(atom).toContain(`${base}/feeds/post.atom`)
    expect(/<link [^>]*rel="hub"[^>]*>/.exec(atom)?.[0]).toContain(`href="${base}/hub"`)
    // It is there: what is missing is said, not that the address is unknown.
    expect((await fetch(`${base}/hub`, { method: 'POST', body: new URLSearchParams({}) })).status).toBe(400)
    const ready = await fetch(`${base}/ready`, { redirect: 'manual' })
    expect(new URL(ready.headers.get('location') ?? '', `${base}/ready`).href).toBe(`${base}/api/health`)
    const manifest = await fetch(`${base}/manifest.webmanifest`)
    const { start_url: start, scope } = (await manifest.json()) as { start_url: string; scope: string }
    expect([start, scope].map((one) => new URL(one, manifest.url).href)).toEqual([`${base}/read`, `${base}/`])
    const openApi = (await (await fetch(`${base}/api/openapi.json`)).json()) as { servers: { url: string }[] }
    expect(openApi.servers[0]?.url).toBe(base)
  })

  it('lets reader apps in, by all their doors', async () => {
    const { secret } = (await client.call('POST', '/api/tokens', { label: 'phone', scope: 'app' })) as {
      secret: string
    }
    const greader = async (door: string) => {
      const logIn = new URLSearchParams({ Email: OWNER.name, Passwd: secret })
      const answer = await fetch(`${door}/accounts/ClientLogin`, { method: 'POST', body: logIn })
      const auth = /Auth=(.+)/.exec(await answer.text())?.[1] ?? ''
      const headers = { authorization: `GoogleLogin auth=${auth}` }
      const list = await fetch(`${door}/reader/api/0/subscription/list?output=json`, { headers })
      return ((await list.json()) as { subscriptions: { title: string }[] }).subscriptions.map(({ title }) => title)
    }
    expect(await greader(base)).toContain('Letters')
    expect(await greader(`${base}/api/greader.php`)).toContain('Letters')
    const entries = await fetch(`${base}/v1/entries`, { headers: { 'x-auth-token': secret } })
    expect(((await entries.json()) as { total: number }).total).toBe(3)
  })

  it('is still there at its own address, for who sits at the machine', async () => {
    const { page, context } = await openPage(stage.browser)
    await page.goto(`${stage.url}/`)
    await page.getByLabel('Name', { exact: true }).waitFor()
    await context.close()
    const answer = await fetch(`${stage.url}/api/session`, {
      method: 'POST',
      headers: { 'x-headwater': '1', 'content-type': 'application/json' },
      body: JSON.stringify(OWNER),
    })
    expect(answer.headers.get('set-cookie')).toContain('Path=/;')
  })
})
