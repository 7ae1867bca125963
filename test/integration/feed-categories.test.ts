import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { crawlerFor, fetcherFor } from '../../src/app/crawling/crawling.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { NODE_READER } from '../../src/buffer/buffer.ts'
import { parseFeed } from '../../src/crawler/parse/parse.ts'
import { createFeedService } from '../../src/publisher/feeds.ts'
import { runQueries } from '../../src/query/query-pipeline.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { settingsFor } from '../support/published-items.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const item = (name: string) => `<item><title>${name}</title><guid>${name}</guid></item>`
const DOCUMENTS: Readonly<Record<string, string>> = {
  '/rss': `<rss version="2.0"><channel><title>R</title><category>Technology</category>${item('r1')}</channel></rss>`,
  '/podcast': `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>P</title>
    <itunes:category text="Science"><itunes:category text="Earth Sciences"/></itunes:category>${item('p1')}</channel></rss>`,
  '/atom': `<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><id>urn:a</id><category term="technology"/>
    <entry><id>a1</id><title>a1</title><category term="Science"/></entry></feed>`,
  '/json': '{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"j1","title":"j1"}]}',
}

/** The real crawler over real HTTP, the real queries, the real feeds. */
async function node(statement: string) {
  const server = createServer((request, response) => response.end(DOCUMENTS[request.url!]))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  const config = loadConfig('none', { allowRange: ['loopback'], hostSpacing: 0, budget: '1000000/min' }, {})
  const data = createMemoryStore({ clock: systemClock })
  const { store, buffer } = data
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = Object.keys(DOCUMENTS).map((path) =>
    settingsFor(`${site}${path}`, { categories: path === '/json' ? ['Technology/Web'] : [] }),
  )
  const ids = (await store.addSources(settings, systemClock.now())).map(({ source }) => source.id)
  const change = {
    kind: 'save-feed',
    name: 'f',
    title: null,
    limit: null,
    text: statement,
    catchUp: 'from now',
  } as const
  await store.changeQueries([change], await store.queryRevision(), systemClock.now())
  await buffer.register('query', { from: 'end', ...NODE_READER })
  await crawl(config, data, ids)
  await publish(data)
  const feeds = createFeedService({ store, clock: systemClock, baseUrl: 'http://node.example' })
  return { store, ids, feeds }
}

async function crawl(config: ReturnType<typeof loadConfig>, data: ReturnType<typeof createMemoryStore>, ids: number[]) {
  const fetcher = fetcherFor(config, systemClock)
  closing.push(() => fetcher.close())
  const stopping = new AbortController()
  let refreshed = 0
  const onRefreshed = () => {
    refreshed += 1
    if (refreshed === ids.length) stopping.abort()
  }
  const runtime = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
  const crawler = crawlerFor(config, data, fetcher, runtime, { only: new Set(ids), onRefreshed })
  await crawler.sync()
  crawler.requestRefresh(ids)
  await crawler.run(stopping.signal)
}

async function publish({ store, buffer, notifier }: ReturnType<typeof createMemoryStore>) {
  const stopping = new AbortController()
  const running = runQueries(
    { store, buffer, notifier, clock: systemClock, review: async () => [], lookEveryMs: 1 },
    stopping.signal,
  )
  const feed = (await store.queryFeed('f'))!
  while ((await store.publicationState(feed.id)).count < 4) await systemClock.sleep(5)
  stopping.abort()
  await running
}

it('what a feed says that it is about is stored, asked for by a query, and said again by the query feed', async () => {
  const text = 'CREATE FEED f AS RETURN ALL WHERE SOURCE CATEGORY = "Technology" OR "earth sciences";'
  const { store, ids, feeds } = await node(text)
  const categories = await Promise.all(ids.map(async (id) => (await store.source(id))?.state.feedCategories))
  expect(categories).toEqual([['Technology'], ['Science', 'Earth Sciences'], ['technology'], []])
  for (const format of ['rss', 'atom', 'json'] as const) {
    const { body } = (await feeds.get({ kind: 'query', name: 'f' }, format))!
    const { feed, items } = parseFeed(body)
    // j1 by its folder.
    expect(items.map(({ title }) => title).sort()).toEqual(['a1', 'j1', 'p1', 'r1'])
    expect(feed.categories).toEqual(['Earth Sciences', 'Science', 'Technology', 'technology'])
  }
})
