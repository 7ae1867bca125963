import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningNode, startNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { plainExtractor } from '../support/plain-extractor.ts'

/** A feed whose source asks for no pages; what its query feeds wish decides. */
describe('query feeds that want the pages of their items', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-wishes-'))
  let site: LocalServer
  let node: RunningNode
  let titles: string[] = ['one', 'other']
  let text = 'The whole text of one'
  let waiting: ServerResponse | null = null
  let isReleased = false

  const articleOf = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/html', etag: `"${text}"` }).end(`<article>${text}</article>`)

  beforeAll(async () => {
    site = await startServer((request, response) => {
      const { url = '', headers } = request
      if (url === '/robots.txt' || url === '/broken') return void response.writeHead(404).end()
      if (url === '/one' && headers['if-none-match'] === `"${text}"`) return void response.writeHead(304).end()
      if (url === '/one' && headers['if-none-match'] === undefined && !isReleased) return void (waiting = response)
      if (url !== '/feed') return void articleOf(response)
      const items = titles.map(
        (title) =>
          `<item><guid>${title}</guid><title>${title}</title><link>http://${headers.host}/${title}</link><description>A teaser</description></item>`,
      )
      response.end(`<rss version="2.0"><channel>${items.join('')}</channel></rss>`)
    })
    const flags = {
      port: 0,
      allowRange: 'loopback',
      hostSpacing: '1ms',
      hostConcurrency: 4,
      budget: '100/s',
      timeout: '1h',
    }
    const config = loadConfig(dataDir, { ...flags, minInterval: '200ms', pageShare: 1 }, {})
    const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
    node = await startNode(config, environment, { openExtractor: async () => plainExtractor() })
    const { store } = node.data
    const feed = (name: string, body: string) => {
      const statement = `CREATE FEED ${name} AS RETURN ALL ${body};`
      return { kind: 'save-feed', name, title: null, limit: null, text: statement, catchUp: 'from now' } as const
    }
    const some = 'WHERE TITLE IN ("one", "broken") FULLTEXT'
    const feeds = [feed('patient', `${some} FETCH WAIT 1 DAY`), feed('hasty', `${some} WAIT 1 SECOND`)]
    await store.changeQueries(feeds, await store.queryRevision(), systemClock.now())
    const source = withSourceDefaults({ url: site.url('/feed'), intervalMs: 300 })
    await store.addSources([source], systemClock.now())
  })
  afterAll(async () => {
    await node.stop()
    await site.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const shown = async (name: string): Promise<string[]> => {
    const { items } = JSON.parse(await (await fetch(`${node.url}/feeds/${name}.json`)).text()) as {
      items: { title: string; content_html?: string; summary?: string }[]
    }
    return items.map(({ title, content_html }) => `${title}: ${content_html ?? ''}`).sort()
  }

  it('an item waits for its page, no longer than its feed says, and no page is fetched that nobody wants', async () => {
    expect(await eventually(() => waiting !== null)).toBe(true)
    expect(await eventually(async () => (await shown('hasty')).length === 1)).toBe(true)
    expect((await shown('hasty'))[0]).toContain('A teaser')
    expect(await shown('patient')).toEqual([])
    isReleased = true
    if (waiting !== null) articleOf(waiting)
    const isWhole = async (name: string) => (await shown(name))[0]?.includes('The whole text') === true
    expect(await eventually(() => isWhole('patient'))).toBe(true)
    expect(await eventually(() => isWhole('hasty'))).toBe(true)
    expect(site.requests.filter(({ url }) => url === '/other')).toEqual([])
  })

  it('a page that fails ends the wait', async () => {
    titles = [...titles, 'broken']
    expect(await eventually(async () => (await shown('patient')).length === 2)).toBe(true)
    expect((await shown('patient'))[0]).toContain('A teaser')
    const [broken] = await node.data.store.items({ scope: { kind: 'all' }, text: 'broken', limit: 1 })
    expect(await node.data.store.itemPage(broken?.seq ?? 0)).toMatchObject({ failure: 'HTTP_NOT_FOUND', dueAt: null })
  })

  it('a page is asked for again on request; what has changed there is an edit', async () => {
    const { store } = node.data
    const [one] = await store.items({ scope: { kind: 'all' }, text: 'whole', limit: 1 })
    const seq = one?.seq ?? 0
    const settled = async (status: number) => (await store.itemPage(seq))?.status === status
    await store.askAgain([seq], systemClock.now())
    expect(await eventually(() => settled(304))).toBe(true)
    expect((await store.itemsBySeq([seq]))[0]?.changedAt).toBe(one?.changedAt)
    text = 'A correction of what was said about one'
    await store.askAgain([seq], systemClock.now())
    expect(await eventually(async () => (await shown('patient'))[1]?.includes('A correction') === true)).toBe(true)
    expect(site.requests.filter(({ url }) => url === '/one')).toHaveLength(3)
  })
})
