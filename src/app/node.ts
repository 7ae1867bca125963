import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import type { ReadAccess } from '../access/index.ts'
import { createServer } from '../api/server.ts'
import type { Lab, ShareService } from '../api/services.ts'
import { hostKey } from '../crawler/fetch/host-key.ts'
import type { FindPayers } from '../crawler/payments.ts'
import type { Refreshed } from '../crawler/pipeline.ts'
import { politely } from '../crawler/politeness/polite-fetcher.ts'
import { HOUR_MS, type QueryFeedId } from '../model/index.ts'
import type { FeedService } from '../publisher/feeds.ts'
import { runPublisher } from '../publisher/pipeline.ts'
import { type QueryDeps, runQueries } from '../query/pipeline.ts'
import type { LiveScheduler } from '../refresh/scheduler/live-scheduler.ts'
import { nothingShared, type SharedModels } from '../refresh/shared-models.ts'
import { steady } from '../runtime/steady-clock.ts'
import type { Layer } from '../runtime/supervisor.ts'
import { lockDataFolder } from '../store/sqlite/database/lock.ts'
import { CrawlLoop } from './crawling/crawl-loop.ts'
import { crawlerFor, fetcherFor, schedulerFor } from './crawling/crawling.ts'
import { fetcherKey } from './crawling/fetcher-key.ts'
import { createFloodWatch } from './crawling/flood-watch.ts'
import { holdQuality } from './crawling/hold-quality.ts'
import { sourceRelevance } from './crawling/importance.ts'
import { openPoliteness } from './crawling/politeness.ts'
import { noteReads } from './crawling/reading.ts'
import { retryRefused } from './crawling/refused-sources.ts'
import { createShareReader } from './crawling/shares.ts'
import { checkStrategy, strategyFor } from './crawling/strategy.ts'
import { type Data, openData } from './data/data.ts'
import { DATABASE_FILE, tightenDataFolder } from './data/data-folder.ts'
import { createDatabaseCheck, lookInProcess } from './data/database-check.ts'
import { pruneLayer } from './data/retention.ts'
import { createRoomWatch } from './data/room-watch.ts'
import type { Environment } from './environment.ts'
import { keepNodeAddress } from './node-address.ts'
import { createNodeEvents } from './node-events.ts'
import { createNodeHealth } from './node-health.ts'
import { deliveriesFor, feedServiceFor } from './publishing/publishing.ts'
import { createQualityService } from './quality/quality.ts'
import { openRecentQuality } from './quality/recent-quality.ts'
import { hasRestored, putRestored } from './services/backups.ts'
import { createServices } from './services/index.ts'
import { findPayers } from './services/payers.ts'
import { feedOrigins } from './services/queries.ts'
import { baseUrlOf } from './settings/base-url.ts'
import type { Config, SettingOrigin } from './settings/config.ts'
import { proxyCheck } from './settings/proxies.ts'
import { createAccessReader, reviewOf } from './users/access.ts'
import { ensureOwner } from './users/owner.ts'
import { VERSION, WEB_ROOT } from './version.ts'

export interface RunningNode {
  /** Where it serves, as `http://127.0.0.1:8080`. */
  readonly url: string
  readonly port: number
  readonly data: Data
  /** Rejects with what the node cannot serve at all after; never resolves. */
  readonly failed: Promise<never>
  /** For whoever runs the node: an error that nobody in this process caught. */
  readonly surprise: (error: unknown) => void
  stop(): Promise<void>
}

export interface NodeOptions {
  readonly onRefreshed?: (refreshed: Refreshed) => void
  /** Settings that were given elsewhere than in the file. */
  readonly given?: ReadonlyMap<string, SettingOrigin>
  /** For a node without an owner. */
  readonly ownerPassword?: string | undefined
  /** Whoever runs the node ends it and starts it again when this is called; absent: nobody does. */
  readonly onRestart?: () => void
  /** Tries strategies on this node's history; made by lab/, which src/ does not know. */
  readonly lab?: ((config: Config) => Lab) | null
  /** Opens the data folder; another for tests, whose store fails. */
  readonly open?: typeof openData
}

/**
 * Wires the layers and starts them: the crawler fills the item buffer, the query processor and the publisher follow it,
 * the server shows the feeds. Everything that must last is in the data folder, so starting again after any end goes on
 * from there.
 */
export async function startNode(config: Config, given: Environment, options: NodeOptions = {}): Promise<RunningNode> {
  const clock = steady(given.clock)
  const environment = { ...given, clock }
  const { logger } = environment
  // What nobody knows is refused before anything begins.
  checkStrategy(config)
  const events = createNodeEvents(clock)
  const health = createNodeHealth(environment, () => events.hub.tell({ kind: 'alarms' }))
  const supervise = health.supervisor.run
  const stopping = new AbortController()
  const { signal } = stopping
  // Every layer listens to it; that is no leak.
  setMaxListeners(0, signal)
  takeRestored(config.dataDir, environment)
  tighten(config.dataDir, environment)
  const data = await (options.open ?? openData)(config, clock, health.supervisor.watch('text index'), true)
  if (data.unsealed !== null) logger.warn({ err: data.unsealed }, 'log-ins of sources are not sealed yet')
  const lock = data.isReadOnly ? NO_LOCK : await locked(config.dataDir, data)
  await ensureOwner(options.ownerPassword, data.store, clock)
  const politeness = await openPoliteness(config, data.store, clock)
  const fetcher = fetcherFor(config, clock, politeness.resolve)
  const port = config.port === 0 ? await freePort(config.host) : config.port
  const baseUrl = baseUrlOf(config, port)
  await keepNodeAddress(baseUrl, data.store, logger)
  // On a disk without room it waits for the next start.
  await retryRefused(config, data.store, clock).catch((error: unknown) => {
    logger.warn({ err: error }, 'sources that were refused are not asked again yet')
  })
  const key = await fetcherKey(config, data)
  const reading = noteReads(feedServiceFor(config, data, clock, baseUrl), data.store, clock, key)
  const { feeds } = reading
  const recent = await openRecentQuality(data.store, clock)
  const onRefreshed = (refreshed: Refreshed) => {
    events.refreshed(refreshed)
    const { quality, state } = refreshed.record
    if (quality !== undefined) recent.note(state.lastCheckAt ?? clock.now(), quality)
    options.onRefreshed?.(refreshed)
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
  const begin = (current: Config) => {
    const scheduler = schedulerFor(current, environment, shared)
    const crawler = crawlerFor(current, data, fetcher, environment, {
      onRefreshed,
      scheduler,
      shared,
      limits: politeness.limits,
      relevance: relevanceOf(current),
      payers,
      supervise,
      room,
    })
    return {
      scheduler,
      crawler,
      beside: [wishLayer(current, scheduler, shared, data, environment, { payers, shares })],
    }
  }
  const crawling = new CrawlLoop(config, begin, supervise)
  await room.look()
  const access = createAccessReader(data.store)
  const services = createServices({
    data,
    access,
    crawling,
    fetcher: politely(fetcher, politeness.limits, clock),
    relevance: (now) => relevanceOf(crawling.config)(now),
    shares,
    noteRead: reading.note,
    slowHostMs: (url) => politeness.limits.slowMs(hostKey(url)),
    shared,
    given: options.given ?? new Map(),
    spent: (now) => recent.requestsPerMinute(now),
    lab: options.lab?.(config) ?? null,
    restart: options.onRestart ?? null,
    clock,
  })
  const server = createServer({
    ...data,
    access,
    feeds,
    quality: createQualityService(data.store, clock, recent, shares),
    api: { store: data.store, services, events: events.hub },
    webRoot: WEB_ROOT,
    health,
    clock,
    version: VERSION,
    doors: { ...config, isProxy: proxyCheck(config.trustProxy) },
    onError: (error) => logger.error({ err: error }, 'request failed'),
  })
  try {
    await server.listen({ host: config.host, port })
  } catch (error) {
    await Promise.allSettled([fetcher.close(), data.store.close()])
    lock.release()
    throw error
  }
  const check = createDatabaseCheck({
    store: data.store,
    look: (end) => lookInProcess(join(config.dataDir, DATABASE_FILE), end),
    everyMs: () => crawling.config.checkEvery,
    alarms: health.raised,
    clock,
  })
  health.watchDatabase(check.verdict)
  const deliveries = deliveriesFor(config, data, feeds, access, environment)
  const layers: readonly Layer[] = [
    { name: 'crawling', run: (end) => crawling.run(end) },
    { name: 'events', run: (end) => events.run(end) },
    { name: 'publisher', run: (end) => runPublisher({ ...data, feeds }, end) },
    { name: 'queries', run: (end) => runQueries(queryDeps(data, feeds, deliveries, access, environment), end) },
    { name: 'deliveries', run: (end) => deliveries.run(end) },
    { name: 'politeness', run: politeness.run, healthyAfterMs: null },
    { name: 'reading', run: reading.run, healthyAfterMs: null },
    { name: 'recent quality', run: recent.run, healthyAfterMs: null },
    pruneLayer(() => crawling.config, data, environment),
    check.layer,
    room.layer,
    createFloodWatch({ store: data.store, alarms: health.raised, clock }).layer,
  ]
  const running = layers.map((layer) => supervise(layer, signal).catch(health.fail))
  server.app.server.once('error', health.fail)

  return {
    url: feeds.baseUrl,
    port,
    data,
    failed: health.failed,
    surprise: health.surprise,
    async stop() {
      stopping.abort()
      await Promise.all(running)
      await server.close()
      await deliveries.close()
      await fetcher.close()
      await data.store.close()
      lock.release()
    },
  }
}

function queryDeps(
  data: Data,
  feeds: Pick<FeedService, 'markStale'>,
  deliveries: { ring(): void },
  access: ReadAccess,
  { clock, logger }: Environment,
): QueryDeps {
  return {
    ...data,
    clock,
    review: reviewOf(access),
    onPublished(changed) {
      feeds.markStale(changed.map(({ name }) => ({ kind: 'query', name })))
      deliveries.ring()
    },
    onUnreadable: ({ name, text }) =>
      logger.warn({ feed: name, text }, 'query cannot be read; its feed stays as it is'),
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

/** Of a folder that cannot be written: two nodes that only read do not disturb each other. */
const NO_LOCK = { release: () => {} }

async function locked(dataDir: string, data: Data): Promise<{ release(): void }> {
  try {
    return lockDataFolder(dataDir)
  } catch (error) {
    await data.store.close()
    throw error
  }
}

/** A backup that was given to the last run takes the place of the database, if no other node has it open. */
function takeRestored(dataDir: string, { clock, logger }: Environment): void {
  if (!hasRestored(dataDir)) return
  const lock = lockDataFolder(dataDir)
  try {
    putRestored(dataDir, clock.now())
    logger.info({ dataDir }, 'the backup was restored; what was there is kept beside it')
  } finally {
    lock.release()
  }
}

/** What others could read until now, they cannot any more, unless that would hurt. */
function tighten(dataDir: string, { logger }: Environment): void {
  if (!existsSync(dataDir)) return
  const { tightened, leftBecause } = tightenDataFolder(dataDir)
  if (tightened.length > 0) logger.warn({ dataDir, tightened }, 'closed to other users of this machine')
  if (leftBecause !== null) logger.warn({ dataDir, leftBecause }, 'others can look into the data folder')
}

/** Published feeds name their own address, so the port must be known before the server listens. */
async function freePort(host: string): Promise<number> {
  const probe = createNetServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, host, resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
