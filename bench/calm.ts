import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entryAt } from '../src/model/entry-at.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { type ClientFigures, type Load, startClients } from './calm-clients.ts'
import { commonWords, fillCalmData, TOKEN } from './calm-data.ts'
import { type CalmNode, type MeasuredSpan, startCalmNode } from './calm-node.ts'
import { comparePhrases } from './calm-phrases.ts'
import { median, roundToPrecision } from './rounds.ts'
import { startWorldProcess, type WorldProcess } from './world-process.ts'

export interface CalmOptions {
  /** Items in the archive. */
  readonly archived?: number
  readonly feeds?: number
  /** Over which the load is spread, and as many before it for crawling alone. */
  readonly refreshes?: number
  readonly readers?: number
  readonly users?: number
  /** Of what readers and users ask, before anything is measured: 0 to 1. */
  readonly warmUp?: number
  readonly onProgress?: (line: string) => void
}

const WINDOW = 20
/**
 * Before crawling alone is measured so much of the crawl runs, and so much of what readers and users ask: compilers and caches
 * are warm for both then. A node that has just begun is slower at everything, not at answering alone.
 */
const WARM_UP = 0.25
/** Virtual time that passes in the world while every feed is refreshed once: about every other refresh finds an item. */
const WORLD_MS_PER_ROUND = 2_000_000
const LOOK_EVERY_MS = 50
/** Of 500 that each archived source has; removed once, in the middle. */
const KEEP_ITEMS = 490
const PRUNE_AT = 0.5
/** Of feeds that are not known; it is only tried, since they would all be fetched. */
const TRIED_SOURCES = 5_000
/** Pages cost 2 ms of CPU time while the compilers still work on them, and 1.4 from the 2,500th on. */
const WARM_UP_PAGES = 3_000
const PAGES_PER_ROUND = 300
const PAGE_ROUNDS = 5
const LIMITS = { turnP999Ms: 50, turnMostMs: 200, phraseRatio: 3, itemsPageMs: 2, refreshShare: 0.8 } as const

/**
 * Does anything hold the event loop? A node with an archive crawls at full speed while feed readers, users of the API,
 * searches for common phrases, previews, exports, imports, questions about quality and a backup ask it, and old items are
 * removed; world and clients are in other processes. Load and world go with the number of refreshes, not with the clock, so
 * that a slow machine gives the same shares.
 */
export async function benchCalm(options: CalmOptions = {}): Promise<object> {
  const { archived = 100_000, feeds = 400, refreshes = 20_000, readers = 200, users = 20 } = options
  const { warmUp = WARM_UP } = options
  const say = options.onProgress ?? (() => {})
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-bench-calm-'))
  const words = commonWords(200)
  const world = await startWorldProcess(feeds, WINDOW)
  try {
    await fillCalmData(dataDir, archived, world.urls)
    say(`${archived} items archived`)
    const itemsPage = await itemsPageCost(dataDir)
    say('cost of a page measured')
    const phrases = await comparePhrases(dataDir, phrasesOf(words))
    say('phrases compared')
    const load = loadOf(words, world.urls, readers, users)
    const { alone, busy, clients } = await crawl(dataDir, world, { load, warmUp, refreshes }, say)
    return summary({ archived, feeds, refreshes, warmUp, load, itemsPage, phrases, alone, busy, clients })
  } finally {
    await world.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Pairs of words that most items have, that many have, and that some have; and more than two words. */
function phrasesOf(words: readonly string[]): string[] {
  const positions = [[0, 1], [3, 7], [10, 20], [30, 40], [50, 60], [90, 110], [2, 5, 9], [20, 25, 30, 35]] // biome-ignore format: a table
  return positions.map((positions) => positions.map((at) => words[at]).join(' '))
}

function loadOf(words: readonly string[], urls: readonly string[], readers: number, users: number): Load {
  const phrases = phrasesOf(words).map((phrase) => `"${phrase}"`)
  const rest = [
    entryAt(words, 5),
    `${words[10]} ${words[30]}`,
    `-"${words[0]} ${words[1]}"`,
    `${words[40]} -"${words[3]} ${words[4]}"`,
  ]
  return {
    readers,
    users,
    pollsPerReader: 4,
    pagesPerUser: 10,
    searches: [...phrases, ...rest, ...phrases],
    previews: [
      `RETURN ALL WHERE ITEM CONTAINS "${words[60]} ${words[61]}" AND NOT ITEM CONTAINS "${words[20]}"`,
      `RETURN ALL WHERE TITLE MATCHES /${words[8]}.*${words[9]}/`,
    ],
    backups: 1,
    lists: [
      listOf(urls),
      listOf(Array.from({ length: TRIED_SOURCES }, (_, index) => `http://new-${index}.example/feed`)),
    ],
  }
}

function listOf(urls: readonly string[]): string {
  const outlines = urls.map((url, index) => `<outline text="Site ${index}" xmlUrl="${url}"/>`)
  return `<opml version="2.0"><body><outline text="Imported">${outlines.join('\n')}</outline></body></opml>`
}

interface CalmRun {
  readonly load: Load
  readonly warmUp: number
  readonly refreshes: number
}

/** A share of what is asked again and again; what is asked once or twice is cold for whoever asks. */
function warmUpOf(load: Load, share: number): Load {
  const { pollsPerReader, pagesPerUser } = load
  const counts = { pollsPerReader: share * pollsPerReader, pagesPerUser: share * pagesPerUser }
  return { ...load, ...counts, searches: [], previews: [], backups: 0, lists: [] }
}

async function crawl(
  dataDir: string,
  world: WorldProcess,
  { load, warmUp, refreshes }: CalmRun,
  say: (line: string) => void,
) {
  const node = await startCalmNode(dataDir, true)
  const until = crawlUntil(node, world)
  const alone = async () => {
    node.begin()
    await until(refreshes / 2)
    return node.end()
  }
  try {
    // The first refresh of every feed finds a window of new items.
    const first = startClients(node.url, warmUpOf(load, warmUp))
    await until(WARM_UP * refreshes, (share) => first.follow(share))
    await first.end()
    const before = await alone()
    say(`alone: ${before.refreshes} refreshes`)
    node.begin()
    const clients = startClients(node.url, load)
    let isPruned = false
    await until(refreshes, (share) => {
      clients.follow(share)
      if (share >= PRUNE_AT && !isPruned) node.prune(KEEP_ITEMS)
      isPruned ||= share >= PRUNE_AT
    })
    const answers = await clients.end()
    const busy = await node.end()
    say(`with everything: ${busy.refreshes} refreshes`)
    return { alone: [before, await alone()], busy, clients: answers }
  } finally {
    await node.stop()
  }
}

/** Waits for so many refreshes since `begin`, and lets the world go on with them. */
function crawlUntil(node: CalmNode, world: WorldProcess) {
  return async (refreshes: number, follow: (share: number) => void = () => {}): Promise<void> => {
    for (let done = 0; done < refreshes; ) {
      await systemClock.sleep(LOOK_EVERY_MS)
      const now = await node.refreshes()
      await world.advance((WORLD_MS_PER_ROUND * Math.max(0, now - done)) / world.urls.length)
      done = now
      follow(Math.min(0.999, done / refreshes))
    }
  }
}

/** CPU time of the node for a page of 50 items, while it does nothing else, the median of some rounds. */
async function itemsPageCost(dataDir: string): Promise<number> {
  const node = await startCalmNode(dataDir, false)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const pages = async (count: number) => {
      for (let page = 0; page < count; page++) await read(`${node.url}/api/items?limit=50`, agent)
    }
    await pages(WARM_UP_PAGES)
    const rounds: number[] = []
    for (let round = 0; round < PAGE_ROUNDS; round++) {
      node.begin()
      await pages(PAGES_PER_ROUND)
      rounds.push((await node.cpuMs()) / PAGES_PER_ROUND)
    }
    return median(rounds)
  } finally {
    agent.destroy()
    await node.stop()
  }
}

function read(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'accept-encoding': 'gzip' }
    get(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`))
      answer.resume().on('end', resolve)
    }).on('error', reject)
  })
}

interface CalmMeasures {
  readonly archived: number
  readonly feeds: number
  readonly refreshes: number
  readonly warmUp: number
  readonly load: Load
  readonly itemsPage: number
  readonly phrases: Awaited<ReturnType<typeof comparePhrases>>
  readonly alone: readonly MeasuredSpan[]
  readonly busy: MeasuredSpan
  readonly clients: ClientFigures
}

function summary(measures: CalmMeasures): object {
  const { archived, feeds, refreshes, warmUp, load, itemsPage, phrases, alone, busy, clients } = measures
  const perCpuSecond = (spans: readonly MeasuredSpan[]) => {
    const [count, cpuMs] = [sum(spans.map((span) => span.refreshes)), sum(spans.map((span) => span.cpuMs))]
    return (1_000 * count) / cpuMs
  }
  const [crawlAlone, withEverything] = [perCpuSecond(alone), perCpuSecond([busy])]
  const worstPhrase = Math.max(...phrases.map(({ ratio }) => ratio))
  const failed = sum(Object.values(clients).map((kind) => kind.failed))
  const verdict = (value: number, atMost: number) => ({ value: roundToPrecision(value), atMost, ok: value <= atMost })
  return {
    bench: 'calm',
    archived,
    feeds,
    refreshes,
    warmUp,
    load: { ...load, searches: load.searches.length, previews: load.previews.length, lists: load.lists.length },
    turnCpuMsP999: verdict(busy.turns.cpuMs.p999, LIMITS.turnP999Ms),
    turnCpuMsMost: verdict(busy.turns.cpuMs.most, LIMITS.turnMostMs),
    turns: { busy: busy.turns, alone: alone.map(({ turns }) => turns) },
    phraseToFts5: { ...verdict(worstPhrase, LIMITS.phraseRatio), phrases },
    itemsPageCpuMs: verdict(itemsPage, LIMITS.itemsPageMs),
    refreshesPerCpuSecond: {
      alone: roundToPrecision(crawlAlone),
      withEverything: roundToPrecision(withEverything),
      ratio: roundToPrecision(withEverything / crawlAlone),
      atLeast: LIMITS.refreshShare,
      ok: withEverything >= LIMITS.refreshShare * crawlAlone,
    },
    residentMb: {
      alone: roundToPrecision(entryAt(alone, 0).residentMb),
      withEverything: roundToPrecision(busy.residentMb),
    },
    clients: { ...clients, ok: failed === 0 },
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
