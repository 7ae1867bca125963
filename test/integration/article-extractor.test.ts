import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'

const PARAGRAPH = `<p>${'The glacier moved eleven metres in one week, and the valley watched it with patience. '.repeat(6)}</p>`
const PAGE = `<html lang="en"><body><nav>Menu of all pages</nav><article><h1>Ice moves</h1>${PARAGRAPH}${PARAGRAPH}
  <p>Below it lay marmalade.</p></article></body></html>`

it('a node as it is delivered finds words that stand only on the page of an item', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-extractor-'))
  const site = await startServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end()
    response.setHeader('content-type', request.url === '/feed' ? 'application/rss+xml' : 'text/html')
    const item = `<item><title>Ice moves</title><link>http://${request.headers.host}/page</link><description>A teaser</description></item>`
    response.end(request.url === '/feed' ? `<rss version="2.0"><channel>${item}</channel></rss>` : PAGE)
  })
  const config = loadConfig(dataDir, { port: 0, allowRange: 'loopback', hostSpacing: '1ms', budget: '100/s' }, {})
  const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
  const node = await startNode(config, environment)
  const { store } = node.data
  await store.addSources([withSourceDefaults({ url: site.url('/feed'), pages: 'fetch' })], systemClock.now())
  const settled = async () => {
    const [item] = await store.itemsAfter(0, 1)
    return item !== undefined && (await store.itemPage(item.seq))?.dueAt === null
  }
  expect(await eventually(settled)).toBe(true)
  expect(await store.items({ scope: { kind: 'all' }, limit: 9, text: 'marmalade' })).toMatchObject([
    { title: 'Ice moves' },
  ])
  await node.stop()
  await site.close()
  rmSync(dataDir, { recursive: true, force: true })
})
