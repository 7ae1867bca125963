import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepHeapSmall } from '../src/runtime/heap.ts'
import { bareLoop } from './bare-loop.ts'
import { openCrawlBench } from './crawl-pass.ts'
import { type Cost, costOf } from './rounds.ts'

export interface BareRound {
  readonly items: number
  readonly bare: Cost
}

export interface NodeRound {
  readonly items: number
  readonly unchangedFeeds: number
  readonly cold: Cost
  readonly unchanged: Cost
}

interface Asked {
  readonly side: 'bare' | 'node'
  readonly urls: readonly string[]
  readonly concurrency: number
}

/**
 * One side of the comparison in a process of its own, as both would run: in one process each pays for the other's
 * garbage, and the compiler sees the types of both.
 */
export interface CrawlSide<Round> {
  round(): Promise<Round>
  close(): Promise<void>
}

export function startSide(side: 'bare', urls: readonly string[], concurrency: number): CrawlSide<BareRound>
export function startSide(side: 'node', urls: readonly string[], concurrency: number): CrawlSide<NodeRound>
export function startSide(
  side: Asked['side'],
  urls: readonly string[],
  concurrency: number,
): CrawlSide<BareRound | NodeRound> {
  const child = fork(fileURLToPath(import.meta.url), [SIDE])
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const failed = exited.then((code) => Promise.reject(new Error(`a side of the bench ended with ${code}`)))
  failed.catch(() => {})
  return {
    round: () => Promise.race([ask(child, { side, urls, concurrency }), failed]),
    async close() {
      child.disconnect()
      await exited
    },
  }
}

const SIDE = 'crawl-side'

function ask(child: ChildProcess, asked: Asked): Promise<BareRound | NodeRound> {
  return new Promise((resolve) => {
    child.once('message', (round) => resolve(round as BareRound | NodeRound))
    child.send(asked)
  })
}

async function bareRound({ urls, concurrency }: Asked, folder: string): Promise<BareRound> {
  let items = 0
  const bare = await costOf(async () => {
    items = await bareLoop(urls, join(folder, 'bare.db'), concurrency)
  })
  return { items, bare }
}

async function nodeRound({ urls, concurrency }: Asked, folder: string): Promise<NodeRound> {
  const bench = await openCrawlBench(urls, folder, concurrency, urls.length)
  const cold = await costOf(() => bench.pass())
  let unchangedFeeds = 0
  const unchanged = await costOf(async () => {
    unchangedFeeds = (await bench.pass()).unchanged
  })
  const items = await bench.itemCount()
  await bench.close()
  return { items, unchangedFeeds, cold, unchanged }
}

async function answer(asked: Asked): Promise<BareRound | NodeRound> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
  try {
    return await (asked.side === 'bare' ? bareRound(asked, folder) : nodeRound(asked, folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[2] === SIDE) {
  // As the node itself does.
  keepHeapSmall()
  process.on('message', async (asked: Asked) => process.send?.(await answer(asked)))
}
