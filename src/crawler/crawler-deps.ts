import type { ItemBuffer } from '../buffer/buffer.ts'
import type { DurationMs, Random, SourceId } from '../model/index.ts'
import type { LiveScheduler } from '../refresh/scheduler/live-scheduler.ts'
import type { Logger } from '../runtime/logger.ts'
import type { SteadyClock } from '../runtime/steady-clock.ts'
import type { Supervise } from '../runtime/supervisor.ts'
import type { Store } from '../store/store.ts'
import type { BundleRules } from './bundles/bundle-keeper.ts'
import type { DiskSpace } from './disk-space.ts'
import type { Fetcher } from './fetch/fetcher.ts'
import type { FindPayers } from './payments.ts'
import type { PipelineDeps, refreshSource, SourceRefresh } from './pipeline.ts'
import type { Politeness } from './politeness/politeness.ts'
import type { HostMemory } from './shard-work.ts'
import type { SharedModelStore } from './shared/shared-model-store.ts'
import type { Territory } from './territory.ts'
import type { Relevance } from './weights.ts'

export interface CrawlerDeps {
  readonly store: Store
  readonly buffer: Pick<ItemBuffer, 'waitForRoom'>
  readonly fetcher: Fetcher
  readonly parse: PipelineDeps['parse']
  readonly refresh?: typeof refreshSource
  readonly scheduler: LiveScheduler
  readonly limits: Politeness
  readonly clock: SteadyClock
  readonly random: Random
  readonly logger: Logger
  /** Only these sources; all of them without it. */
  readonly only?: ReadonlySet<SourceId>
  /** The shards of which it refreshes the sources, beside other crawlers; absent: all, and there is no other. */
  readonly territory?: Territory
  /** With a territory: what was learnt of hosts, as it goes from crawler to crawler; absent: nothing does. */
  readonly hostMemory?: HostMemory
  /** Refreshes under way at once, over all hosts. */
  readonly concurrency: number
  /** Older pages that one refresh may read after a loss. */
  readonly mostPages: number
  /** Folders of whose sources the pages of new items are fetched. */
  readonly pageFolders: readonly string[]
  /** Models and price are written to the store this often. */
  readonly checkpointMs: DurationMs
  /** How soon a source added or asked for by another process is noticed; usually a second. */
  readonly syncMs?: DurationMs
  /** How much of each source is read; without it everything counts alike. */
  readonly relevance?: Relevance
  /** Who pays for each source; without it one does for all. */
  readonly payers?: FindPayers
  /** What the strategy learns of all sources together; absent: nothing. */
  readonly shared?: SharedModelStore
  /** Which sources one request may show together; absent: none. */
  readonly bundleRules?: BundleRules
  /** Asked before every refresh: nothing is fetched that could not be kept. */
  readonly disk: DiskSpace
  readonly onRefreshed?: (refreshed: SourceRefresh) => void
  /** Of what goes on beside the crawl; without one a failure there ends the crawl. */
  readonly supervise?: Supervise
}
