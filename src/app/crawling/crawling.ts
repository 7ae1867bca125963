import { Crawler } from '../../crawler/crawler.ts'
import type { CrawlerDeps } from '../../crawler/crawler-deps.ts'
import { ENDLESS_DISK } from '../../crawler/disk-space.ts'
import { roomSizeFor } from '../../crawler/fetch/body-memory.ts'
import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import { createFetcher } from '../../crawler/fetch/http.ts'
import { tablesLearning } from '../../crawler/shared/foresight-tables.ts'
import { clustersLearning } from '../../crawler/shared/posting-clusters.ts'
import { type SharedLearning, SharedModelStore } from '../../crawler/shared/shared-model-store.ts'
import type { Resolve } from '../../http/connector.ts'
import { readSourceDocument } from '../../listings/document.ts'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import { Scheduler } from '../../refresh/scheduler/scheduler.ts'
import type { Funding } from '../../refresh/scheduler/types.ts'
import { noSharedModels, type SharedModels } from '../../refresh/shared-models.ts'
import type { AnyPricedStrategy, Budget } from '../../refresh/strategy.ts'
import type { Clock } from '../../runtime/clock.ts'
import { spareHeapBytes } from '../../runtime/heap.ts'
import { steady } from '../../runtime/steady-clock.ts'
import type { Data } from '../data/opened-data.ts'
import type { Environment } from '../environment.ts'
import type { Config } from '../settings/config.ts'
import { userAgentOf } from '../settings/user-agent.ts'
import { bundleRulesFor } from './bundle-rules.ts'
import { learnClustersBeside, learnSharedBeside } from './learn-shared.ts'
import { learningPlan } from './learning.ts'
import { politenessFor } from './politeness.ts'
import { cycleScheduler, liveStrategyFor, sharedPartOf, strategyFor } from './strategy.ts'

export function fetcherFor(
  config: Config,
  clock: Clock,
  resolve?: Resolve,
  spareBytes: number = spareHeapBytes(),
): Fetcher {
  return createFetcher({
    bodyMemory: roomSizeFor(spareBytes, config.concurrency),
    clock,
    allowRanges: config.allowRange,
    maxBodyBytes: config.maxBody,
    totalTimeoutMs: config.timeout,
    connectionsPerHost: config.hostConcurrency,
    userAgent: userAgentOf(config),
    ...(resolve === undefined ? {} : { resolve }),
  })
}

/**
 * Timetables come due in bunches, after the full hour above all. On rss-2024 at 24 a day a quarter of an hour's budget saved
 * up costs 2 % less delay than five minutes', and more than that gains nothing.
 */
const TIMETABLE_BURST_MS = 15 * MINUTE_MS
/**
 * While the hour has no room no more than this is saved up for each source. What leaves an hour in one moment makes room in one moment: where sources
 * wait for it, a whole burst goes out, fills the hour early, and while nothing may go out the next burst is saved up, hour after hour. Where each has
 * its turn several times an hour, that pause makes it late; where it has less, saving up is for the busy minutes as ever (docs/decisions/0113).
 */
const SAVED_PER_SOURCE = 0.5

/** What the user allows, in requests; given as a time, the budget of so long. */
function burstOf({ burst, budget }: Config, strategy: AnyPricedStrategy): number {
  if (burst === undefined) return usualBurst(budget, strategy)
  return typeof burst === 'number' ? burst : Math.max(1, Math.round((burst.ms * budget.requests) / budget.perMs))
}

/** What may be saved up at most, and what a new node begins with where that is less: requests. */
interface Savings {
  readonly burst: number
  readonly firstSaved?: number
  readonly savedPerSource?: number
}

/**
 * A budget of a day or more is for that long: what the night leaves is spent when the sources are awake. On rss-2023 at 3 a day
 * that is 24 % less delay than with a quarter of an hour's (docs/decisions/0141). Before its first day nobody has saved anything up: a
 * new node begins with as much as with budgets of other units.
 */
export function usualSavings(budget: Budget, strategy: Pick<AnyPricedStrategy, 'timetable'>): Savings {
  const even = usualBurst(budget, strategy)
  if (!strategy.timetable) return { burst: even }
  if (budget.perMs < DAY_MS) return { burst: even, savedPerSource: SAVED_PER_SOURCE }
  return { burst: Math.max(even, Math.round(budget.requests)), firstSaved: even }
}

/** A wish for quality looks for a budget of its own, to which a day of this one has no relation. */
function savingsOf(config: Config, strategy: AnyPricedStrategy): Savings {
  const isUsual = config.burst === undefined && config.quality === undefined
  return isUsual ? usualSavings(config.budget, strategy) : { burst: burstOf(config, strategy) }
}

/** From so many requests an hour on, one saved up for when the node was late does not matter to anyone. */
const SPARE_FROM_PER_HOUR = 20

/**
 * Where a budget is spent evenly: a second's worth of it may be saved up, and one request for lateness, enough to never idle, too little
 * to burst. With timetables more (above). An hour then never gets more than its budget (scheduler/hourly-limit.ts).
 */
export function usualBurst(budget: Budget, strategy?: Pick<AnyPricedStrategy, 'timetable'>): number {
  const perHour = (budget.requests * HOUR_MS) / budget.perMs
  if (strategy?.timetable) return Math.max(2, Math.round((perHour * TIMETABLE_BURST_MS) / HOUR_MS))
  return Math.max(perHour >= SPARE_FROM_PER_HOUR ? 2 : 1, Math.round((perHour * SECOND_MS) / HOUR_MS))
}

export function schedulerFor(config: Config, environment: Environment, shared?: SharedModels): LiveScheduler {
  const live = liveStrategyFor(config, shared)
  const common = commonOptions(config, environment)
  if (live.form === 'thesis') return cycleScheduler(live, { ...common, cycleMs: config.cycle })
  const { strategy } = live
  return new Scheduler({ ...common, strategy, ...savingsOf(config, strategy), afterLoss: config.afterLoss })
}

/** With a price, and with what waits for the budget. */
export type FundedScheduler = LiveScheduler & Pick<Scheduler<unknown>, 'backlog' | 'waitingSince'>

/** Where a scheduler gets budget and price from, made for its strategy. */
export type FundScheduler = (
  strategy: AnyPricedStrategy,
  rate: { readonly budget: Budget; readonly burst: number },
) => Funding

/**
 * The scheduler of a crawler beside others, which share a budget; `checkStrategy` has refused what goes in cycles. They spend evenly,
 * whatever the unit of the budget, unless `burst` says otherwise.
 */
export function fundedSchedulerFor(
  config: Config,
  environment: Environment,
  shared: SharedModels,
  fund: FundScheduler,
): FundedScheduler {
  const strategy = strategyFor(config, shared)
  const burst = burstOf(config, strategy)
  const funding = fund(strategy, { budget: config.budget, burst })
  return new Scheduler({ ...commonOptions(config, environment), strategy, burst, afterLoss: config.afterLoss, funding })
}

function commonOptions(config: Config, { random, clock }: Environment) {
  return {
    budget: config.budget,
    minIntervalMs: config.minInterval,
    maxIntervalMs: Math.max(config.maxInterval, config.minInterval),
    learning: learningPlan(config),
    costs: config.costs,
    random,
    now: clock.now(),
  }
}

export function crawlerFor(
  config: Config,
  data: Data,
  fetcher: Fetcher,
  environment: Environment,
  options: Pick<
    CrawlerDeps,
    'only' | 'refresh' | 'onRefreshed' | 'relevance' | 'payers' | 'supervise' | 'territory' | 'hostMemory'
  > &
    Partial<Pick<CrawlerDeps, 'limits' | 'syncMs' | 'scheduler' | 'disk'>> & {
      /** What is in force, which the crawler then keeps up to date; `none`: it neither has nor learns any. */
      readonly shared?: SharedModels | 'none'
    } = {},
): Crawler {
  const { random, logger } = environment
  const clock = steady(environment.clock)
  const limits = options.limits ?? politenessFor(config, clock)
  const { store, buffer } = data
  const { shared: sharedOption, ...rest } = options
  const shared = sharedOption === 'none' ? null : (sharedOption ?? noSharedModels())
  const scheduler = options.scheduler ?? schedulerFor(config, environment, shared ?? undefined)
  const learning = shared === null ? null : sharedLearning(config, shared)
  const isLearning = (now: InstantMs) => scheduler.isLearning(now)
  return new Crawler({
    store,
    buffer,
    fetcher,
    parse: readSourceDocument,
    scheduler,
    limits,
    clock,
    random,
    logger,
    concurrency: config.concurrency,
    checkpointMs: config.checkpoint,
    mostPages: config.repairPages,
    pageFolders: config.pageFolders,
    disk: ENDLESS_DISK,
    // Who names sources wants each of them asked.
    ...(config.bundles && options.only === undefined && scheduler.bundles !== undefined
      ? { bundleRules: bundleRulesFor(config, { fetcher, limits, scheduler, clock, store }) }
      : {}),
    ...(learning === null ? {} : { shared: new SharedModelStore({ store, clock, learning, isLearning }) }),
    ...rest,
  })
}

function sharedLearning(config: Config, shared: SharedModels): SharedLearning | null {
  const part = sharedPartOf(config)
  if (part === 'clusters') return clustersLearning({ shared, learn: learnClustersBeside })
  return part === 'tables' ? tablesLearning({ shared, learn: learnSharedBeside }) : null
}
