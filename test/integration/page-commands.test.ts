import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { runCommand } from '../support/run-command.ts'

/*
 * Pages without a feed from the command line, over real HTTP: what is suggested can be added as it is printed, and refreshed.
 */

let folder: string
let site: LocalServer
let pages: Record<string, string>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-pages-'))
  pages = {}
  site = await startServer(({ url = '' }, response) => {
    const body = pages[url]
    response.statusCode = body === undefined ? 404 : 200
    response.setHeader('content-type', url.endsWith('.xml') ? 'application/xml' : 'text/html')
    response.end(body ?? 'nothing')
  })
})
afterEach(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

const env = { HEADWATER_HOST_SPACING: '0s', HEADWATER_ALLOW_RANGE: 'loopback' }
const run = (...argv: readonly string[]) => runCommand([...argv, '--data', folder], { env })

async function show(): Promise<Record<string, unknown>> {
  return JSON.parse((await run('source', 'show', '1', '--json')).said)
}

const news = (words: readonly string[]) =>
  `<title>News</title><nav><a href="/">Home</a><a href="/us">About</a></nav><ul class="news">${words
    .map((word, k) => `<li><a href="/${word}">${word} in the north</a> <i>2026-11-0${k + 1}</i></li>`)
    .join('')}</ul>`

it('what is suggested for a page can be added, refreshed and changed', async () => {
  pages['/news'] = news(['ice', 'snow', 'rain'])
  const [best] = JSON.parse(
    (await run('source', 'suggest', site.url('/news'), '--json')).said.replace(/^A new.*\n/, ''),
  ).suggestions
  expect(best).toMatchObject({ itemCount: 3, items: [{ title: 'ice in the north', link: site.url('/ice') }, {}, {}] })
  const printed = (await run('source', 'suggest', site.url('/news'))).said.split('\n')[0] ?? ''
  expect(printed).toMatch(/^headwater source add http\S+ --list /)
  const options = Object.entries<string | null>(best.listing).flatMap(([name, selector]) =>
    selector === null ? [] : [`--${name}`, selector],
  )
  expect(await run('source', 'add', site.url('/news'), ...options)).toMatchObject({
    code: 0,
    said: 'Added source 1: News\n',
  })
  expect((await run('source', 'refresh', '1')).code).toBe(0)
  expect(await show()).toMatchObject({ items: 3, format: 'page', listing: { list: best.listing.list } })

  pages['/news'] = news(['hail', 'ice', 'snow', 'rain'])
  await run('source', 'refresh', '1')
  expect(await show()).toMatchObject({ items: 4 })

  pages['/news'] = '<title>News</title><main>All is new here</main>'
  expect((await run('source', 'refresh', '1')).said).toContain('failing LISTING_EMPTY')
  expect((await run('source', 'set', '1', '--element', 'main')).code).toBe(0)
  expect((await run('source', 'refresh', '1')).code).toBe(0)
  expect(await show()).toMatchObject({ items: 5, listing: { element: 'main' }, status: 'active', saturation: null })
})

it.each([
  ['an invalid selector', ['--list', 'li['], 'SELECTOR_INVALID'],
  ['one that finds nothing', ['--list', '.post'], 'LISTING_EMPTY'],
  ['fields without a list', ['--title', 'b'], 'USAGE'],
  ['both', ['--list', 'li', '--element', 'p'], 'USAGE'],
])('a page is not added with %s', async (_, options, code) => {
  pages['/news'] = news(['ice'])
  const { said } = await run('source', 'add', site.url('/news'), ...options)
  expect(said).toContain(code)
  expect((await run('source', 'list', '--json')).said).toBe('[]\n')
})

it('an index of sitemaps is followed into those that changed last, three at most, and no further', async () => {
  const sitemap = (...paths: readonly string[]) =>
    `<urlset>${paths.map((path) => `<url><loc>${site.url(path)}</loc></url>`).join('')}</urlset>`
  const index = (...paths: readonly string[]) =>
    `<sitemapindex>${paths.map((path) => `<sitemap><loc>${site.url(path)}</loc></sitemap>`).join('')}</sitemapindex>`
  pages = {
    '/sitemap.xml': index('/1.xml', '/more.xml', '/3.xml', '/4.xml'),
    '/1.xml': sitemap('/a', '/b'),
    '/more.xml': index('/1.xml'),
    '/3.xml': sitemap('/c'),
    '/4.xml': sitemap('/d'),
  }
  expect((await run('source', 'add', site.url('/sitemap.xml'))).code).toBe(0)
  expect((await run('source', 'refresh', '1')).code).toBe(0)
  expect(await show()).toMatchObject({ items: 3, format: 'sitemap-index' })
  // The index is the same, and what it names is not.
  pages['/1.xml'] = sitemap('/e', '/a', '/b')
  await run('source', 'refresh', '1')
  expect(await show()).toMatchObject({ items: 4 })
  expect(site.requests.map(({ url }) => url)).not.toContain('/4.xml')
})
