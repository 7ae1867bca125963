import type { ShareService } from '../../api/services.ts'
import type { PageReader } from '../../articles/visit-page.ts'
import { ENDLESS_DISK } from '../../crawler/disk-space.ts'
import type { FindPayers } from '../../crawler/payments.ts'
import { tracedRefresh } from '../../crawler/traced-refresh.ts'
import { HOUR_MS, type QueryFeedId } from '../../model/index.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import { noSharedModels, type SharedModels } from '../../refresh/shared-models.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { articlePagesLayers } from '../crawling/article-pages.ts'
import { fundInCommon } from '../crawling/common-funding.ts'
import { CrawlLoop } from '../crawling/crawl-loop.ts'
import { crawlerFor, fundedSchedulerFor, schedulerFor } from '../crawling/crawling.ts'
import { createFloodWatch } from '../crawling/flood-watch.ts'
import { type HoldDeps, holdQuality } from '../crawling/hold-quality.ts'
import { iconLayers } from '../crawling/icons.ts'
import { sourceRelevance } from '../crawling/importance.ts'
import { leaseCrawl } from '../crawling/leased-crawl.ts'
import { retryRefusedSources } from '../crawling/refused-sources.ts'
import { createShareReader } from '../crawling/shares.ts'
import { strategyFor } from '../crawling/strategy.ts'
import { createDiskSpaceWatch, type DiskSpaceWatch } from '../data/disk-watch.ts'
import type { Data } from '../data/opened-data.ts'
import { pruneLayer } from '../data/retention.ts'
import type { Environment } from '../environment.ts'
import { heedRequests, pushLayers } from '../push/push-layers.ts'
import { refreshReport, reportRefreshes } from '../refresh-reports.ts'
import { findPayers } from '../services/payers.ts'
import { feedOrigins } from '../services/queries.ts'
import type { Config } from '../settings/config.ts'
import { createTraceExporter, type TraceExporter } from '../tracing/trace-exporter.ts'
import { VERSION } from '../version.ts'
import type { NodeRole, RoleContext } from './role.ts'

export interface CrawlerRoleOptions {
  /** When a folder that could only be read can be written; null: nobody can start the node again. */
  readonly restart: (() => void) | null
  /** Takes articles out of their pages; null: pages wait for a node that has one. */
  readonly openExtractor: (() => Promise<PageReader>) | null
}

/** Refreshes sources when it is worth most, fills the item buffer, and removes what is no longer kept. */
export async function crawlerRole(ground: RoleContext, options: CrawlerRoleOptions): Promise<NodeRole> {
  const { settings, data, environment, health, wires } = ground
  const { restart, openExtractor } = options
  const { clock, logger } = environment
  const web = await ground.web()
  // On a disk without room it waits for the next start.
  await retryRefusedSources(ground.config, data.store, clock).catch((error: unknown) => {
    logger.warn({ err: error }, 'sources that were refused are not asked again yet')
  })
  const sharing = await ground.sharing()
  const fetcher = sharing?.wrap(web.fetcher) ?? web.fetcher
  const shares = createShareReader(data.store)
  const payers = findPayers(data.store, () => feedOrigins(data.store))
  const shared = noSharedModels()
  const disk = watchRoom(ground, data.isReadOnly ? restart : null)
  const supervise = health.supervisor.run
  const { hostMemory } = web
  const { cluster } = data
  const leased = cluster && leaseCrawl(ground.config, cluster.leases, ground.member, environment, hostMemory)
  let lives = 0
  let relearn: LiveScheduler['relearn'] = () => false
  const begin = (current: Config) => {
    const common =
      leased &&
      cluster &&
      fundInCommon(
        { cluster, memberId: ground.member.id, life: ++lives, hasLease: leased.controllerToken, clock },
        (fund) => fundedSchedulerFor(current, environment, shared, fund),
      )
    const scheduler = common?.scheduler ?? schedulerFor(current, environment, shared)
    relearn = (id, past) => scheduler.relearn(id, past)
    const relevance = sourceRelevance(data.store, current.archiveShare, shares, current)
    const onRefreshed = wires.refreshed.tell
    const known = { scheduler, shared, payers, ...(leased && { territory: leased.territory, hostMemory }) }
    const traces = traceExporterFor(current, ground)
    const refresh = traces && { refresh: tracedRefresh(traces.take) }
    const deps = {
      ...known,
      ...refresh,
      onRefreshed,
      limits: web.limits,
      relevance,
      supervise,
      disk: disk ?? ENDLESS_DISK,
    }
    const crawler = crawlerFor(current, data, fetcher, environment, deps)
    const wishes = wishLayer(current, scheduler, shared, data, environment, {
      payers,
      shares,
      ...(common && { commonBudget: common.commonBudget }),
    })
    const { disk: space } = deps
    const territory = leased && { territory: leased.territory }
    const fetching = { data, web, environment, scheduler, disk: space, ...territory }
    const pages = openExtractor === null ? [] : articlePagesLayers(current, { ...fetching, openExtractor })
    return {
      crawler,
      beside: [
        wishes,
        heedRequests(crawler, data.notifier, clock),
        ...pages,
        ...iconLayers(current, fetching),
        ...(common?.layers(() => crawler.lookAgain()) ?? []),
        ...(traces === null ? [] : [traces.layer]),
      ],
    }
  }
  const crawling = new CrawlLoop(settings.current(), begin, supervise)
  settings.onChange((config) => crawling.change(config))
  await disk?.look()
  const crawl: Layer = { name: 'crawling', run: (end) => crawling.run(end) }
  return {
    layers: [
      leased?.during(crawl) ?? crawl,
      { name: 'politeness', run: web.save, healthyAfterMs: null },
      ...(disk === null ? [] : [disk.layer]),
      createFloodWatch({ store: data.store, alarms: health.raised, clock }).layer,
      pruneLayer(settings.current, data, environment),
      ...pushLayers({
        ...ground,
        listen: wires.refreshed.listen,
        hubs: shared.hubs,
        territory: leased?.territory ?? null,
      }),
      ...(sharing === null ? [] : [sharing.layer(shared.hubs, (id, past) => relearn(id, past))]),
      ...reporting(ground),
    ],
    close: async () => {},
  }
}

/** null: nobody asked for traces. */
function traceExporterFor({ traceUrl }: Config, { member, environment }: RoleContext): TraceExporter | null {
  if (traceUrl === undefined) return null
  return createTraceExporter(traceUrl, { version: VERSION, instance: member.id }, environment)
}

/** null: the data is on no disk of this machine. */
function watchRoom(
  { data, settings, health, environment }: RoleContext,
  onWritable: (() => void) | null,
): DiskSpaceWatch | null {
  if (data.disk === null) return null
  const maxBytes = () => settings.current().maxData
  return createDiskSpaceWatch({
    disk: data.disk,
    maxBytes,
    alarms: health.raised,
    clock: environment.clock,
    onWritable,
  })
}

/** An API in another process hears of refreshes through the store. In a cluster there may always be one. */
function reporting({ roles, wires, data, environment: { clock } }: RoleContext): readonly Layer[] {
  if (roles.has('api') && data.cluster === null) return []
  const reports = reportRefreshes(data.store, clock)
  wires.refreshed.listen((refreshed) => reports.note(refreshReport(refreshed, clock.now())))
  return [reports.layer]
}

interface WishPayers extends Pick<HoldDeps, 'commonBudget'> {
  readonly payers: FindPayers
  readonly shares: ShareService
}

/** With a wished quality the budget is the most, and the least that gives it is held; users and query feeds may have wishes. */
function wishLayer(
  { quality: wish, ...config }: Config,
  scheduler: LiveScheduler,
  shared: SharedModels,
  { store }: Data,
  { clock, logger }: Environment,
  { payers, shares, ...common }: WishPayers,
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
      const options = { wish: wish ?? null, most: config.budget, payers, shares: sharesOf, ...common }
      await holdQuality({ scheduler, strategy, store, clock, logger, ...options }, signal)
    },
  }
}
