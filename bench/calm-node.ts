import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startNode } from '../src/app/node.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { entryAt } from '../src/model/entry-at.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { keepHeapSmall } from '../src/runtime/heap.ts'
import { silentLogger } from '../src/runtime/logger.ts'
import { seededRandom } from '../src/runtime/random.ts'
import type { TurnFigures } from './loop-meter.ts'

/** What the node did between `begin` and `end`. */
export interface MeasuredSpan {
  readonly turns: TurnFigures
  readonly refreshes: number
  /** CPU time of all threads of the node. */
  readonly cpuMs: number
  readonly residentMb: number
}

export interface CalmNode {
  readonly url: string
  begin(): void
  end(): Promise<MeasuredSpan>
  /** Refreshes since `begin`. */
  refreshes(): Promise<number>
  /** CPU time since `begin`. */
  cpuMs(): Promise<number>
  /** Removes what is beyond so many items of each source, as the node does every hour. */
  prune(keepItems: number): void
  stop(): Promise<void>
}

const NODE = 'calm-node'
/** Beyond what the crawler can do: everything is refreshed as often as its own interval says. */
const CRAWL_FLAGS = { budget: '100000000/min', burst: 1_000_000, hostSpacing: 0, minInterval: '1s' }

type NodeCommand = 'begin' | 'end' | 'refreshes' | 'cpuMs'

/** A node in a process of its own that counts its refreshes and the turns of its event loop. */
export async function startCalmNode(dataDir: string, crawls: boolean): Promise<CalmNode> {
  const main = fileURLToPath(import.meta.url.replace(/\/bench\/calm-node\.ts$/, '/dist/bench/calm-node.js'))
  const child = fork(main, [NODE, dataDir, crawls ? 'crawls' : 'rests'], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const failed = exited.then((code) => Promise.reject(new Error(`the node ended with ${code}`)))
  failed.catch(() => {})
  const { url } = (await Promise.race([nextMessage(child), failed])) as { url: string }
  const ask = (command: NodeCommand) => {
    const answer = Promise.race([nextMessage(child), failed])
    child.send(command)
    return answer
  }
  return {
    url,
    begin: () => child.send('begin' satisfies NodeCommand),
    end: async () => (await ask('end')) as MeasuredSpan,
    refreshes: async () => (await ask('refreshes')) as number,
    cpuMs: async () => (await ask('cpuMs')) as number,
    prune: (keepItems) => child.send({ keepItems }),
    async stop() {
      child.disconnect()
      await exited
    },
  }
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('message', resolve))
}

async function main(dataDir: string, crawls: boolean): Promise<void> {
  // As the node itself does.
  keepHeapSmall()
  const flags = crawls ? CRAWL_FLAGS : { budget: '1/day' }
  const config = loadConfig(dataDir, { ...flags, port: 0, logLevel: 'silent', allowRange: ['loopback'] }, {})
  let refreshes = 0
  const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
  const node = await startNode(config, environment, { onRefreshed: () => void refreshes++ })
  // Loaded here alone: it warns of what is experimental in Node.
  const { LoopMeter } = await import('./loop-meter.ts')
  // Reading the clocks in every turn takes some 4 % of a page of items: a node whose turns nobody asks for is left alone.
  const meter = crawls ? new LoopMeter() : null
  let cpu = process.cpuUsage()
  const cpuMs = () => {
    const { user, system } = process.cpuUsage(cpu)
    return (user + system) / 1_000
  }
  const answers: Record<NodeCommand, () => MeasuredSpan | number | null> = {
    begin() {
      refreshes = 0
      cpu = process.cpuUsage()
      meter?.begin()
      return null
    },
    end() {
      if (meter === null) throw new Error('turns are measured only while the node crawls')
      const residentMb = process.memoryUsage().rss / 1024 ** 2
      return { turns: meter.end(), refreshes, cpuMs: cpuMs(), residentMb }
    },
    refreshes: () => refreshes,
    cpuMs,
  }
  process.on('message', (command: NodeCommand | { readonly keepItems: number }) => {
    if (typeof command === 'object') {
      const policy = { maxAgeMs: null, maxItemsPerSource: command.keepItems, maxObservationAgeMs: null }
      void node.data.store.prune(policy, systemClock.now())
      return
    }
    const answer = answers[command]()
    if (answer !== null) process.send?.(answer)
  })
  process.on('disconnect', () => void node.stop())
  process.send?.({ url: node.url })
}

if (process.argv[2] === NODE) await main(entryAt(process.argv, 3), process.argv[4] === 'crawls')
