import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServer, type Server } from '../../src/api/server.ts'
import { createAccessReader } from '../../src/app/users/access.ts'
import type { ItemBuffer } from '../../src/buffer/buffer.ts'
import { identify } from '../../src/crawler/dedup/identity.ts'
import { parseFeed } from '../../src/crawler/parse/parse.ts'
import type { ParsedItem } from '../../src/model/index.ts'
import { createFeedService, type FeedService } from '../../src/publisher/feeds.ts'
import { FEED_FORMATS } from '../../src/publisher/published-feed.ts'
import { runPublisher } from '../../src/publisher/publisher-pipeline.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'
import { type FeedparserReading, fetchWithNewsboat, readWithFeedparser } from '../support/feed-readers.ts'
import { jsonFeedSchema } from '../support/json-feed-schema.ts'
import { anItem, NOON } from '../support/published-items.ts'
import { addSource, handClock, storeItems } from '../support/publishing.ts'
import { SERVER_PARTS } from '../support/server-parts.ts'

const CORPORA = join(import.meta.dirname, '../../../shared/corpora')
const REAL = ['rss-parser/test/input', 'node-feedparser/test/feeds', 'feed-rs'].map((name) => join(CORPORA, name))
// feedparser needs most of this test's time; a window of a real feed is rarely longer.
const ITEMS_PER_DOCUMENT = 20
const DOCUMENT = /\.(xml|rss|atom|json|rdf)$/

let store: Store
let server: Server
let base: string

async function start() {
  const clock = handClock()
  const memory = createMemoryStore({ clock })
  store = memory.store
  const feeds = createFeedService({ store, clock, baseUrl: 'http://127.0.0.1:8080', limit: 300 })
  server = createServer({
    ...SERVER_PARTS,
    ...memory,
    access: createAccessReader(memory.store),
    feeds,
    clock,
    version: '0',
  })
  base = (await server.listen({ host: '127.0.0.1', port: 0 })).url
}

/** As the crawler would store it: one key an item, dated where the document says so. */
async function storeDocument(url: string, category: string, items: readonly ParsedItem[], title: string | null) {
  const source = await addSource(store, url, { categories: [category] })
  const fresh = identify(items).map(({ item, crowded, primary, composite, contentHash }) => ({
    ...item,
    key: crowded ? composite() : primary,
    contentHash,
    sortAt: item.published !== null && item.published <= NOON ? item.published : NOON,
  }))
  await storeItems(store, source.id, fresh, { title })
  return source
}

interface PublishedIds {
  readonly path: string
  /** Of the JSON Feed, which holds to the specification. */
  readonly ids: readonly string[]
}

/** Every feed that the node lists, read as JSON Feed first. */
async function published(): Promise<readonly PublishedIds[]> {
  const list = (await (await fetch(`${base}/feeds.json`)).json()) as { feeds: { urls: { json: string } }[] }
  return Promise.all(
    list.feeds.map(async ({ urls }) => {
      const path = new URL(urls.json).pathname.replace(/\.json$/, '')
      const document = jsonFeedSchema.parse(await (await fetch(`${base}${path}.json`)).json())
      return { path, ids: document.items.map((item) => item.id) }
    }),
  )
}

async function expectReadable(feeds: readonly PublishedIds[]) {
  for (const format of ['rss', 'atom']) {
    const readings = await readWithFeedparser(feeds.map(({ path }) => `${base}${path}.${format}`))
    const complaints = readings.flatMap(({ bozo, problem }: FeedparserReading, i) =>
      bozo ? [`${feeds[i]?.path}.${format}: ${problem}`] : [],
    )
    expect(complaints).toEqual([])
    expect(readings.map(({ entries }) => entries.map(({ id }) => id))).toEqual(feeds.map(({ ids }) => ids))
  }
}

async function expectListedByNewsboat(feeds: readonly PublishedIds[]) {
  for (const format of ['rss', 'atom']) {
    const urls = feeds.map(({ path }) => `${base}${path}.${format}`)
    const listing = await fetchWithNewsboat(urls)
    expect([...listing.feeds].sort()).toEqual([...urls].sort())
    expect([...listing.guids].sort()).toEqual([...new Set(feeds.flatMap(({ ids }) => ids))].sort())
  }
}

describe('feeds with nasty items', () => {
  beforeAll(async () => {
    await start()
    const nasty: Partial<ParsedItem>[] = [
      {},
      { id: 'not a uri', title: 'a ]]> b <![CDATA[ c' },
      { id: 'tag:a.example,2024:1', title: '\u0000\u0001\uFFFE\uD800 control', content: '\u0008<p>\uDFFF</p>' },
      { id: 'https://a.example/?a=1&b=2', link: 'https://a.example/?a=1&b=2&c=<x>', title: '<b>Bold</b> & <T>' },
      { id: 'urn:x:1', content: `<p>${'<div>'.repeat(3_000)}deep` },
      { id: 'urn:x:2', content: '<p>'.concat('x'.repeat(1_000_000)) },
      { id: 'urn:x:3', published: Number.NaN, updated: 9e15, authors: [{ name: null, email: '\u0000', url: 'x' }] },
      { id: 'urn:x:4', enclosures: [{ url: 'javascript:x', type: '<', lengthBytes: -1 }], commentsUrl: '%%%' },
      { id: 'urn:x:5', title: '\u202Eright to left \u{1F600} 日本語', categories: ['', '<x>', '\uD800'] },
      { id: 'urn:x:6', summary: '<script>alert(1)</script><img src=x onerror=alert(1)>&bogus;&#0;' },
    ]
    const items = nasty.map((fields, seq) => ({ ...anItem({ seq }), ...fields }))
    await storeDocument(
      'https://user:pw@a.example/feed?x=<&>',
      'Bad/"<&>"/日本 \u{1F600}',
      items,
      '<i>Title</i> &amp; \u0000',
    )
    await storeDocument('https://empty.example/', 'Bad/../Empty', [], null)
  })
  afterAll(() => server.close())

  it('are read by feedparser without complaint, with the same ids in every format', async () => {
    const feeds = await published()
    expect(feeds.map(({ ids }) => ids.length).sort((a, b) => a - b)).toEqual([0, 0, 0, 10, 10, 10, 10, 10])
    await expectReadable(feeds)
  })

  it('are fetched and listed by newsboat', async () => {
    const feeds = await published()
    await expectListedByNewsboat(feeds)
    await expectListedByNewsboat(feeds.slice(0, 1))
  })
})

describe('feeds on the embedded store', () => {
  it('are the same bytes after a restart, and the pipeline goes on from its cursor', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-published-'))
    const clock = handClock()
    const open = () => openSqliteStore({ path: join(folder, 'node.db'), clock })
    const drain = async (sqlite: Awaited<ReturnType<typeof open>>, feeds: FeedService) => {
      const stop = new AbortController()
      const seqs: number[] = []
      const read: ItemBuffer['read'] = async (...args) => {
        const entries = await sqlite.buffer.read(...args)
        seqs.push(...entries.map(({ item }) => item.seq))
        return entries
      }
      const buffer = { ...sqlite.buffer, read, waitForEntries: async () => stop.abort() }
      await runPublisher({ buffer, store: sqlite.store, feeds }, stop.signal)
      return seqs
    }
    const etags: (string | undefined)[] = []
    const pages: number[][] = []
    try {
      for (const restart of [false, true]) {
        const sqlite = await open()
        if (!restart) {
          const source = await addSource(sqlite.store, 'https://a.example/feed')
          await storeItems(sqlite.store, source.id, [{ title: 'One', id: 'no uri' }, { title: 'Two' }])
        }
        const feeds = createFeedService({ store: sqlite.store, clock, baseUrl: 'http://127.0.0.1:8080' })
        pages.push(await drain(sqlite, feeds))
        for (const format of FEED_FORMATS) etags.push((await feeds.get({ kind: 'all' }, format))?.etag)
        await sqlite.store.close()
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    expect(pages).toEqual([[1, 2], []])
    expect(etags.slice(3)).toEqual(etags.slice(0, 3))
  })
})

describe.skipIf(!existsSync(CORPORA))('feeds made of real documents (skipped without ../shared/corpora)', () => {
  beforeAll(async () => {
    await start()
    const documents = REAL.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => DOCUMENT.test(name))
        .map((name) => join(folder, name)),
    )
    for (const [i, path] of documents.sort().entries()) {
      const url = `https://host${i}.example/${path.slice(CORPORA.length + 1)}`
      const { items, feed, format } = parseFeed(readFileSync(path), { url })
      const folder = path.slice(CORPORA.length + 1).split('/')[0]
      const window = items.slice(0, ITEMS_PER_DOCUMENT)
      if (window.length > 0) await storeDocument(url, `Corpora/${folder}/${format}`, window, feed.title)
    }
  })
  afterAll(() => server.close())

  it('are read by feedparser without complaint, with the same ids in every format', async () => {
    const feeds = await published()
    expect(feeds.length).toBeGreaterThan(100)
    await expectReadable(feeds)
    const counted = await Promise.all((await store.sources()).map(({ id }) => store.itemCount(id)))
    const counts = feeds.filter(({ path }) => path.startsWith('/feeds/source/')).map(({ ids }) => ids.length)
    expect(counts).toEqual(counted)
  })

  it('are fetched and listed by newsboat', async () => {
    const feeds = await published()
    await expectListedByNewsboat(feeds)
    await expectListedByNewsboat(feeds.slice(0, 1))
  })
})
