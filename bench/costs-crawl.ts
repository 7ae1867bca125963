import { HOUR_MS } from '../src/model/index.ts'
import { type CrawlBench, openCrawlBench } from './crawl-pass.ts'
import { type Cost, measureCost, median } from './rounds.ts'
import type { ServerCpu } from './server-cpu.ts'
import type { Meter } from './store-meter.ts'
import { startWorldProcess, type WorldProcess } from './world-process.ts'

const WINDOW = 20
const WARM_UPS = 3
const ROUNDS = 5
/** Until most feeds have something new. */
const ADVANCE_MS = 12 * HOUR_MS

export interface CrawlCostOptions {
  readonly url: string
  readonly folder: string
  readonly feeds: number
  readonly meter: Meter
}

interface Pass {
  readonly here: Cost
  readonly serverMs: number
  readonly logBytes: number
  readonly items: number
  readonly changed: number
}

/** The node's crawler over PostgreSQL: first looks, then passes in which nothing has changed, then passes with news. */
export async function measureCrawl({ url, folder, feeds, meter }: CrawlCostOptions) {
  const world = await startWorldProcess(feeds, WINDOW)
  try {
    return await measurePasses(await openCrawlBench(world.urls, folder, 32, feeds, url), world, feeds, meter)
  } finally {
    await world.close()
  }
}

async function measurePasses(bench: CrawlBench, world: WorldProcess, feeds: number, meter: Meter) {
  const pass = async (): Promise<Pass> => {
    let done = { items: 0, failed: 0, unchanged: 0 }
    const from = await logPosition(meter)
    let here: Cost = { cpuMs: 0, wallMs: 0 }
    const server = await meter.cost(async () => {
      here = await measureCost(async () => {
        done = await bench.pass()
      })
    })
    if (done.failed > 0) throw new Error(`${done.failed} of ${feeds} feeds failed`)
    const logBytes = (await logPosition(meter)) - from
    return { here, serverMs: sumOf(server), logBytes, items: done.items, changed: feeds - done.unchanged }
  }
  try {
    // What the compiler learns in the first passes is not what is measured.
    for (let round = 0; round < WARM_UPS; round++) await pass()
    const unchanged: Pass[] = []
    const news: Pass[] = []
    for (let round = 0; round < ROUNDS; round++) {
      unchanged.push(await pass())
      await world.advance(ADVANCE_MS)
      news.push(await pass())
    }
    const micros = (of: readonly Pass[], pick: (pass: Pass) => number) => (1_000 * median(of.map(pick))) / feeds
    const here = micros(unchanged, (one) => one.here.cpuMs)
    const there = micros(unchanged, (one) => one.serverMs)
    const log = median(unchanged.map((one) => one.logBytes)) / feeds
    const beyond = (base: number, pick: (pass: Pass) => number, per: (pass: Pass) => number) =>
      Math.max(0, median(news.map((one) => (pick(one) - base * feeds) / per(one))))
    return {
      crawler: {
        cpuMicrosPerRefresh: here,
        cpuMicrosPerDocument: beyond(
          here,
          (one) => 1_000 * one.here.cpuMs,
          (one) => one.changed,
        ),
        itemsPerDocument: median(news.map(({ items, changed }) => items / changed)),
        residentBytes: process.memoryUsage().rss,
      },
      server: {
        cpuMicrosPerRefresh: there,
        cpuMicrosPerItem: beyond(
          there,
          (one) => 1_000 * one.serverMs,
          (one) => one.items,
        ),
        logBytesPerRefresh: log,
        logBytesPerItem: beyond(
          log,
          (one) => one.logBytes,
          (one) => one.items,
        ),
      },
    }
  } finally {
    await bench.close()
  }
}

/** With those that write in the background. */
function sumOf(cpu: ServerCpu | null): number {
  return cpu === null ? 0 : cpu.backendsMs + cpu.backgroundMs
}

async function logPosition({ query }: Meter): Promise<number> {
  const [row] = await query("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes")
  return Number(row?.['bytes'])
}
