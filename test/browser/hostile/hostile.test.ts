import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileJsonFeed, rssFeed } from '../../../lab/attack/hostile/feeds.ts'
import { allVectors } from '../../../lab/attack/hostile/index.ts'
import type { Vector } from '../../../lab/attack/hostile/vector.ts'
import {
  type GuardedPage,
  notInert,
  openGuardedPage,
  readAll,
  takeIncidents,
} from '../../../lab/attack/hostile/watch.ts'
import { eventually } from '../../e2e/world-node.ts'
import { extent } from '../../support/extent.ts'
import { type LocalServer, startServer } from '../../support/local-server.ts'
import { CHROMIUM, WITHOUT_CHROMIUM } from '../chromium.ts'
import { enter, type NodeClient } from '../node-client.ts'
import { createBrowserStage, NEAR } from '../stage.ts'
import { handlersOf, opmlOf } from './given.ts'

const CORPUS = join(import.meta.dirname, '../../../../shared/corpora/feedparser/tests/wellformed/sanitize')
const HAS_CORPUS = existsSync(CORPUS)
const WITHOUT_CORPUS = HAS_CORPUS ? '' : ' (skipped: there is no ../shared/corpora/feedparser)'
/** Payloads of another list, one a line: HOSTILE_LIST=payloads.txt. */
const GIVEN = process.env['HOSTILE_LIST']
const PER_FEED = 60
/** Of the feeds, those that are read as a node gives them, and those whose vectors the page gets as they came. */
const READ_EVERY = extent(4, 1)
const RAW_EVERY = extent(10, 1)
/** In which a page has got what it requested. */
const SETTLED_MS = 400

interface HostileFeed {
  readonly path: string
  readonly category: string
  readonly vectors: readonly Vector[]
}

describe.skipIf(CHROMIUM === null)(`content of strangers${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  const files = HAS_CORPUS ? readdirSync(CORPUS).filter((name) => /^(?!acceptable_).*\.xml$/.test(name)) : []
  let hostile: readonly HostileFeed[] = []
  let server: LocalServer
  let client: NodeClient
  let guarded: GuardedPage

  beforeAll(async () => {
    client = await stage.openOwned([
      '--budget',
      '60000/min',
      '--host-concurrency',
      '16',
      '--feed-items',
      '500',
      ...NEAR,
    ])
    hostile = await hostileFeeds(stage.browser)
    server = await startServer((request, response) => {
      const path = request.url ?? ''
      const feed = hostile.find((one) => one.path === path)
      const type = path.endsWith('.json') ? 'application/feed+json' : 'application/xml'
      const isThere = feed !== undefined || files.includes(path.slice(1))
      response.writeHead(isThere ? 200 : 404, { 'content-type': `${type}; charset=utf-8` })
      response.end(feed ? document(feed) : isThere ? readFileSync(join(CORPUS, path.slice(1))) : '')
    })
    await client.call('POST', '/api/opml', opmlOf(sourcesOf(hostile, files, server)))
    const text = 'CREATE FEED evil TITLE "<img src=x onerror=pwned()>" AS RETURN ALL WHERE ITEM CONTAINS "herring";'
    const expected = hostile.reduce((sum, { vectors }) => sum + vectors.length, 0)
    expect(await eventually(async () => (await countItems(client, hostile)) === expected)).toBe(true)
    await client.call('POST', '/api/queries', { text })
    guarded = await openGuardedPage(stage.browser, stage.url)
    await enter(guarded.page, stage.url, client)
  })
  afterAll(async () => {
    await stage.close()
    await server?.close()
  })

  it('would be seen if it were not inert', async () => {
    const { page } = guarded
    await page.goto(`${stage.url}/read`)
    await page.locator('.items button.item').first().waitFor()
    const planted =
      '<article><div class="content"><a href="javascript:1" onclick="x" id="root">x</a><svg></svg></div></article>'
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('afterbegin', ${JSON.stringify(planted)})`)
    const found = (await notInert(page)).join('\n')
    for (const what of ['attribute onclick', 'attribute id', 'address', 'link', 'element'])
      expect(found).toContain(what)
  })

  it('is inert in the reader, as the node gives it', async () => {
    const { page } = guarded
    const wrong: Record<string, unknown> = {}
    for (const { category, vectors } of hostile.filter((_, i) => i % READ_EVERY === 0)) {
      await page.goto(`${stage.url}/read?category=${encodeURIComponent(category)}`)
      await page.locator('.items button.item').first().waitFor()
      const read = await readAll(page, vectors.length)
      const found = takeIncidents(guarded)
      if (read.count !== vectors.length || Object.keys(read.wrong).length > 0 || found.length > 0)
        wrong[category] = { ...read, of: vectors.length, found }
    }
    expect(wrong).toEqual({})
  })

  it('is inert by the page alone, if the node gave it as it came', async () => {
    const raw = await openGuardedPage(stage.browser, stage.url)
    const { page, context } = raw
    await enter(page, stage.url, client)
    const tried = hostile.filter((_, i) => i % RAW_EVERY === 0)
    const all = tried.flatMap(({ vectors }) => vectors)
    let count = 0
    await page.route(/\/api\/items\/\d+$/, (route) => {
      const { name = '', html = '' } = all[count++] ?? {}
      return route.fulfill({ json: rawItem(Number(/\d+$/.exec(route.request().url())?.[0]), name, html) })
    })
    const wrong: Record<string, unknown> = {}
    for (const { category, vectors } of tried) {
      await page.goto(`${stage.url}/read?category=${encodeURIComponent(category)}`)
      await page.locator('.items button.item').first().waitFor()
      const read = await readAll(page, vectors.length)
      const found = takeIncidents(raw)
      if (read.count !== vectors.length || Object.keys(read.wrong).length > 0 || found.length > 0)
        wrong[category] = { ...read, of: vectors.length, found }
    }
    expect(wrong).toEqual({})
    expect(count).toBe(all.length)
    await context.close()
  })

  it('is inert in every page that shows names, titles or excerpts', async () => {
    const { page } = guarded
    const wrong: Record<string, string[]> = {}
    const look = async (path: string) => {
      const found = [...(await notInert(page)), ...takeIncidents(guarded)]
      if (found.length > 0) wrong[path] = found
    }
    const sources = ['/sources/1', '/sources/2', `/sources/${hostile.length}`]
    const pages = ['/', '/sources', ...sources, '/queries', '/queries/evil', '/read', '/read?text=herring']
    for (const path of [
      ...pages,
      '/read?feed=evil',
      '/subscriptions',
      '/settings',
      '/settings/you',
      '/settings/publishing',
      '/lab',
      '/welcome',
      '/feeds',
    ]) {
      await page.goto(`${stage.url}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForTimeout(SETTLED_MS)
      await look(path)
    }
    await page.goto(`${stage.url}/new-query`)
    await page.getByRole('textbox', { name: 'Query' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('CREATE FEED seen AS RETURN ALL WHERE ITEM CONTAINS "herring";')
    await page.getByRole('heading', { name: 'By source' }).waitFor()
    await look('the preview of a query')
    expect(wrong).toEqual({})
  })

  it.skipIf(!HAS_CORPUS)(`of the sanitiser's cases of feedparser is inert in the reader${WITHOUT_CORPUS}`, async () => {
    const { page } = guarded
    const list = (await client.call('GET', '/api/items?category=Corpus&limit=500')) as { items: unknown[] }
    const items = list.items.length
    // Some hold a feed without items.
    expect(items).toBeGreaterThan(0.5 * files.length)
    await page.goto(`${stage.url}/read?category=Corpus`)
    await page.locator('.items button.item').first().waitFor()
    const read = await readAll(page, items)
    expect({ ...read, found: takeIncidents(guarded) }).toEqual({ count: items, wrong: {}, found: [] })
    await page.goto(`${stage.url}/sources`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect([...(await notInert(page)), ...takeIncidents(guarded)]).toEqual([])
  })
})

/** The vectors in feeds of many items, in two formats; names of feeds and categories are hostile too. */
async function hostileFeeds(browser: Browser): Promise<readonly HostileFeed[]> {
  const page = await browser.newPage()
  const vectors = [...allVectors(await handlersOf(page)), ...givenVectors()]
  await page.close()
  return Array.from({ length: Math.ceil(vectors.length / PER_FEED) }, (_, i) => ({
    path: `/hostile-${i}.${i % 2 === 0 ? 'json' : 'xml'}`,
    category: `Hostile "><img src=x onerror=pwned()> ${i}`,
    vectors: vectors.slice(i * PER_FEED, (i + 1) * PER_FEED),
  }))
}

function givenVectors(): readonly Vector[] {
  if (GIVEN === undefined) return []
  const lines = readFileSync(GIVEN, 'utf8').split('\n')
  return lines.flatMap((html, i) => (html.trim() === '' ? [] : [{ name: `line ${i + 1}`, html }]))
}

function document({ path, vectors }: HostileFeed): string {
  const title = `Evil <script>pwned()</script><img src=x onerror=pwned()> ${path}`
  return path.endsWith('.json') ? hostileJsonFeed(title, vectors) : rssFeed(title, vectors)
}

function sourcesOf(hostile: readonly HostileFeed[], files: readonly string[], server: LocalServer) {
  return [
    ...hostile.map(({ path, category }) => ({ url: server.url(path), category })),
    ...files.map((name) => ({ url: server.url(`/${name}`), category: 'Corpus' })),
  ]
}

async function countItems(client: NodeClient, hostile: readonly HostileFeed[]): Promise<number> {
  const { sources } = (await client.call('GET', '/api/sources?limit=1000&text=hostile-')) as {
    sources: { items: number }[]
  }
  return sources.length < hostile.length ? 0 : sources.reduce((sum, { items }) => sum + items, 0)
}

function rawItem(seq: number, name: string, html: string): object {
  return {
    ...{
      seq,
      sourceId: 1,
      sourceName: html.slice(0, 200),
      title: `${name} ${html.slice(0, 200)}`,
      link: 'javascript:pwned()',
    },
    ...{ authors: [html.slice(0, 200)], sortAt: 0, published: 0, firstSeenAt: 0, changedAt: null, excerpt: html },
    ...{ isRead: true, isStarred: false, html, language: null, categories: [html.slice(0, 200)], feeds: ['evil'] },
    ...{ commentsUrl: 'javascript:pwned()', enclosures: [{ url: 'javascript:pwned()', type: 'x', lengthBytes: 1 }] },
  }
}
