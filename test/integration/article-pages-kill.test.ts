import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { extent } from '../support/extent.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'

const CHILD = fileURLToPath(new URL('./pages-node.child.ts', import.meta.url))
const KILLS = extent(3, 20)
const FEEDS = 3
/** So many pages are asked for between two kills. */
const PAGES_PER_LIFE = 12
/** All feeds are of one site, of which one page is under way at most. */
const UNDER_WAY = 1
const WINDOW = 10

/** Feeds that show another item every few requests, and a page for each. */
function growingSite(): Promise<LocalServer> {
  const shown = Array.from({ length: FEEDS }, () => WINDOW)
  return startServer((request, response) => {
    const [, feed = '', page = ''] = /^\/(\d+)\/(.*)$/.exec(request.url ?? '') ?? []
    if (request.url === '/robots.txt') return void response.writeHead(404).end()
    if (page !== 'feed') return void response.writeHead(200, { 'content-type': 'text/html' }).end(article(page))
    const last = shown[Number(feed)]!++
    const items = Array.from({ length: WINDOW }, (_, k) => last - k).map(
      (k) =>
        `<item><guid>${k}</guid><title>${k}</title><link>http://${request.headers.host}/${feed}/${k}</link></item>`,
    )
    response.end(`<rss version="2.0"><channel><title>${feed}</title>${items.join('')}</channel></rss>`)
  })
}

function article(page: string): string {
  return `<article>What ${page} says.</article>`
}

describe(`${KILLS} times kill -9 while pages are fetched`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-pages-kill-'))
  const open = () => openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  let site: LocalServer

  beforeAll(async () => {
    site = await growingSite()
    const { store } = await open()
    const urls = Array.from({ length: FEEDS }, (_, k) => site.url(`/${k}/feed`))
    const sources = urls.map((url) => withSourceDefaults({ url, pages: 'fetch' }))
    await store.addSources(sources, systemClock.now())
    await store.close()
  })
  afterAll(async () => {
    await site.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const pageRequests = () => site.requests.map(({ url = '' }) => url).filter((url) => /\/\d+$/.test(url))

  /** Until it has asked for some pages more; then kill -9. */
  async function live(isOver: () => boolean | Promise<boolean>, budget = '60/s'): Promise<void> {
    const child = spawn(process.execPath, ['--import', 'tsx', CHILD, folder, budget], { stdio: 'ignore' })
    const exited = once(child, 'exit')
    try {
      await eventually(async () => child.exitCode !== null || (await isOver()))
      expect(child.exitCode).toBeNull()
    } finally {
      child.kill('SIGKILL')
      await exited
    }
  }

  it('asks for each page once, but for those under way at a kill', async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const before = pageRequests().length
      await live(() => pageRequests().length >= before + PAGES_PER_LIFE)
    }
    const times = new Map<string, number>()
    for (const url of pageRequests()) times.set(url, (times.get(url) ?? 0) + 1)
    const again = [...times.values()].reduce((sum, count) => sum + count - 1, 0)
    expect(Math.max(...times.values())).toBeLessThanOrEqual(1 + KILLS)
    expect(again).toBeLessThanOrEqual(KILLS * UNDER_WAY)
    expect(times.size).toBeGreaterThanOrEqual(KILLS * (PAGES_PER_LIFE - UNDER_WAY))

    const { store } = await open()
    const items = await store.itemsAfter(0, 100_000)
    const pages = await Promise.all(items.map(({ seq }) => store.itemPage(seq)))
    await store.close()
    // No item without a page that is there or still to be fetched, and what was settled was asked for.
    expect(pages.filter((page) => page === null)).toEqual([])
    const settled = pages.filter((page) => page?.dueAt === null)
    expect(settled.filter((page) => page?.failure !== null)).toEqual([])
    expect(settled.filter((page) => !times.has(new URL(page?.url ?? '').pathname))).toEqual([])
    expect(items.filter(({ article: text }) => text !== undefined)).toHaveLength(settled.length)
    expect(settled.length).toBeGreaterThanOrEqual(times.size - UNDER_WAY)
  })
})
