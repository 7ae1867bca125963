import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SECOND_MS, type UserId } from '../src/model/index.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { type CalmNode, startCalmNode } from './calm-node.ts'
import { startChild } from './child-process.ts'
import { openBareSql } from './readers-bare.ts'
import type { ClientsAnswer } from './readers-clients.child.ts'
import { APP_PASSWORD, fillReadersData } from './readers-data.ts'
import { measureCost, median, roundToPrecision } from './rounds.ts'
import { startWorldProcess } from './world-process.ts'

export interface ReadersOptions {
  /** Items in the archive. */
  readonly archived?: number
  /** Sources that are followed. */
  readonly feeds?: number
  /** Apps that synchronise. */
  readonly readers?: number
  /** Over which they do. */
  readonly seconds?: number
  readonly rounds?: number
  readonly onProgress?: (line: string) => void
}

const LIMIT = 3
const CALLS_PER_ROUND = 20
/** Sources that are refreshed every second meanwhile. */
const LIVE = 50
const WINDOW = 20
const READING_LIST = 'user/-/state/com.google/reading-list'
const UNREAD = 'xt=user/-/state/com.google/read&output=json'
const CALLS = {
  ids: { path: `stream/items/ids?s=${READING_LIST}&n=10000&${UNREAD}`, limit: 10_000 },
  contents: { path: `stream/contents/${READING_LIST}?n=100&${UNREAD}`, limit: 100 },
} as const

/**
 * What a reader app costs: CPU time of the node for a page of ids and one of contents, beside the statements that read the same rows, turn by
 * turn; then how many refreshes a node makes each second while many apps synchronise, beside the same node without them.
 */
export async function benchReaders(options: ReadersOptions = {}) {
  const { archived = 1_000_000, feeds = 2_000, readers = 200, seconds = 60, onProgress: say = () => {} } = options
  const rounds = Math.max(5, options.rounds ?? 5)
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-bench-readers-'))
  const world = await startWorldProcess(LIVE, WINDOW)
  try {
    const data = { items: archived, subscriptions: feeds, liveUrls: world.urls }
    const userId = await fillReadersData(dataDir, data)
    say(`${archived} items of ${feeds} sources archived`)
    const calls = await compareCalls(dataDir, userId, rounds)
    say('calls compared')
    const syncing = await crawlBesideClients(dataDir, readers, seconds)
    const claims = Object.entries(calls).map(([name, { ratio }]) => {
      return { text: `${name}: at most ${LIMIT} times the CPU time of bare SQL`, holds: ratio <= LIMIT }
    })
    return { items: archived, subscriptions: feeds, rounds, ...calls, syncing, verdict: { claims } }
  } finally {
    await world.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function compareCalls(dataDir: string, userId: UserId, rounds: number) {
  const node = await startCalmNode(dataDir, false)
  const bare = openBareSql(dataDir, userId)
  try {
    const figures = async (name: keyof typeof CALLS) => {
      const { path, limit } = CALLS[name]
      const ours: number[] = []
      const sql: number[] = []
      // In the first the compilers still work.
      for (let round = -2; round < rounds; round++) {
        const cpuMs = await costOf(node, path)
        const cost = await measureCost(async () => {
          for (let call = 0; call < CALLS_PER_ROUND; call++) {
            const rows = bare[name](limit)
            if (rows === 0) throw new Error('nothing is unread')
          }
        })
        if (round < 0) continue
        ours.push(cpuMs / CALLS_PER_ROUND)
        sql.push(cost.cpuMs / CALLS_PER_ROUND)
      }
      const [cpuMs, sqlCpuMs] = [median(ours), median(sql)]
      const ratio = roundToPrecision(cpuMs / sqlCpuMs)
      return { cpuMs: roundToPrecision(cpuMs), sqlCpuMs: roundToPrecision(sqlCpuMs), ratio }
    }
    return { ids: await figures('ids'), contents: await figures('contents') }
  } finally {
    bare.close()
    await node.stop()
  }
}

async function costOf(node: CalmNode, path: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  node.begin()
  for (let call = 0; call < CALLS_PER_ROUND; call++) await ask(`${node.url}/reader/api/0/${path}`, agent)
  const cpuMs = await node.cpuMs()
  agent.destroy()
  return cpuMs
}

function ask(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `GoogleLogin auth=${APP_PASSWORD}` }
    get(url, { agent, headers }, (answer) => {
      answer.resume()
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`))
      answer.once('end', () => resolve())
    }).once('error', reject)
  })
}

/** Each live source asks to be refreshed every second: what is missing of that was late. */
async function crawlBesideClients(dataDir: string, readers: number, seconds: number) {
  const node = await startCalmNode(dataDir, true)
  const clients = await startChild<string, ClientsAnswer>('readers-clients.child', [node.url])
  const measured = async (work: () => Promise<ClientsAnswer | null>) => {
    node.begin()
    const start = systemClock.monotonicMs()
    const answers = await work()
    const wallS = (systemClock.monotonicMs() - start) / SECOND_MS
    const { refreshes, cpuMs, turns } = await node.end()
    return {
      refreshesPerSecond: roundToPrecision(refreshes / wallS),
      cpuShare: roundToPrecision(cpuMs / SECOND_MS / wallS),
      turnMostMs: roundToPrecision(turns.cpuMs.most),
      answers,
    }
  }
  const rest = async () => {
    await systemClock.sleep(seconds * SECOND_MS)
    return null
  }
  try {
    await systemClock.sleep(5 * SECOND_MS)
    const before = await measured(rest)
    const busy = await measured(() => clients.ask({ clients: readers, overMs: seconds * SECOND_MS }))
    const after = await measured(rest)
    const alone = median([before.refreshesPerSecond, after.refreshesPerSecond])
    const refreshShare = roundToPrecision(busy.refreshesPerSecond / alone)
    return { clients: readers, seconds, alonePerSecond: roundToPrecision(alone), busy, refreshShare }
  } finally {
    await clients.close()
    await node.stop()
  }
}
