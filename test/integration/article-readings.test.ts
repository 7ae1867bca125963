import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningNode, startNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'

const ENGLISH = 'The glacier moved eleven metres in one week, and the valley watched it with patience. '
const GERMAN = 'Der Gletscher bewegte sich in einer Woche um elf Meter, und das Tal sah ihm mit Geduld zu. '
const FRENCH = 'Le glacier a avancé de onze mètres en une semaine, et la vallée le regardait avec patience. '
const RUSSIAN = 'Ледник сдвинулся за неделю на одиннадцать метров, и долина терпеливо смотрела на него. '
const LONG_TEASER = `What the feed says of it. ${ENGLISH.repeat(12)}`

const paragraphs = (sentence: string) => `<p>${sentence.repeat(5)}</p><p>${sentence.repeat(5)}</p>`
const page = (text: string, head = '', lang = '') =>
  `<!doctype html><html${lang}><head><title>Ice</title>${head}</head><body><article><h1>Ice</h1>${text}</article></body></html>`
const paid = '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>'
const image =
  '<meta property="og:image" content="/lead.jpg"><meta property="og:image:width" content="800"><meta property="og:image:height" content="400">'
const pixel = '<img src="/pixel.gif" width="1" height="1">'

type Answer = (response: ServerResponse, request: IncomingMessage) => void
const html =
  (text: string | Buffer): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text)

/** What the site answers for the page of each item, and what the feed has of it where that is no teaser. */
const PAGES: Readonly<Record<string, { readonly answer: Answer; readonly teaser?: string }>> = {
  lead: { answer: html(page(`${paragraphs(ENGLISH)}${pixel}<p>Below lay marmalade.</p>`, image, ' lang="en"')) },
  short: { answer: html(page(`<p>${ENGLISH.repeat(3)}</p>`)), teaser: LONG_TEASER },
  consent: {
    answer: html(
      page(
        '<p>We use cookies. With your consent our partners store cookies for personalised ads. See our privacy policy about cookies and consent, and more cookies, so that all of it is longer than what the feed has.</p>',
      ),
    ),
    teaser: 'Of consent',
  },
  paywall: {
    answer: html(page(`<p>${ENGLISH.repeat(3)}</p><p class="paywall">Subscribe to continue reading …</p>`, paid)),
    teaser: 'Of money',
  },
  german: { answer: html(page(paragraphs(GERMAN))) },
  french: { answer: html(page(paragraphs(FRENCH), '', ' lang="fr"')) },
  charset: { answer: html(iconv.encode(page(paragraphs(RUSSIAN)), 'windows-1251')) },
  huge: { answer: html(Buffer.alloc(50_000_000, '<p>text</p>')) },
  scripts: { answer: html(`<!doctype html><script>${'x=1;'.repeat(1_000)}</script>`) },
  pdf: { answer: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('%PDF-1.7 and so on') },
  film: {
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 5_000_000_000 }).write('film')
    },
  },
  endless: {
    answer: (response, { url = '' }) =>
      response.writeHead(302, { location: `/endless?${Number(url.split('?')[1] ?? 0) + 1}` }).end(),
  },
  'kept-from-robots': { answer: html(page(paragraphs(ENGLISH))) },
}

/** Ten megabytes, of which the beginning counts (RFC 9309 §2.5). */
const ROBOTS = 'User-agent: *\nDisallow: /kept-from-robots\n'.padEnd(10_000_000, 'Allow: /kept-from-robots/by/nobody\n')

describe('pages as a node is delivered reads them', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-readings-'))
  let site: LocalServer
  let other: LocalServer
  let node: RunningNode

  beforeAll(async () => {
    other = await startServer((request, response) =>
      request.url === '/robots.txt'
        ? response.writeHead(404).end()
        : html(page(paragraphs(ENGLISH)))(response, request),
    )
    site = await startServer((request, response) => {
      const path = (request.url ?? '').slice(1).split('?')[0] ?? ''
      if (path === 'feed') return void response.end(feed(request.headers.host ?? ''))
      if (path === 'robots.txt') return void response.end(ROBOTS)
      const found = PAGES[path]
      if (found === undefined) response.writeHead(404).end()
      else found.answer(response, request)
    })
    const config = loadConfig(
      dataDir,
      { port: 0, allowRange: 'loopback', hostSpacing: '1ms', budget: '100/s', pageShare: 1 },
      {},
    )
    node = await startNode(config, { clock: systemClock, random: seededRandom(1), logger: silentLogger })
    const { store } = node.data
    const save = (name: string, query: string) => {
      const text = `CREATE FEED ${name} AS RETURN ALL ${query};`
      return { kind: 'save-feed', name, title: null, limit: null, text, catchUp: 'from now' } as const
    }
    const feeds = [
      save('whole', 'FULLTEXT'),
      save('german', 'WHERE LANGUAGE = de'),
      save('french', 'WHERE LANGUAGE = fr'),
    ]
    await store.changeQueries(feeds, await store.queryRevision(), systemClock.now())
    const headers = { cookie: 'session=1', 'x-key': '2' }
    await store.addSources([withSourceDefaults({ url: site.url('/feed'), pages: 'fetch', headers })], systemClock.now())
    const isSettled = async () => {
      const items = await store.itemsAfter(0, 100)
      const pages = await Promise.all(items.map(({ seq }) => store.itemPage(seq)))
      return items.length === Object.keys(PAGES).length + 1 && pages.every((one) => one?.dueAt === null)
    }
    expect(await eventually(isSettled)).toBe(true)
  })
  afterAll(async () => {
    await node.stop()
    await Promise.all([site.close(), other.close()])
    rmSync(dataDir, { recursive: true, force: true })
  })

  function feed(host: string): string {
    const items = Object.entries(PAGES).map(([name, { teaser = 'A teaser' }]) =>
      item(name, `http://${host}/${name}`, teaser),
    )
    return `<rss version="2.0"><channel><title>Ice</title>${items.join('')}${item('elsewhere', other.url('/x'), 'A teaser')}</channel></rss>`
  }
  const item = (name: string, link: string, teaser: string) =>
    `<item><guid>${name}</guid><title>${name}</title><link>${link}</link><description>${teaser}</description></item>`

  const itemOf = async (name: string) => (await node.data.store.itemsAfter(0, 100)).find(({ title }) => title === name)!
  const pageOf = async (name: string) => (await node.data.store.itemPage((await itemOf(name)).seq))!
  const shown = async (name: string): Promise<readonly { title: string; content_html: string }[]> =>
    JSON.parse(await (await fetch(`${node.url}/feeds/${name}.json`)).text()).items
  const contentOf = async (name: string) =>
    (await shown('whole')).find(({ title }) => title === name)?.content_html ?? ''

  it('shows the lead image with its size, and no pixel', async () => {
    expect(await eventually(async () => (await contentOf('lead')).includes('marmalade'))).toBe(true)
    const content = await contentOf('lead')
    expect(content).toContain(`src="${site.url('/lead.jpg')}"`)
    expect(content).toMatch(/<img[^>]+width="800"[^>]+height="400"|<img[^>]+height="400"[^>]+width="800"/)
    expect(content).not.toContain('pixel.gif')
  })

  it.each([
    ['short', 'What the feed says of it', null],
    ['consent', 'Of consent', 'consent'],
    ['paywall', 'Of money', 'paywall'],
  ])('leaves what the feed says: %s', async (name, text, wall) => {
    expect((await itemOf(name)).article).toBeUndefined()
    expect(await contentOf(name)).toContain(text)
    expect((await pageOf(name)).facts?.wall).toBe(wall)
  })

  it('says the language, declared or detected, and queries ask for it', async () => {
    expect((await pageOf('french')).facts).toMatchObject({ language: 'fr', languageIs: 'declared' })
    expect((await pageOf('german')).facts).toMatchObject({ language: 'de', languageIs: 'detected' })
    const titles = async (name: string) => (await shown(name)).map(({ title }) => title)
    expect(await eventually(async () => (await titles('german')).includes('german'))).toBe(true)
    expect(await eventually(async () => (await titles('french')).includes('french'))).toBe(true)
    expect(await titles('french')).not.toContain('german')
  })

  it('sends headers and cookies of a source to its own site alone', () => {
    const own = site.requests.filter(({ url }) => url === '/lead')
    expect(own).toHaveLength(1)
    expect(own[0]?.headers).toMatchObject({ cookie: 'session=1', 'x-key': '2' })
    const foreign = other.requests.filter(({ url }) => url === '/x')
    expect(foreign).toHaveLength(1)
    expect(foreign[0]?.headers).not.toHaveProperty('cookie')
    expect(foreign[0]?.headers).not.toHaveProperty('x-key')
  })

  it.each([
    ['huge', 'FETCH_TOO_LARGE'],
    ['scripts', 'PAGE_NO_TEXT'],
    ['pdf', 'PAGE_NOT_HTML'],
    ['film', 'PAGE_NOT_HTML'],
    ['endless', 'FETCH_TOO_MANY_REDIRECTS'],
    ['kept-from-robots', 'PAGE_ROBOTS'],
  ])('gives the item a reason: %s is %s', async (name, code) => {
    expect(await pageOf(name)).toMatchObject({ failure: code, dueAt: null })
    expect((await itemOf(name)).article).toBeUndefined()
  })

  it('reads a page in another charset than it says', async () => {
    expect((await itemOf('charset')).article).toContain('Ледник сдвинулся')
  })
})
