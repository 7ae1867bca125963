import { crawlerFor } from '../../src/app/crawling/crawling.ts'
import type { Data } from '../../src/app/data/data.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import type { Fetcher } from '../../src/crawler/fetch/fetcher.ts'
import type { FindPayers } from '../../src/crawler/payments.ts'
import { type InstantMs, MINUTE_MS, type SourceId, type SourceSettings } from '../../src/model/index.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import type { VirtualClock } from './virtual-clock.ts'
import { queueWrites } from './write-queue.ts'

export interface LiveRun {
  readonly clock: VirtualClock
  readonly data: Data
  readonly fetcher: Fetcher
  /** Address of each source; its id in the store is its place + 1 in a fresh store. */
  readonly urls: readonly string[]
  readonly endMs: InstantMs
  readonly seed: number
  /** As on the command line. */
  readonly flags: Readonly<Record<string, unknown>>
  /** False: tables over all sources stay as they are, as in the simulator. */
  readonly sharedTables?: boolean
  /** Of each source beside its address; absent: nothing. */
  readonly settingsOf?: (index: number) => Partial<SourceSettings>
  /** Who pays for each source; absent: one pays for all. */
  readonly payers?: FindPayers
  readonly onRefresh?: (id: SourceId, at: InstantMs) => void
  /**
   * Refreshes that may wait for company in the archive's commit while time goes on. 0: lock-step, everything is stored
   * before time moves.
   */
  readonly writesUnderWay?: number
  /** Called when virtual time has come to these moments. */
  readonly at?: readonly { readonly ms: InstantMs; readonly action: () => void | Promise<void> }[]
}

/** The real crawler with pipeline and store, one refresh after the other in virtual time. */
export async function runLive(run: LiveRun): Promise<void> {
  const { clock } = run
  const most = run.writesUnderWay ?? 0
  const writing = queueWrites(run.data, clock, most)
  const { data } = writing
  // Strategies are compared as they were published.
  const usual = { concurrency: 2 * most + 1, hostSpacing: 0, checkpoint: '10min', afterLoss: 'strategy' }
  const config = loadConfig('none', { ...usual, ...run.flags }, {})
  await data.store.addSources(
    run.urls.map((url, index) => withSourceDefaults({ ...run.settingsOf?.(index), url })),
    clock.now(),
  )
  const environment = { clock, random: seededRandom(run.seed), logger: silentLogger }
  const stopping = new AbortController()
  const crawler = crawlerFor(config, data, run.fetcher, environment, {
    // Nobody else changes anything.
    syncMs: 10 * MINUTE_MS,
    ...(run.sharedTables ? {} : { shared: 'none' as const }),
    ...(run.payers === undefined ? {} : { payers: run.payers }),
    onRefreshed: ({ record }) => run.onRefresh?.(record.sourceId, record.state.lastCheckAt!),
  })
  let failure: unknown = null
  const running = crawler.run(stopping.signal).catch((error) => {
    failure = error
  })
  const isBusy = () => {
    if (failure !== null) throw failure
    writing.release(false)
    return writing.pending() > 2 * most || crawler.busy > (most > 0 ? writing.pending() : 0)
  }
  for (const { ms, action } of run.at ?? []) {
    await clock.runUntil(ms, isBusy)
    writing.release()
    await action()
  }
  await clock.runUntil(run.endMs, isBusy)
  writing.release()
  stopping.abort()
  clock.wakeAll()
  await running
}
