import { Crawler, type CrawlerDeps } from '../crawler/crawler.ts'
import type { Fetcher } from '../crawler/fetch/fetcher.ts'
import { createFetcher } from '../crawler/fetch/http.ts'
import { parseFeed } from '../crawler/parse/parse.ts'
import { createPoliteness } from '../crawler/politeness/politeness.ts'
import type { Resolve } from '../http/connector.ts'
import { HOUR_MS, type Random, SECOND_MS } from '../model/index.ts'
import { Scheduler } from '../refresh/scheduler/scheduler.ts'
import type { Budget } from '../refresh/strategy.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Config } from './config.ts'
import type { Data } from './data.ts'
import { strategyFor } from './strategy.ts'

/** What every part of a running program shares. */
export interface Environment {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

export function fetcherFor(config: Config, clock: Clock, resolve?: Resolve): Fetcher {
  return createFetcher({
    clock,
    allowRanges: config.allowRange,
    maxBodyBytes: config.maxBody,
    totalTimeoutMs: config.timeout,
    connectionsPerHost: config.hostConcurrency,
    ...(config.userAgent === undefined ? {} : { userAgent: config.userAgent }),
    ...(resolve === undefined ? {} : { resolve }),
  })
}

/** From so many requests an hour on, one saved up for when the node was late does not matter to anyone. */
const SPARE_FROM_PER_HOUR = 20

/**
 * A second's worth of budget may be saved up, and one request for lateness: enough to never idle, too little to burst. An
 * hour never gets more than its budget whatever the burst (scheduler/hour-guard.ts).
 */
export function usualBurst(budget: Budget): number {
  const perHour = (budget.requests * HOUR_MS) / budget.perMs
  return Math.max(perHour >= SPARE_FROM_PER_HOUR ? 2 : 1, Math.round((perHour * SECOND_MS) / HOUR_MS))
}

export function schedulerFor(config: Config, { clock, random }: Environment): Scheduler<unknown> {
  return new Scheduler({
    strategy: strategyFor(config),
    budget: config.budget,
    burst: config.burst ?? usualBurst(config.budget),
    minIntervalMs: config.minInterval,
    maxIntervalMs: Math.max(config.maxInterval, config.minInterval),
    exploreShare: config.exploreShare,
    learningShare: config.learningShare,
    costs: config.costs,
    afterLoss: config.afterLoss,
    random,
    now: clock.now(),
  })
}

export function crawlerFor(
  config: Config,
  data: Data,
  fetcher: Fetcher,
  environment: Environment,
  options: Pick<CrawlerDeps, 'only' | 'onRefreshed' | 'relevance'> &
    Partial<Pick<CrawlerDeps, 'limits' | 'syncMs' | 'scheduler'>> = {},
): Crawler {
  const { clock, random, logger } = environment
  const limits =
    options.limits ?? createPoliteness({ host: { spacingMs: config.hostSpacing, concurrency: config.hostConcurrency } })
  const scheduler = options.scheduler ?? schedulerFor(config, environment)
  const { store, buffer } = data
  return new Crawler({
    store,
    buffer,
    fetcher,
    parse: parseFeed,
    scheduler,
    limits,
    clock,
    random,
    logger,
    concurrency: config.concurrency,
    checkpointMs: config.checkpoint,
    ...options,
  })
}
