import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openData } from '../src/app/data/data.ts'
import { type RunningNode, startNode } from '../src/app/node.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { withSourceDefaults } from '../src/app/sources/import-sources.ts'
import { HOUR_MS, NO_COUNTS } from '../src/model/index.ts'
import { tokenHash } from '../src/publisher/feed-access.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { silentLogger } from '../src/runtime/logger.ts'
import { seededRandom } from '../src/runtime/random.ts'
import type { NewItem, Store } from '../src/store/store.ts'
import { median, roundToPrecision } from './rounds.ts'
import { itemMaker } from './store-items.ts'

const SOURCES = 1_000
const ITEMS = 1_000_000
const TOKEN = 'bench'
/** Longer than a list of sources is cached (src/api/handlers/source-directory.ts): each request reads everything again. */
const PAUSE_MS = 2_200
const QUESTIONS = {
  overview: '/api/overview?over=week',
  sourceTable: '/api/sources/table',
  newestItems: '/api/items',
  unread: '/api/items/unread',
} as const
type Question = keyof typeof QUESTIONS

/**
 * What the dashboard asks first, on a node with a million archived items beside one with none; sources, refreshes and
 * quality are the same. Interleaved: each round asks both.
 */
export async function benchApi(options: { readonly rounds?: number; readonly archived?: number }): Promise<object> {
  const rounds = Math.max(5, options.rounds ?? 5)
  const items = options.archived ?? ITEMS
  const empty = await nodeWith(0)
  const full = await nodeWith(items)
  const times = new Map<string, number[]>()
  const ask = async (name: Question, which: 'empty' | 'full', node: RunningNode) => {
    const start = systemClock.monotonicMs()
    const answer = await fetch(`${node.url}${QUESTIONS[name]}`, { headers: { authorization: `Bearer ${TOKEN}` } })
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    const key = `${which} ${name}`
    times.set(key, [...(times.get(key) ?? []), systemClock.monotonicMs() - start])
  }
  for (let round = 0; round <= rounds; round++) {
    for (const name of Object.keys(QUESTIONS) as Question[]) {
      await systemClock.sleep(PAUSE_MS)
      await ask(name, 'empty', empty.node)
      await ask(name, 'full', full.node)
    }
    // The first fills caches of the machine.
    if (round === 0) times.clear()
  }
  await empty.end()
  await full.end()
  const ms = (which: string, name: string) => median(times.get(`${which} ${name}`)!)
  const figures = (Object.keys(QUESTIONS) as Question[]).map((name) => [
    name,
    {
      emptyMs: roundToPrecision(ms('empty', name)),
      fullMs: roundToPrecision(ms('full', name)),
      ratio: roundToPrecision(ms('full', name) / ms('empty', name)),
    },
  ])
  return { sources: SOURCES, items, rounds, ...Object.fromEntries(figures) }
}

async function nodeWith(items: number): Promise<{ readonly node: RunningNode; end(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-bench-api-'))
  const config = loadConfig(dataDir, { port: 0, logLevel: 'silent' }, {})
  const { store } = await openData(config, systemClock)
  await fill(store, items)
  await store.close()
  const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
  const node = await startNode(config, environment)
  return {
    node,
    async end() {
      await node.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function fill(store: Store, items: number): Promise<void> {
  const now = systemClock.now()
  const owner = { name: 'owner', role: 'owner' as const, passwordHash: null, invitation: null }
  const { id: userId } = (await store.addUser(owner, now))!
  const token = { userId, label: null, scope: 'admin' as const, feed: null, hash: tokenHash(TOKEN) }
  await store.addApiToken(token, now)
  const settings = Array.from({ length: SOURCES }, (_, index) =>
    withSourceDefaults({
      url: `http://site-${index}.example/feed`,
      paused: true,
      categories: [`Folder ${index % 40}`],
    }),
  )
  const added = await store.addSources(settings, now)
  const make = itemMaker(seededRandom(1))
  const perSource = Math.floor(items / SOURCES)
  for (const [index, { source }] of added.entries()) {
    // Short texts: what is measured is the number of rows.
    const newItems = Array.from({ length: perSource }, (_, number) => short(make(index, number)))
    const at = now - (index % 160) * HOUR_MS
    await store.recordRefresh({
      sourceId: source.id,
      state: { ...source.state, status: 'active', title: `Site ${index}`, lastCheckAt: at, lastSuccessAt: at },
      movedTo: null,
      observation: {
        sourceId: source.id,
        previousAt: null,
        at,
        newItems: 10,
        windowSize: 20,
        overlap: 'some',
        lostAtLeast: 0,
        itemTimes: [],
        notModified: false,
        bytes: 10_000,
        latencyMs: 100,
      },
      renamedItems: [],
      intake: null,
      newItems,
      changedItems: [],
      quality: {
        ...NO_COUNTS,
        requests: 1,
        items: 10,
        delayMs: 1e6,
        watchedMs: 1e6,
        delays: [{ bucket: 20, items: 10 }],
      },
    })
  }
}

function short(item: NewItem): NewItem {
  return { ...item, content: null, summary: item.summary!.slice(0, 60) }
}
