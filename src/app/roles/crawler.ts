import type { ShareService } from '../../api/services.ts'
import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import type { FindPayers } from '../../crawler/payments.ts'
import type { Refreshed } from '../../crawler/pipeline.ts'
import type { Politeness } from '../../crawler/politeness/politeness.ts'
import type { Relevance } from '../../crawler/weights.ts'
import { HOUR_MS, type QueryFeedId } from '../../model/index.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import { nothingShared, type SharedModels } from '../../refresh/shared-models.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { CrawlLoop } from '../crawling/crawl-loop.ts'
import { crawlerFor, fetcherFor, schedulerFor } from '../crawling/crawling.ts'
import { createFloodWatch } from '../crawling/flood-watch.ts'
import { holdQuality } from '../crawling/hold-quality.ts'
import { sourceRelevance } from '../crawling/importance.ts'
import { openPoliteness } from '../crawling/politeness.ts'
import { retryRefused } from '../crawling/refused-sources.ts'
import { createShareReader } from '../crawling/shares.ts'
import { strategyFor } from '../crawling/strategy.ts'
import type { Data } from '../data/data.ts'
import { createRoomWatch } from '../data/room-watch.ts'
import type { Environment } from '../environment.ts'
import { openRecentQuality, type RecentQuality } from '../quality/recent-quality.ts'
import { findPayers } from '../services/payers.ts'
import { feedOrigins } from '../services/queries.ts'
import type { Config } from '../settings/config.ts'
import type { Ground, Role } from './role.ts'

export interface CrawlerRoleOptions {
  readonly onRefreshed: (refreshed: Refreshed) => void
  /** When a folder that could only be read can be written; absent: nobody can start the node again. */
  readonly onRestart?: (() => void) | undefined
}

/** Refreshes sources when it is worth most, and fills the item buffer. */
export interface CrawlerRole extends Role {
  /** With the settings of the moment. */
  readonly crawling: CrawlLoop
  readonly fetcher: Fetcher
  readonly limits: Politeness
  readonly recent: RecentQuality
  readonly shares: ShareService
  readonly shared: SharedModels
  readonly relevance: Relevance
}

export async function crawlerRole(ground: Ground, options: CrawlerRoleOptions): Promise<CrawlerRole> {
  const { config, data, environment, health } = ground
  const { clock, logger } = environment
  const politeness = await openPoliteness(config, data.store, clock)
  const fetcher = fetcherFor(config, clock, politeness.resolve)
  // On a disk without room it waits for the next start.
  await retryRefused(config, data.store, clock).catch((error: unknown) => {
    logger.warn({ err: error }, 'sources that were refused are not asked again yet')
  })
  const recent = await openRecentQuality(data.store, clock)
  const onRefreshed = (refreshed: Refreshed) => {
    const { quality, state } = refreshed.record
    if (quality !== undefined) recent.note(state.lastCheckAt ?? clock.now(), quality)
    options.onRefreshed(refreshed)
  }
  const shares = createShareReader(data.store)
  const relevanceOf = (current: Config) => sourceRelevance(data.store, current.archiveShare, shares, current)
  const payers = findPayers(data.store, () => feedOrigins(data.store))
  const shared = nothingShared()
  const room = createRoomWatch({
    dataDir: config.dataDir,
    maxBytes: () => crawling.config.maxData,
    freeBytes: data.freeBytes,
    alarms: health.raised,
    clock,
    onWritable: data.isReadOnly ? (options.onRestart ?? null) : null,
  })
  const supervise = health.supervisor.run
  const { limits } = politeness
  const begin = (current: Config) => {
    const scheduler = schedulerFor(current, environment, shared)
    const relevance = relevanceOf(current)
    const deps = { onRefreshed, scheduler, shared, limits, relevance, payers, supervise, room }
    const crawler = crawlerFor(current, data, fetcher, environment, deps)
    return {
      scheduler,
      crawler,
      beside: [wishLayer(current, scheduler, shared, data, environment, { payers, shares })],
    }
  }
  const crawling = new CrawlLoop(config, begin, supervise)
  await room.look()
  return {
    crawling,
    fetcher,
    limits,
    recent,
    shares,
    shared,
    relevance: (now) => relevanceOf(crawling.config)(now),
    layers: [
      { name: 'crawling', run: (end) => crawling.run(end) },
      { name: 'politeness', run: politeness.run, healthyAfterMs: null },
      { name: 'recent quality', run: recent.run, healthyAfterMs: null },
      room.layer,
      createFloodWatch({ store: data.store, alarms: health.raised, clock }).layer,
    ],
    close: () => fetcher.close(),
  }
}

/** With a wished quality the budget is the most, and the least that gives it is held; users and query feeds may have wishes. */
function wishLayer(
  { quality: wish, ...config }: Config,
  scheduler: LiveScheduler,
  shared: SharedModels,
  { store }: Data,
  { clock, logger }: Environment,
  { payers, shares }: { readonly payers: FindPayers; readonly shares: ShareService },
): Layer {
  return {
    name: 'wish',
    healthyAfterMs: 2 * HOUR_MS,
    async run(signal) {
      // A strategy that goes in cycles spends for all alike.
      if (config.threshold === 'thesis') return
      const strategy = strategyFor(config, shared)
      const sharesOf = async (id: QueryFeedId) =>
        new Map((await shares.ofFeed(id)).map(({ sourceId, share }) => [sourceId, share]))
      const wished = { wish: wish ?? null, most: config.budget, payers, shares: sharesOf }
      await holdQuality({ scheduler, strategy, store, clock, logger, ...wished }, signal)
    },
  }
}
