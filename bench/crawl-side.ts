import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepHeapSmall } from '../src/runtime/heap.ts'
import { bareLoop } from './bare-loop.ts'
import { openCrawlBench } from './crawl-pass.ts'
import { type Cost, measureCost } from './rounds.ts'

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

interface SideCommand {
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
  side: SideCommand['side'],
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

function ask(child: ChildProcess, command: SideCommand): Promise<BareRound | NodeRound> {
  return new Promise((resolve) => {
    child.once('message', (round) => resolve(round as BareRound | NodeRound))
    child.send(command)
  })
}

async function bareRound({ urls, concurrency }: SideCommand, folder: string): Promise<BareRound> {
  let items = 0
  const bare = await measureCost(async () => {
    items = await bareLoop(urls, join(folder, 'bare.db'), concurrency)
  })
  return { items, bare }
}

async function nodeRound({ urls, concurrency }: SideCommand, folder: string): Promise<NodeRound> {
  const bench = await openCrawlBench(urls, folder, concurrency, urls.length)
  const cold = await measureCost(() => bench.pass())
  let unchangedFeeds = 0
  const unchanged = await measureCost(async () => {
    unchangedFeeds = (await bench.pass()).unchanged
  })
  const items = await bench.itemCount()
  await bench.close()
  return { items, unchangedFeeds, cold, unchanged }
}

async function answer(command: SideCommand): Promise<BareRound | NodeRound> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
  try {
    return await (command.side === 'bare' ? bareRound(command, folder) : nodeRound(command, folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[2] === SIDE) {
  // As the node itself does.
  keepHeapSmall()
  process.on('message', async (command: SideCommand) => process.send?.(await answer(command)))
}
