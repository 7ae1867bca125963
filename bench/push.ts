import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type RunningNode, startNode } from '../src/app/node.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { withSourceDefaults } from '../src/app/sources/import-sources.ts'
import { type DurationMs, HOUR_MS, type QueryFeed } from '../src/model/index.ts'
import { packHubKeys } from '../src/publisher/hub/hub-keys.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { silentLogger } from '../src/runtime/logger.ts'
import { seededRandom } from '../src/runtime/random.ts'
import { builtInFeedId } from '../src/store/hub.ts'

const ITEMS = 100
const READERS = 10_000
/** Callbacks stand on addresses of their own, as those of many readers do. */
const HOSTS = 250
const LOOK_EVERY_MS = 20
const LEASE_MS = 2 * HOUR_MS
/** News at another site before the crowd is served. */
const CRAWLS = 50
const NS_PER_MS = 1e6

/**
 * Two nodes with push on, over loopback: from when the first has fetched an item to when it is in the query feed of the second. Then
 * one item to many subscribers of the hub, who are in a process of their own: how long the first node takes from news at a site to
 * its archive before that and meanwhile, and the pauses of its event loop. The same for subscribers of everything, to whom what
 * is crawled meanwhile goes, too.
 */
export async function benchPush(options: { readonly rounds?: number; readonly readers?: number }): Promise<object> {
  const items = options.rounds ?? ITEMS
  const readers = options.readers ?? READERS
  const guids = ['0']
  const others = { guids: ['0'] }
  const site = await serve(({ url }, response) => response.end(rss(url === '/other' ? others.guids : guids)))
  const crowd = await startCrowd()
  const first = await openNode(`${site.url}/feed`)
  const second = await openNode(`${first.node.url}/feeds/f.atom`)
  try {
    await until(async () => (await second.node.data.store.pushes({ limit: 1 }))[0]?.status === 'active')
    const delays = await pushItems(first, second, guids, items)
    const crawl = await crawlOf(first, `${site.url}/other`, others)
    const alone: DurationMs[] = []
    while (alone.length < CRAWLS) alone.push(await crawl())
    const many = { readers, crowd, crawl }
    const query = await pushToMany(first, guids, { ...many, name: 'query', to: { feedId: first.feed.id } })
    await first.node.data.store.endLapsedHubSubscriptions(systemClock.now() + LEASE_MS)
    const to = { feedId: builtInFeedId('/feeds/all'), path: '/feeds/all' }
    const all = await pushToMany(first, guids, { ...many, name: 'all', to })
    return { items, delayMs: figures(delays), crawlMs: figures(alone), readers, query, all }
  } finally {
    for (const { node, dataDir } of [second, first]) {
      await node.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
    site.close()
    crowd.close()
  }
}

interface BenchNode {
  readonly node: RunningNode
  readonly dataDir: string
  readonly feed: QueryFeed
  readonly sourceId: number
}

async function pushItems(
  first: BenchNode,
  second: BenchNode,
  guids: string[],
  items: number,
): Promise<readonly DurationMs[]> {
  const delays: DurationMs[] = []
  for (let n = 1; n <= items; n++) {
    await publish(first, guids, `item ${n}`)
    await until(async () => (await newest(second))?.item.title === `item ${n}`)
    const fetchedAt = (await newest(first))?.item.firstSeenAt ?? 0
    delays.push(((await newest(second))?.publishedAt ?? 0) - fetchedAt)
  }
  return delays.sort((a, b) => a - b)
}

interface Many {
  readonly readers: number
  readonly crowd: Crowd
  readonly crawl: () => Promise<DurationMs>
  /** What tells the callbacks from those of others. */
  readonly name: string
  readonly to: { readonly feedId: number; readonly path?: string }
}

async function pushToMany(first: BenchNode, guids: string[], { readers, crowd, crawl, name, to }: Many) {
  const { store } = first.node.data
  const now = systemClock.now()
  const secret = packHubKeys({ secret: 'secret', token: null })
  for (let n = 0; n < readers; n++) {
    const url = `http://127.0.1.${(n % HOSTS) + 1}:${crowd.port}/${name}/${n}`
    const output = { kind: 'websub', url, format: 'rss' } as const
    await store.saveHubSubscription({ ...to, output, secret, leaseEndsAt: now + LEASE_MS }, now)
  }
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()
  const startMs = systemClock.monotonicMs()
  await publish(first, guids, `for many of ${name}`)
  const meanwhile: DurationMs[] = []
  while ((await crowd.count(name)) < readers) meanwhile.push(await crawl())
  loop.disable()
  const deliveredMs = Math.round(systemClock.monotonicMs() - startMs)
  const crawlMs = { ...figures(meanwhile), count: meanwhile.length }
  return { deliveredMs, crawlMs, loopMs: { p99: round(loop.percentile(99)), most: round(loop.max) } }
}

/** From news at another site to the archive; the node is told to look, as by a push. */
async function crawlOf(
  { node }: BenchNode,
  url: string,
  site: { guids: string[] },
): Promise<() => Promise<DurationMs>> {
  const { store, notifier } = node.data
  const [added] = await store.addSources([withSourceDefaults({ url })], systemClock.now())
  const sourceId = added?.source.id ?? 0
  const archived = async () => (await store.arrivals({ kind: 'source', sourceId }, 1))[0]?.title
  await until(async () => (await archived()) === '0')
  let n = 0
  return async () => {
    const title = `other ${++n}`
    site.guids = [title, ...site.guids.slice(0, 9)]
    const startMs = systemClock.monotonicMs()
    await store.requestRefresh([sourceId], systemClock.now())
    notifier.notify('requests')
    await until(async () => (await archived()) === title)
    return systemClock.monotonicMs() - startMs
  }
}

/** Takes everything, and says how many have got something. */
const CROWD = `
  import { createServer } from 'node:http'
  const got = new Set()
  const server = createServer((request, response) => {
    if (request.method === 'GET') return response.end(String([...got].filter((url) => url.startsWith(request.url)).length))
    request.resume().on('end', () => {
      got.add(request.url)
      response.end()
    })
  })
  server.listen(0, '0.0.0.0', () => console.log(server.address().port))
`

interface Crowd {
  readonly port: number
  /** Of those whose address has this name. */
  count(name: string): Promise<number>
  close(): void
}

async function startCrowd(): Promise<Crowd> {
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', CROWD], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = child.stdout === null ? [''] : ((await once(child.stdout, 'data')) as [Buffer])
  const port = Number(String(said))
  return {
    port,
    count: (name) => countOf(port, name),
    close: () => void child.kill(),
  }
}

/** It is busy taking messages, and may refuse a connection meanwhile. */
async function countOf(port: number, name: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/${name}/`, { headers: { connection: 'close' } }).catch(
    () => null,
  )
  return answer === null ? 0 : Number(await answer.text())
}

async function publish({ node, sourceId, feed }: BenchNode, guids: string[], guid: string): Promise<void> {
  guids.unshift(guid)
  guids.length = Math.min(guids.length, 20)
  await node.data.store.requestRefresh([sourceId], systemClock.now())
  await until(async () => (await newest({ node, feed }))?.item.title === guid)
}

async function newest({ node, feed }: Pick<BenchNode, 'node' | 'feed'>) {
  return (await node.data.store.publications(feed.id, { limit: 1 }))[0]
}

async function openNode(url: string): Promise<BenchNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-bench-push-'))
  const flags = { port: 0, logLevel: 'silent', allowRange: 'loopback', hostSpacing: 0, budget: '50/s' }
  const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
  const node = await startNode(loadConfig(dataDir, flags, {}), environment)
  const { store } = node.data
  const [added] = await store.addSources([withSourceDefaults({ url })], systemClock.now())
  const text = `CREATE FEED f AS RETURN "${url}" AS $s;`
  const change = { kind: 'save-feed', name: 'f', title: null, limit: null, text, catchUp: { after: 0 } } as const
  await store.changeQueries([change], await store.queryRevision(), systemClock.now())
  const feed = await store.queryFeed('f')
  if (feed === null || added === undefined) throw new Error('both were made')
  await until(async () => (await store.publicationState(feed.id)).count > 0)
  return { node, dataDir, feed, sourceId: added.source.id }
}

function rss(guids: readonly string[]): string {
  const items = guids.map((guid) => `<item><guid>${guid}</guid><title>${guid}</title></item>`).join('')
  return `<rss version="2.0"><channel><title>T</title>${items}</channel></rss>`
}

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { port, url: `http://127.0.0.1:${port}`, close }
}

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await systemClock.sleep(LOOK_EVERY_MS)
}

function figures(values: readonly DurationMs[]) {
  const sorted = values.map(Math.round).sort((a, b) => a - b)
  return { p50: at(sorted, 0.5), p90: at(sorted, 0.9), p99: at(sorted, 0.99), most: at(sorted, 1) }
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}

function round(ns: number): number {
  return Math.round(ns / NS_PER_MS)
}
