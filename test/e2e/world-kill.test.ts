import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLEAN_HABITS, type FeedPlan } from '../../lab/worlds/feed-plan.ts'
import { startWorld, type World } from '../../lab/worlds/server.ts'
import { NODE_READER } from '../../src/buffer/buffer.ts'
import type { Item } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'
import { extent } from '../support/extent.ts'
import { eventually, freePort, type NodeProcess, sourceAt, startServe, waitForRequests } from './world-node.ts'

const FEEDS = 200
const KILLS = extent(16, 50)
const SEED = 20_261
/** Young feeds that never fill their windows while this runs: whatever is missing at the end was lost by the node. */
const SECONDS_PER_ITEM = 4
const WINDOW_ITEMS = 200
const FIRST_ITEM_AT = systemClock.now() - 20_000
/** Most nodes are killed while they crawl, some while they start. */
const KILLED_AT_START_SHARE = 0.2
const LONGEST_START_MS = 800
const PUBLISHED_BETWEEN_MS = 2_000
/** Feeds that are requested before a kill, at the most: most of a second of work. */
const MOST_ASKED = 60
/** What a reader is shown while nodes come and go, and at the end. */
const READER_ITEMS = 50
const ALL_ITEMS = 100_000
const AUDITOR = 'auditor'

const plans: FeedPlan[] = Array.from({ length: FEEDS }, (_, index) => ({
  title: `Feed ${index}`,
  category: `Folder ${index % 5}`,
  publication: {
    kind: 'sequence',
    phases: [
      { spec: { kind: 'silent' }, untilMs: FIRST_ITEM_AT },
      { spec: { kind: 'poisson', ratePerDay: 86_400 / SECONDS_PER_ITEM }, untilMs: Number.POSITIVE_INFINITY },
    ],
  },
  windowItems: WINDOW_ITEMS,
  habits: { ...CLEAN_HABITS, format: index % 3 === 0 ? 'atom-1.0' : 'rss-2.0', ids: index % 4 === 0 ? 'link' : 'id' },
  fault: null,
  headlines: null,
}))

interface PublishedItems {
  readonly id: string
  readonly url: string
}

let world: World
let folder: string
let node: NodeProcess | null = null
/** Every (id, link) that a reader of the published feed ever saw. */
const seenByReader = new Map<string, Set<string>>()
let startsThatServed = 0
let requests = 0
let items: readonly Item[]
let newEntries: readonly string[]
let published: readonly PublishedItems[]
let urls: ReadonlyMap<number, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'world-kill-'))
  // Moved on by hand: beside a slow machine the windows would else run over before the nodes have started.
  world = await startWorld({ feeds: plans, speed: 0 })
  const { store, buffer } = await openData()
  await store.addSources(
    plans.map((plan, i) => sourceAt(world.feedUrl(i), { categories: [plan.category!] })),
    systemClock.now(),
  )
  // A reader of the item buffer that never acknowledges: it will find every entry that was ever made.
  await buffer.register(AUDITOR, { from: 'start', ...NODE_READER })
  await store.close()

  const random = seededRandom(SEED)
  const port = await freePort()
  const args = [
    '--data',
    folder,
    '--allow-range',
    'loopback',
    '--budget',
    '6000/min',
    '--host-spacing',
    '0.1s',
    '--min-interval',
    '0.5s',
  ]
  const serve = (feedItems: number) => startServe(port, [...args, '--feed-items', String(feedItems)])
  for (let kill = 0; kill < KILLS; kill++) {
    world.advance(PUBLISHED_BETWEEN_MS)
    node = serve(READER_ITEMS)
    const dying = new AbortController()
    const reader = { isServed: false }
    const reading = readWhileAlive(node, dying.signal, reader)
    if (random() < KILLED_AT_START_SHARE) await systemClock.sleep(random() * LONGEST_START_MS)
    else {
      await node.ready()
      // Half of them before more is published, and half after it.
      const half = Math.ceil((random() * MOST_ASKED) / 2)
      await waitForRequests(world, half)
      world.advance(PUBLISHED_BETWEEN_MS)
      await waitForRequests(world, half)
      // Some live to serve, however fast they crawl.
      if (kill % 3 === 0) await eventually(() => reader.isServed)
    }
    dying.abort()
    await node.kill()
    await reading
    if (reader.isServed) startsThatServed++
  }
  requests = world.stats().feeds.reduce((sum, feed) => sum + feed.requests, 0)
  node = serve(ALL_ITEMS)
  await node.ready()
  await waitUntilSettled()
  published = await readAll(node)
  expect(await node.stop()).toBe(0)
  await collect()
})

afterAll(async () => {
  await node?.kill()
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

function openData() {
  return openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
}

/** Polls the published feed as a reader would, and notes whether it got an answer before the end. */
async function readWhileAlive(alive: NodeProcess, dying: AbortSignal, reader: { isServed: boolean }): Promise<void> {
  while (!dying.aborted) {
    await systemClock.sleep(250, dying)
    try {
      const answer = await fetch(`${alive.url}/feeds/all.json`, { signal: dying })
      noteSeen(((await answer.json()) as { items: PublishedItems[] }).items)
      reader.isServed = true
    } catch {
      // Not up yet, or killed while it answered.
    }
  }
}

function noteSeen(list: readonly PublishedItems[]): void {
  for (const { id, url } of list) {
    const known = seenByReader.get(url)
    if (known === undefined) seenByReader.set(url, new Set([id]))
    else known.add(id)
  }
}

/** The world stands still: when every source was refreshed once more, there is nothing left to come. */
async function waitUntilSettled(): Promise<void> {
  const { store } = await openData()
  const stoppedAt = systemClock.now()
  const allRefreshed = async () =>
    (await store.sources()).every((source) => (source.state.lastSuccessAt ?? 0) > stoppedAt)
  expect(await eventually(allRefreshed)).toBe(true)
  // The publisher follows the buffer at once.
  await systemClock.sleep(1_000)
  await store.close()
}

async function readAll(alive: NodeProcess): Promise<PublishedItems[]> {
  const answer = await fetch(`${alive.url}/feeds/all.json`)
  const list = ((await answer.json()) as { items: PublishedItems[] }).items
  noteSeen(list)
  return list
}

async function collect(): Promise<void> {
  const { store, buffer } = await openData()
  items = await allItems(store)
  urls = new Map((await store.sources()).map((source) => [source.id, source.url]))
  const entries: string[] = []
  let cursor = 0
  for (;;) {
    const page = await buffer.read(AUDITOR, 1000, { after: cursor })
    if (page.length === 0) break
    cursor = page.at(-1)!.cursor
    for (const entry of page) if (entry.kind === 'new') entries.push(entry.item.link ?? '')
  }
  newEntries = entries
  await store.close()
}

async function allItems(store: Store): Promise<Item[]> {
  const all: Item[] = []
  for (;;) {
    const last = all.at(-1)
    const after = last === undefined ? {} : { after: { sortAt: last.sortAt, seq: last.seq } }
    const page = await store.items({ scope: { kind: 'all' }, limit: 1000, ...after })
    if (page.length === 0) return all
    all.push(...page)
  }
}

const truth = () => plans.map((_, index) => world.truth(index))
const linksOf = (list: readonly { readonly link: string | null }[]) => list.map((item) => item.link ?? '')

/** What is in one list and not in the other, counting repetitions: empty lists where both are the same. */
function difference(left: readonly string[], right: readonly string[]) {
  const balance = new Map<string, number>()
  for (const name of left) balance.set(name, (balance.get(name) ?? 0) + 1)
  for (const name of right) balance.set(name, (balance.get(name) ?? 0) - 1)
  const tooMany = [...balance].filter(([, count]) => count > 0).map(([name]) => name)
  const missing = [...balance].filter(([, count]) => count < 0).map(([name]) => name)
  return { tooMany, missing }
}
const NONE = { tooMany: [], missing: [] }

describe(`${KILLS} times kill -9 while ${FEEDS} feeds are crawled (seed ${SEED})`, () => {
  it('was a real crawl: new items all the time, and nodes that lived to crawl and to serve', () => {
    expect(items.length).toBeGreaterThan(FEEDS * 10)
    expect(requests).toBeGreaterThan(KILLS * 10)
    expect(startsThatServed).toBeGreaterThan(KILLS / 10)
    expect(Math.max(...truth().map((feed) => feed.length))).toBeLessThan(WINDOW_ITEMS)
  })

  it('stored everything that the world published, once, and nothing else', () => {
    const all = truth().flat()
    expect(difference(linksOf(items), linksOf(all))).toEqual(NONE)
    expect(all.filter((item) => item.firstServedAt === null)).toEqual([])
  })

  it('stored every item under its own source', () => {
    const misplaced = items.filter((item) => !item.link?.startsWith(new URL('/', urls.get(item.sourceId)).href))
    expect(misplaced).toEqual([])
  })

  it('handed every item on exactly once', () => {
    expect(difference(newEntries, linksOf(items))).toEqual(NONE)
  })

  it('publishes every item once, under one id for ever', () => {
    const links = published.map((item) => item.url)
    expect(difference(links, linksOf(items))).toEqual(NONE)
    expect(new Set(published.map((item) => item.id)).size).toBe(published.length)
    expect([...seenByReader].filter(([, ids]) => ids.size > 1)).toEqual([])
  })
})
