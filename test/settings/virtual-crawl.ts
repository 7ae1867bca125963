import { documentFetcher, feedUrl } from '../../lab/live/feed-documents.ts'
import { runLive } from '../../lab/live/run-live.ts'
import { VirtualClock } from '../../lab/live/virtual-clock.ts'
import { simSource } from '../../lab/simulator/world.ts'
import type { Fetcher } from '../../src/crawler/fetch/fetcher.ts'
import { DAY_MS, type DurationMs, type InstantMs, type SourceId } from '../../src/model/index.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import type { RefreshRecord, Store } from '../../src/store/store.ts'

const START = Date.UTC(2026, 0, 5)

export interface VirtualCrawl {
  /** How often each source publishes. */
  readonly everyMs: readonly DurationMs[]
  readonly runMs: DurationMs
  readonly flags: Readonly<Record<string, unknown>>
  /** Instead of one host for each source. */
  readonly urlOf?: (index: number) => string
  readonly fetcher?: (clock: VirtualClock, usual: Fetcher) => Fetcher
  /** Sources that are added when so much time has passed. */
  readonly late?: { readonly afterMs: DurationMs; readonly everyMs: readonly DurationMs[] }
}

export interface CrawlFigures {
  readonly refreshes: readonly { readonly id: SourceId; readonly ms: DurationMs }[]
  readonly causes: ReadonlyMap<string, number>
  /** How often models were written. */
  readonly checkpoints: number
  readonly records: readonly RefreshRecord[]
  readonly store: Store
}

/** The crawler of a node through hours of virtual time, over feeds that publish like clockwork. */
export async function virtualCrawl(crawl: VirtualCrawl): Promise<CrawlFigures> {
  const clock = new VirtualClock(START)
  const intervals = [...crawl.everyMs, ...(crawl.late?.everyMs ?? [])]
  const sources = intervals.map((ms, index) => simSource(index + 1, publishedEvery(ms, crawl.runMs), 10))
  const memory = createMemoryStore({ clock })
  const causes = new Map<string, number>()
  const records: RefreshRecord[] = []
  const refreshes: { id: SourceId; ms: DurationMs }[] = []
  let checkpoints = 0
  const store: Store = {
    ...memory.store,
    async recordRefresh(record) {
      records.push(record)
      const cause = record.decision?.cause ?? 'none'
      causes.set(cause, (causes.get(cause) ?? 0) + 1)
      return memory.store.recordRefresh(record)
    },
    async saveModels(models, state) {
      checkpoints++
      return memory.store.saveModels(models, state)
    },
  }
  const usual = documentFetcher(sources, clock)
  const urlOf = crawl.urlOf ?? feedUrl
  const { late } = crawl
  await runLive({
    clock,
    data: { ...memory, store },
    fetcher: crawl.fetcher?.(clock, usual) ?? usual,
    urls: crawl.everyMs.map((_, index) => urlOf(index)),
    endMs: START + crawl.runMs,
    seed: 1,
    flags: crawl.flags,
    onRefresh: (id, at: InstantMs) => void refreshes.push({ id, ms: at - START }),
    ...(late === undefined
      ? {}
      : {
          at: [
            {
              ms: START + late.afterMs,
              action: async () => {
                const urls = late.everyMs.map((_, index) => feedUrl(crawl.everyMs.length + index))
                const { withSourceDefaults: withDefaults } = await import('../../src/app/sources/import-sources.ts')
                await store.addSources(
                  urls.map((url) => withDefaults({ url })),
                  clock.now(),
                )
              },
            },
          ],
        }),
  })
  return { refreshes, causes, checkpoints, records, store }
}

function publishedEvery(ms: DurationMs, runMs: DurationMs): Float64Array {
  const count = Math.floor((runMs + DAY_MS) / ms)
  return Float64Array.from({ length: count }, (_, k) => START - DAY_MS + (k + 1) * ms)
}
