import { crawlerFor } from '../src/app/crawling/crawling.ts'
import { openData } from '../src/app/data/data.ts'
import type { Environment } from '../src/app/environment.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { withSourceDefaults } from '../src/app/sources/import-sources.ts'
import { createFetcher } from '../src/crawler/fetch/http.ts'
import { DAY_MS, type SourceId } from '../src/model/index.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { silentLogger } from '../src/runtime/logger.ts'
import { seededRandom } from '../src/runtime/random.ts'

export interface CrawlBench {
  /** Refreshes every source once, through scheduler, politeness, pipeline and store; resolves when all is stored. */
  pass(): Promise<{ readonly items: number; readonly failed: number; readonly unchanged: number }>
  itemCount(): Promise<number>
  close(): Promise<void>
}

/** The node's own crawler, on its own SQLite store or another one, with spacing and budget out of the way. */
export async function openCrawlBench(
  urls: readonly string[],
  dataDir: string,
  concurrency: number,
  idleConnections: number,
  store?: string,
): Promise<CrawlBench> {
  const flags = { budget: '100000000/min', burst: 1_000_000, hostSpacing: 0, concurrency, allowRange: ['loopback'] }
  const settings = loadConfig(dataDir, flags, {})
  const config = store === undefined ? settings : { ...settings, store }
  const environment: Environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
  const data = await openData(config, systemClock)
  const ids: SourceId[] = []
  for (let at = 0; at < urls.length; at += 500) {
    // An interval of their own keeps sources from coming round again within a pass.
    const added = urls.slice(at, at + 500).map((url) => withSourceDefaults({ url, intervalMs: DAY_MS }))
    for (const { source } of await data.store.addSources(added, systemClock.now())) ids.push(source.id)
  }
  // Connections stay open from the first pass to the second, as they do at sites that are requested again within seconds.
  const fetcher = createFetcher({
    clock: systemClock,
    allowRanges: config.allowRange,
    keepAliveMs: 30_000,
    maxIdleHosts: idleConnections,
  })

  let stopping = new AbortController()
  let counts = { items: 0, failed: 0, unchanged: 0 }
  let remaining = 0
  // One for all passes: a node does not start again between two refreshes.
  const crawler = crawlerFor(config, data, fetcher, environment, {
    onRefreshed({ added, fetched, record }) {
      counts.items += added
      if (fetched.kind === 'failed') counts.failed++
      if (record.observation?.notModified) counts.unchanged++
      if (--remaining === 0) stopping.abort()
    },
  })
  await crawler.sync()

  return {
    async pass() {
      stopping = new AbortController()
      counts = { items: 0, failed: 0, unchanged: 0 }
      remaining = ids.length
      crawler.requestRefresh(ids)
      await crawler.run(stopping.signal)
      // The store indexes text in batches; a search has it finish, so that the whole index is in the figure.
      await data.store.items({ scope: { kind: 'all' }, text: 'headwater', limit: 1 })
      return counts
    },
    async itemCount() {
      return (await data.store.counts()).items
    },
    async close() {
      await fetcher.close()
      await data.store.close()
    },
  }
}
