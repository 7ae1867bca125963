import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { createServer } from '../api/server.ts'
import type { Refreshed } from '../crawler/pipeline.ts'
import { HOUR_MS } from '../model/index.ts'
import type { FeedService } from '../publisher/feeds.ts'
import { runPublisher } from '../publisher/pipeline.ts'
import { type QueryDeps, runQueries } from '../query/pipeline.ts'
import type { Scheduler } from '../refresh/scheduler/scheduler.ts'
import { lockDataFolder } from '../store/sqlite/lock.ts'
import type { Config } from './config.ts'
import { crawlerFor, type Environment, fetcherFor, schedulerFor } from './crawling.ts'
import { type Data, openData } from './data.ts'
import { holdQuality } from './least-budget.ts'
import { openPoliteness } from './politeness.ts'
import { deliveriesFor, feedServiceFor } from './publishing.ts'
import { createQualityService } from './quality.ts'
import { noteReads, readRelevance } from './reading.ts'
import { strategyFor } from './strategy.ts'
import { VERSION } from './version.ts'

export interface RunningNode {
  /** Where it serves, as `http://127.0.0.1:8080`. */
  readonly url: string
  readonly data: Data
  /** Resolves when the node has stopped by itself, which only a surprise makes it do; rejects with it. */
  readonly failed: Promise<never>
  stop(): Promise<void>
}

const PRUNE_EVERY_MS = HOUR_MS

/**
 * Wires the layers and starts them: the crawler fills the item buffer, the query processor and the publisher follow it,
 * the server shows the feeds. Everything that must last is in the data folder, so starting again after any end goes on
 * from there.
 */
export async function startNode(
  config: Config,
  environment: Environment,
  options: { readonly onRefreshed?: (refreshed: Refreshed) => void } = {},
): Promise<RunningNode> {
  const { clock, logger } = environment
  const stopping = new AbortController()
  const { signal } = stopping
  const data = await openData(config, clock)
  const lock = await locked(config.dataDir, data)
  const politeness = await openPoliteness(config, data.store, clock)
  const fetcher = fetcherFor(config, clock, politeness.resolve)
  const port = config.port === 0 ? await freePort(config.host) : config.port
  const baseUrl = config.publicUrl ?? `http://${urlHost(config.host)}:${port}`
  const reading = noteReads(feedServiceFor(config, data, clock, baseUrl), data.store, clock)
  const { feeds } = reading
  const server = createServer({
    ...data,
    feeds,
    quality: createQualityService(data.store, clock),
    clock,
    version: VERSION,
    onError: (error) => logger.error({ err: error }, 'request failed'),
  })
  try {
    await server.listen({ host: config.host, port })
  } catch (error) {
    await Promise.allSettled([fetcher.close(), data.store.close()])
    lock.release()
    throw error
  }
  const scheduler = schedulerFor(config, environment)
  const crawler = crawlerFor(config, data, fetcher, environment, {
    ...options,
    scheduler,
    limits: politeness.limits,
    relevance: readRelevance(data.store, config.archiveShare),
  })
  const deliveries = deliveriesFor(config, data, feeds, environment)
  const layers = [
    crawler.run(signal),
    runPublisher({ ...data, feeds }, signal),
    runQueries(queryDeps(data, feeds, deliveries, environment), signal),
    deliveries.run(signal),
    politeness.run(signal),
    reading.run(signal),
    holdWish(config, scheduler, data, environment, signal),
    prune(config, data, environment, signal),
  ]
  const failed = new Promise<never>((_, reject) => {
    for (const layer of layers) layer.catch(reject)
  })
  failed.catch(() => {})

  return {
    url: feeds.baseUrl,
    data,
    failed,
    async stop() {
      stopping.abort()
      await Promise.allSettled(layers)
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
  { clock, logger }: Environment,
): QueryDeps {
  return {
    ...data,
    clock,
    onPublished(changed) {
      feeds.markStale(changed.map(({ name }) => ({ kind: 'query', name })))
      deliveries.ring()
    },
    onUnreadable: ({ name, text }) =>
      logger.warn({ feed: name, text }, 'query cannot be read; its feed stays as it is'),
  }
}

/** With a wished quality the budget is the most, and the least that gives it is held. */
async function holdWish(
  config: Config,
  scheduler: Scheduler<unknown>,
  { store }: Data,
  { clock, logger }: Environment,
  signal: AbortSignal,
): Promise<void> {
  if (config.quality === undefined) return
  const strategy = strategyFor(config)
  await holdQuality({ scheduler, strategy, wish: config.quality, most: config.budget, store, clock, logger }, signal)
}

async function locked(dataDir: string, data: Data): Promise<{ release(): void }> {
  try {
    return lockDataFolder(dataDir)
  } catch (error) {
    await data.store.close()
    throw error
  }
}

async function prune(config: Config, data: Data, environment: Environment, signal: AbortSignal): Promise<void> {
  const { clock, logger } = environment
  const policy = {
    maxAgeMs: config.keepFor ?? null,
    maxItemsPerSource: config.keepItems ?? null,
    maxObservationAgeMs: config.keepObservationsFor,
    feedWindow: config.feedItems,
  }
  while (!signal.aborted) {
    await clock.sleep(PRUNE_EVERY_MS, signal)
    if (signal.aborted) return
    const removed = await data.store.prune(policy, clock.now())
    if (removed.items + removed.observations > 0) logger.info(removed, 'removed what is no longer kept')
  }
}

/** Published feeds name their own address, so the port must be known before the server listens. */
async function freePort(host: string): Promise<number> {
  const probe = createNetServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, host, resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
