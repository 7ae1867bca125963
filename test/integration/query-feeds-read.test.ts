import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createServer } from '../../src/api/server.ts'
import { type RunningNode, startNode } from '../../src/app/node.ts'
import { applyQueries } from '../../src/app/queries/apply.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { createAccessReader } from '../../src/app/users/access.ts'
import { createFeedService } from '../../src/publisher/feeds.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import type { NewItem } from '../../src/store/store.ts'
import { fetchWithNewsboat, readWithFeedparser } from '../support/feed-readers.ts'
import { jsonFeedSchema } from '../support/json-feed-schema.ts'
import { startServer } from '../support/local-server.ts'
import { startMailServer } from '../support/mail-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { present } from '../support/present.ts'
import { addSource, handClock, storeItems } from '../support/publishing.ts'
import { publishItems, saveFeed } from '../support/query-publishing.ts'
import { SERVER_PARTS } from '../support/server-parts.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function idsOf(url: string): Promise<readonly string[]> {
  return jsonFeedSchema.parse(await (await fetch(url)).json()).items.map(({ id }) => id)
}

describe('query feeds with nasty items, joins and archives', () => {
  it('are read by feedparser without complaint and listed by newsboat', async () => {
    const clock = handClock()
    const memory = createMemoryStore({ clock })
    const { store } = memory
    const feeds = createFeedService({ store, clock, baseUrl: 'http://127.0.0.1:8080' })
    const server = createServer({
      ...SERVER_PARTS,
      ...memory,
      access: createAccessReader(memory.store),
      feeds,
      clock,
      version: '0',
    })
    const { url: base } = await server.listen({ host: '127.0.0.1', port: 0 })
    ends.push(() => server.close())
    const source = await addSource(store, 'https://user:pw@a.example/feed?x=<&>', { name: '<i>A</i> & "co" ]]>' })
    const feed = await saveFeed(store, 'nasty', { title: 'Bad <b>& ]]> \u0001 日本', limit: 4 })
    await storeItems(store, source.id, [{ title: 'Joined & <co> "x"', link: 'https://a.example/?a=1&b=<2>' }])
    const joined = [await store.lastItemSeq()]
    const nasty: Partial<NewItem>[] = [
      {},
      { id: 'not a uri', title: 'a ]]> b <![CDATA[ c' },
      { id: 'tag:a.example,2024:1', title: '\u0000\uFFFE\uD800 control', content: '\u0008<p>\uDFFF</p>' },
      { id: 'https://a.example/?a=1&b=2', link: 'https://a.example/?a=1&b=2&c=<x>', title: '<b>Bold</b> & <T>' },
      { id: 'urn:x:4', link: null, title: null, summary: '<script>alert(1)</script><img src=x onerror=alert(1)>' },
      { id: 'urn:x:5', title: '\u202Eright to left \u{1F600}', extensions: { 'origin:url': 'https://o.example/?a&b' } },
      { id: 'urn:x:6', extensions: { 'origin:url': 'javascript:x', 'origin:title': '<x>' } },
      { id: 'urn:x:7' },
      { id: 'urn:x:8' },
    ]
    await publishItems(store, feed, source.id, nasty, { joined })
    const archive = new URL(jsonFeedSchema.parse(await (await fetch(`${base}/feeds/nasty.json`)).json()).next_url!)
    const documents = ['/feeds/nasty.json', archive.pathname + archive.search]
    const expected = await Promise.all(documents.map((path) => idsOf(`${base}${path}`)))
    expect(expected.map((ids) => ids.length)).toEqual([4, 4])
    for (const format of ['rss', 'atom']) {
      const urls = documents.map((path) => `${base}${path.replace('.json', `.${format}`)}`)
      const readings = await readWithFeedparser(urls)
      expect(readings.map(({ bozo, problem }) => ({ bozo, problem }))).toEqual(
        urls.map(() => ({ bozo: false, problem: null })),
      )
      expect(readings.map(({ entries }) => entries.map(({ id }) => id))).toEqual(expected)
      const listing = await fetchWithNewsboat(urls)
      expect([...listing.feeds].sort()).toEqual([...urls].sort())
      expect([...listing.guids].sort()).toEqual([...new Set(expected.flat())].sort())
    }
  })
})

/** A node with a data folder of its own, which asks its sources every second. */
async function openNode(more: object = {}): Promise<RunningNode & { readonly dataDir: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-cascade-'))
  const flags = { port: 0, allowRange: ['loopback'], minInterval: '1s', hostSpacing: 0, budget: '600/min', ...more }
  const config = loadConfig(folder, flags, {})
  const node = await startNode(config, { clock: systemClock, random: seededRandom(1), logger: silentLogger })
  ends.push(async () => {
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { ...node, dataDir: folder }
}

async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean, limitMs = PATIENCE_MS): Promise<T> {
  const end = systemClock.now() + limitMs
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    if (systemClock.now() > end) throw new Error(`not in time: ${JSON.stringify(value)}`)
    await systemClock.sleep(100)
  }
}

const ORIGINAL = `<?xml version="1.0"?><rss version="2.0"><channel><title>Volcano Post</title>
<link>https://volcano.example/</link><description>d</description>
<item><guid isPermaLink="false">tag:volcano.example,2024:1</guid><title>An eruption</title><link>https://volcano.example/1</link></item>
<item><guid isPermaLink="false">number two</guid><title>Another eruption</title><link>https://volcano.example/2</link></item>
<item><guid isPermaLink="false">tag:volcano.example,2024:3</guid><title>Gardening</title><link>https://volcano.example/3</link></item>
</channel></rss>`

describe('a cascade of two nodes', () => {
  it('keeps ids and attribution through both, in every format', async () => {
    const origin = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(ORIGINAL)
    })
    ends.push(() => origin.close())
    const first = await openNode()
    const statement = `CREATE FEED eruptions AS RETURN "${origin.url('/feed')}" WHERE TITLE CONTAINS "eruption";`
    await applyQueries(`REGISTER FEED "${origin.url('/feed')}" AS post; ${statement}`, first.data.store, {
      now: systemClock.now(),
    })
    const ids = await until(
      () => idsOf(`${first.url}/feeds/eruptions.json`),
      (found) => found.length === 2,
    )
    expect(ids).toContain('tag:volcano.example,2024:1')

    const second = await openNode()
    const vias = ['rss', 'atom', 'json'].map(
      (format) =>
        `REGISTER FEED "${first.url}/feeds/eruptions.${format}" AS via-${format};
         CREATE FEED from-${format} AS RETURN via-${format};`,
    )
    const all = 'CREATE FEED everything AS RETURN ALL;'
    await applyQueries([...vias, all].join('\n'), second.data.store, { now: systemClock.now() })
    for (const name of ['from-rss', 'from-atom', 'from-json', 'everything']) {
      const found = await until(
        () => idsOf(`${second.url}/feeds/${name}.json`),
        (titles) => titles.length === 2,
      )
      expect([...found].sort()).toEqual([...ids].sort())
      const document = await (await fetch(`${second.url}/feeds/${name}.json`)).json()
      const sources = (document as { items: { _headwater: object }[] }).items.map((item) => item._headwater)
      // A registered source goes by the name that its owner gave it; its address is the original one.
      for (const one of sources) expect(one).toMatchObject({ source_url: origin.url('/feed') })
      const [read] = await readWithFeedparser([`${second.url}/feeds/${name}.atom`])
      const reading = present(read)
      expect(reading.bozo).toBe(false)
      expect(reading.entries.map(({ source }) => source)).toEqual(sources.map(() => 'post'))
    }
  })
})

describe('a node with subscriptions', () => {
  it('sends what its queries find to a webhook, to files and by mail', async () => {
    const origin = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(ORIGINAL)
    })
    ends.push(() => origin.close())
    const received: { publication_id: string; item: { title: string } }[] = []
    const hook = await startServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      received.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.end()
    })
    ends.push(() => hook.close())
    const mail = await startMailServer()
    ends.push(() => mail.close())
    const node = await openNode({ smtpUrl: mail.url })
    await applyQueries(
      `REGISTER FEED "${origin.url('/feed')}" AS post;
       CREATE FEED eruptions AS RETURN post WHERE TITLE CONTAINS "eruption";
       SUBSCRIBE TO eruptions OUTPUT WEBHOOK "${hook.url('/x')}";
       SUBSCRIBE TO eruptions OUTPUT FILE "out/eruptions.jsonl";
       SUBSCRIBE TO eruptions OUTPUT FILE "eruptions.atom";
       SUBSCRIBE TO eruptions OUTPUT MAIL "me@post.example" IMMEDIATELY;`,
      node.data.store,
      { now: systemClock.now() },
    )
    const count = async () => [received.length, mail.mails.length]
    await until(count, (counts) => counts.every((n) => n === 2))
    expect(received.map(({ item }) => item.title).sort()).toEqual(['An eruption', 'Another eruption'])
    const folder = join(node.dataDir, 'files')
    const lines = readFileSync(join(folder, 'out/eruptions.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).publication_id)).toEqual(received.map((one) => one.publication_id))
    const [reading] = await readWithFeedparser([readFileSync(join(folder, 'eruptions.atom'), 'utf8')])
    expect(reading).toMatchObject({ bozo: false, xmlError: null, entries: [{}, {}] })
    expect(await node.data.store.deadLetters({ limit: 9 })).toEqual([])
  })
})
