import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningNode, startNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import type { Store } from '../../src/store/store.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { plainExtractor } from '../support/plain-extractor.ts'

/** What the site does with the page of each item; its feed has teasers alone. */
const PAGES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/whole': (response) => html(response, '<p>Whole text of marmalade <script>alert(1)</script> and more of it</p>'),
  '/moved': (response) => response.writeHead(302, { location: '/whole?from=moved' }).end(),
  '/leads-to-private': (response) => response.writeHead(302, { location: '/private/x' }).end(),
  '/private/1': (response) => html(response, 'marmalade that no robot may see, and it is a long text'),
  '/short': (response) => html(response, 'no'),
  '/wall': (response) => html(response, 'Subscribe to read all of this about marmalade</article><meta name="wall">'),
  '/paper.pdf': (response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
  '/scripts': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<script>1</script>'),
  '/round': (response) => response.writeHead(302, { location: '/round' }).end(),
  '/gone': (response) => response.writeHead(410).end(),
  '/huge': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('x'.repeat(400_000)),
}

/** Far more than a document may have here; what has to be read of it (RFC 9309 §2.5) stands at its beginning. */
const ROBOTS = 'User-agent: *\nDisallow: /private\n'.padEnd(10_000_000, 'Allow: /private/allowed/by/nobody\n')

function html(response: ServerResponse, article: string): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><article>${article}</article></html>`)
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '').split('?')[0] ?? ''
  if (path === '/robots.txt') return void response.end(ROBOTS)
  const page = PAGES[path]
  if (page !== undefined) return void page(response)
  if (path !== '/feed') return void response.writeHead(404).end()
  const items = Object.keys(PAGES).map(
    (link) => `<item><guid>${link}</guid><title>${link.slice(1)}</title><link>${link}</link>
      <description>A teaser of ${link.slice(1)}</description></item>`,
  )
  const { host } = request.headers
  response.end(`<rss version="2.0"><channel><link>http://${host}/</link>${items.join('')}</channel></rss>`)
}

describe('a node that fetches the pages of items', () => {
  let site: LocalServer
  let node: RunningNode
  let store: Store
  let titles: Map<string, number>
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-pages-'))

  beforeAll(async () => {
    site = await startServer(answer)
    const flags = {
      port: 0,
      allowRange: 'loopback',
      hostSpacing: '1ms',
      budget: '100/s',
      pageShare: 1,
      maxBody: 300_000,
    }
    const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
    node = await startNode(loadConfig(dataDir, flags, {}), environment, { openExtractor: async () => plainExtractor() })
    store = node.data.store
    const feed = (name: string, body: string) => {
      const text = `CREATE FEED ${name} AS ${body};`
      return { kind: 'save-feed', name, title: null, limit: null, text, catchUp: 'from now' } as const
    }
    const only = 'RETURN ALL WHERE CONTENT CONTAINS "marmalade"'
    const feeds = [feed('teasers', only), feed('articles', `${only} FULLTEXT`)]
    await store.changeQueries(feeds, await store.queryRevision(), systemClock.now())
    const source = withSourceDefaults({ url: site.url('/feed'), pages: 'fetch' })
    await store.addSources([source], systemClock.now())
    const waiting = async () => (await store.duePages(Number.MAX_SAFE_INTEGER, { limit: 1 })).length
    await eventually(async () => (await store.counts()).items === Object.keys(PAGES).length && (await waiting()) === 0)
    titles = new Map((await store.itemsAfter(0, 100)).map(({ seq, title }) => [`/${title}`, seq]))
  })
  afterAll(async () => {
    await node.stop()
    await site.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const pageOf = async (path: string) => (await store.itemPage(titles.get(path) ?? 0))!
  const served = async (name: string): Promise<{ items: { content_html: string }[] }> =>
    JSON.parse(await (await fetch(`${node.url}/feeds/${name}.json`)).text())

  it.each([
    ['/whole', null, 200],
    ['/moved', null, 200],
    ['/short', null, 200],
    ['/wall', null, 200],
    ['/private/1', 'PAGE_ROBOTS', null],
    ['/leads-to-private', 'PAGE_ROBOTS', null],
    ['/paper.pdf', 'PAGE_NOT_HTML', 200],
    ['/scripts', 'PAGE_NO_TEXT', 200],
    ['/round', 'FETCH_REDIRECT_LOOP', null],
    ['/gone', 'HTTP_GONE', 410],
    ['/huge', 'FETCH_TOO_LARGE', null],
  ])('%s is settled with %s', async (path, failure, status) => {
    const page = await pageOf(path)
    expect(page).toMatchObject({ failure, dueAt: null, attempts: 1 })
    if (status !== null) expect(page.status).toBe(status)
  })

  it('asks for each page once, for none that robots.txt forbids, and for that file once', () => {
    const paths = site.requests.map(({ url = '' }) => url).filter((url) => url !== '/feed')
    const counts = new Map<string, number>()
    for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1)
    expect([...counts].filter(([path, count]) => count > 1 && path !== '/round')).toEqual([])
    expect(paths.filter((path) => path.startsWith('/private'))).toEqual([])
    expect(counts.get('/robots.txt')).toBe(1)
  })

  it('stores where it was found, and the page as it came', async () => {
    expect((await pageOf('/moved')).finalUrl).toBe(site.url('/whole?from=moved'))
    const body = await store.pageBody(titles.get('/whole') ?? 0)
    expect(gunzipSync(body!).toString()).toContain('<article><p>Whole text')
  })

  it('finds items by words that stand only on their pages, and publishes whole articles where that is wanted', async () => {
    expect(await eventually(async () => (await served('articles')).items.length === 2)).toBe(true)
    expect(await eventually(async () => (await served('teasers')).items.length === 2)).toBe(true)
    const contents = async (name: string): Promise<string[]> =>
      (await served(name)).items.map(({ content_html }) => content_html).sort()
    expect(await eventually(async () => (await contents('articles')).every((text) => text.includes('Whole')))).toBe(
      true,
    )
    expect((await contents('articles')).join()).not.toContain('script')
    expect((await contents('teasers')).every((text) => text.includes('A teaser') && !text.includes('Whole'))).toBe(true)
  })

  it('searches pages, too', async () => {
    const found = await store.items({ scope: { kind: 'all' }, text: 'marmalade', limit: 9 })
    expect(found.map(({ title }) => title).sort()).toEqual(['moved', 'whole'])
  })
})
