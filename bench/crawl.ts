import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type BareRound, type NodeRound, startSide } from './crawl-side.ts'
import { type Cost, median, medianCost, roundToPrecision } from './rounds.ts'
import { startWorldProcess } from './world-process.ts'

const FEEDS = 1_000
const ITEMS = 20
const CONCURRENCY = 32
const WARM_UPS = 4
/** Pairs of processes, one after the other: they differ by 7 % from each other, single rounds by as much. */
const PAIRS = 5

export interface BenchCrawlOptions {
  readonly rounds?: number
  readonly onProgress?: (line: string) => void
}

/**
 * Cold refresh of 1,000 feeds × 20 items from a server in another process: the node's crawler with everything it does
 * (scheduling, politeness, identity, observations, archive with full-text index, item buffer) beside a bare loop; then a
 * second pass in which nothing has changed (304). The two sides take turns, each in processes of its own. Memory in
 * further processes.
 */
export async function benchCrawl(options: BenchCrawlOptions): Promise<object> {
  const rounds = Math.max(5, options.rounds ?? 25)
  const world = await startWorldProcess(FEEDS, ITEMS)
  try {
    const results: Round[] = []
    let done = 0
    const tell = (what: string) => options.onProgress?.(what)
    const onRound = () => tell(`${++done} of ${rounds + PAIRS * WARM_UPS} rounds, ${WARM_UPS} of each pair to warm up`)
    for (let pair = 0; pair < PAIRS; pair++) {
      results.push(...(await roundsOfPair(world.urls, Math.ceil((rounds - results.length) / (PAIRS - pair)), onRound)))
    }
    tell('memory with 1,000 and with 10,000 sources')
    return { ...summary(results, rounds), memory: await memory() }
  } finally {
    await world.close()
  }
}

async function roundsOfPair(urls: readonly string[], rounds: number, onRound: () => void): Promise<Round[]> {
  const bare = startSide('bare', urls, CONCURRENCY)
  const node = startSide('node', urls, CONCURRENCY)
  const round = async (): Promise<Round> => {
    const both = checked({ ...(await bare.round()), ...(await node.round()) })
    onRound()
    return both
  }
  const results: Round[] = []
  try {
    // A node runs for months: what the compiler learns in the first rounds is not what is measured.
    for (let i = 0; i < WARM_UPS; i++) await round()
    while (results.length < rounds) results.push(await round())
  } finally {
    await Promise.all([bare.close(), node.close()])
  }
  return results
}

type Round = BareRound & NodeRound

function checked(round: Round): Round {
  if (round.items !== FEEDS * ITEMS) throw new Error(`stored ${round.items} items instead of ${FEEDS * ITEMS}`)
  if (round.unchangedFeeds !== FEEDS)
    throw new Error(`${round.unchangedFeeds} of ${FEEDS} unchanged in the second pass`)
  return round
}

function summary(results: readonly Round[], rounds: number): object {
  const perSecond = (cost: Cost) => ({
    feedsPerCpuSecond: roundToPrecision((FEEDS * 1_000) / cost.cpuMs),
    feedsPerSecond: roundToPrecision((FEEDS * 1_000) / cost.wallMs),
  })
  const ratio = (pick: (r: Round) => number) => roundToPrecision(median(results.map(pick)))
  return {
    feeds: FEEDS,
    itemsPerFeed: ITEMS,
    rounds,
    bareLoop: perSecond(medianCost(results.map((r) => r.bare))),
    cold: perSecond(medianCost(results.map((r) => r.cold))),
    unchanged: perSecond(medianCost(results.map((r) => r.unchanged))),
    ratios: {
      coldToBareLoop: ratio((r) => r.bare.cpuMs / r.cold.cpuMs),
      coldToBareLoopWall: ratio((r) => r.bare.wallMs / r.cold.wallMs),
      unchangedToCold: ratio((r) => r.cold.cpuMs / r.unchanged.cpuMs),
      unchangedToColdWall: ratio((r) => r.cold.wallMs / r.unchanged.wallMs),
    },
  }
}

/** Resident memory after two passes, in a process that does nothing else. */
async function memory(): Promise<object> {
  const small = await residentMb(1_000)
  const large = await residentMb(10_000)
  return { sources1000Mb: small, sources10000Mb: large, growthMb: roundToPrecision(large - small) }
}

async function residentMb(sources: number): Promise<number> {
  const main = fileURLToPath(new URL('./crawl-memory.js', import.meta.url))
  const child = spawn(process.execPath, [main, String(sources)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await text(child.stdout)).residentMb
}
