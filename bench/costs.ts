import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import type { UnitCosts } from '../lab/experiments/cluster-scale/unit-costs.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { HeadwaterError } from '../src/runtime/errors.ts'
import { measureCrawl } from './costs-crawl.ts'
import { heapPerSource } from './costs-heap.ts'
import { measureMatching } from './costs-match.ts'
import { measureDraws, measurePublications, measureTables } from './costs-server.ts'
import { roundToPrecision } from './rounds.ts'
import { type Meter, openEmpty } from './store-meter.ts'

export interface BenchCostsOptions {
  readonly store?: string
  readonly feeds?: number
  readonly corpora?: string
  readonly onProgress?: (line: string) => void
}

const FEEDS = 1_000
/** The heap is measured by what it grows with so many more sources. */
const HEAP_SOURCES_PER_FEED = 20

/**
 * What one of each costs: a refresh, an item, a publication, a draw, a source, a row; through the real crawler, matcher and
 * PostgreSQL. `headwater lab run cluster-scale` multiplies with it.
 */
export async function benchCosts(options: BenchCostsOptions): Promise<UnitCosts> {
  const { store, feeds = FEEDS, onProgress: tell = () => {} } = options
  if (store === undefined)
    throw new HeadwaterError('USAGE', 'bench costs needs --store postgres://…, an empty database')
  const meter = await openEmpty(store)
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
  try {
    if (!meter.isLocal)
      throw new HeadwaterError('USAGE', 'the server must be on this machine: its CPU time is read here')
    tell(`crawling ${feeds} feeds`)
    const crawl = await measureCrawl({ url: store, folder, feeds, meter })
    tell('publications and grants')
    const access = { url: store, keyFile: join(folder, 'headwater.key'), meter }
    // What a matcher has read is gone from the buffer: that is measured before.
    const { buffer_entry } = await measureTables(meter)
    const cpuMicrosPerPublication = await measurePublications(access)
    const cpuMicrosPerDraw = await measureDraws(access)
    const bytesPerRow = { ...(await measureTables(meter)), buffer_entry }
    tell('matching')
    const matcher = await measureMatching(options.corpora)
    tell('memory')
    const heapBytesPerSource = await heapPerSource(feeds, HEAP_SOURCES_PER_FEED)
    const costs: UnitCosts = {
      measured: {
        with: 'headwater bench costs --store postgres://… --json',
        at: new Date(systemClock.now()).toISOString().slice(0, 10),
        machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
        node: process.version,
        server: await serverWith(meter),
      },
      crawler: { ...crawl.crawler, heapBytesPerSource },
      matcher,
      server: { ...crawl.server, cpuMicrosPerPublication, cpuMicrosPerDraw },
      bytesPerRow,
    }
    return rounded(costs)
  } finally {
    await meter.dropAll()
    await meter.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How much it writes depends on these. */
async function serverWith({ version, query }: Meter): Promise<string> {
  const [row] = await query(
    "SELECT current_setting('full_page_writes') AS pages, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
  )
  return `${version}, full_page_writes ${row?.['pages']}, fsync ${row?.['fsync']}, synchronous_commit ${row?.['commit']}`
}

function rounded<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_key, each: unknown) => (typeof each === 'number' ? roundToPrecision(each) : each)),
  ) as T
}
