import { FORESIGHT_TABLES } from '../../crawler/shared/foresight-tables.ts'
import { POSTING_CLUSTERS } from '../../crawler/shared/posting-clusters.ts'
import type { AnyEstimator } from '../../refresh/estimator.ts'
import { ESTIMATORS, type EstimatorId } from '../../refresh/estimators/index.ts'
import { CycleScheduler, type CycleSchedulerOptions } from '../../refresh/scheduler/cycles/cycle-scheduler.ts'
import { noSharedModels, type SharedModels } from '../../refresh/shared-models.ts'
import { type AnyCycleStrategy, findStrategy, type SharedPart, STRATEGIES } from '../../refresh/strategies/index.ts'
import { exactModel } from '../../refresh/strategies/modelled.ts'
import type { AnyPricedStrategy, LearntModel } from '../../refresh/strategy.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { phrase } from '../../runtime/phrase.ts'
import type { Store } from '../../store/store.ts'
import { parseStoreUrl } from '../data/store-url.ts'
import type { Config } from '../settings/config.ts'
import { type LearningSettings, learningPlan } from './learning.ts'

/** What decides about refreshes: which strategy, in which form, with which model. */
export type StrategySettings = Pick<Config, 'strategy' | 'estimator' | 'threshold'>

/** A strategy as the node runs it. */
export type LiveStrategy =
  | { readonly form: 'price'; readonly model: LearntModel<unknown>; readonly strategy: AnyPricedStrategy }
  | {
      readonly form: 'thesis'
      readonly model: LearntModel<unknown>
      readonly strategy: AnyCycleStrategy
      /** The priced form, where there is one: it says for one source alone when τ will be reached. */
      readonly priced: AnyPricedStrategy | null
    }

const PRICED: readonly string[] = STRATEGIES.filter(({ priced }) => priced !== undefined).map(({ id }) => id)
/** Those without a publication model know no τ; some of them no budget either, unless they have runs of their own. */
const IN_CYCLES: readonly string[] = STRATEGIES.filter(
  ({ needs, cycle, inRuns }) => (needs === 'estimator' && cycle !== undefined) || inRuns !== undefined,
).map(({ id }) => id)

/** The names of those that can run live. */
export function liveStrategies({ threshold }: Pick<Config, 'threshold'>): readonly string[] {
  return threshold === 'thesis' ? IN_CYCLES : PRICED
}

/** What it learns of all sources together in the background. */
export function sharedPartOf(settings: Pick<Config, 'strategy' | 'estimator'>): SharedPart | null {
  const entry = findStrategy(settings.strategy)
  if (entry?.shares !== undefined) return entry.shares
  const isModelled = entry?.needs === 'estimator'
  return isModelled && estimatorName(settings) === 'posting-clusters' ? 'clusters' : null
}

/** The shared models as they are stored, for commands that show models without being the node. */
export async function readSharedModels(store: Pick<Store, 'state'>): Promise<SharedModels> {
  const nothing = noSharedModels()
  return {
    ...nothing,
    tables: (await store.state(FORESIGHT_TABLES))?.tables ?? nothing.tables,
    clusters: (await store.state(POSTING_CLUSTERS))?.clusters ?? nothing.clusters,
  }
}

/** `shared`: learnt of all sources; without it every hour is alike until the source itself says otherwise. */
export function liveStrategyFor(settings: StrategySettings, shared?: SharedModels): LiveStrategy {
  const inRuns = findStrategy(settings.strategy)?.inRuns
  if (inRuns !== undefined) return { form: 'thesis', model: inRuns.model, strategy: inRuns.cycle, priced: null }
  if (settings.threshold === 'price') {
    const strategy = strategyFor(settings, shared)
    return { form: 'price', model: strategy, strategy }
  }
  const estimator = estimatorFor(settings, shared)
  const entry = findStrategy(settings.strategy)
  if (entry?.cycle === undefined || !IN_CYCLES.includes(entry.id)) {
    throw new HeadwaterError(
      'USAGE',
      phrase`strategy "${settings.strategy}" does not go in cycles (threshold: thesis); there is ${IN_CYCLES.join(', ')}`,
    )
  }
  const priced = entry.priced?.(estimator) ?? null
  return { form: 'thesis', model: exactModel(estimator), strategy: entry.cycle(estimator), priced }
}

/** The scheduler of a strategy that goes in cycles. */
export function cycleScheduler(
  { strategy, model, priced }: Extract<LiveStrategy, { form: 'thesis' }>,
  options: Omit<CycleSchedulerOptions<unknown, unknown>, 'strategy' | 'model' | 'reachedAt'>,
): CycleScheduler<unknown, unknown> {
  const reachedAt = strategy.threshold === undefined ? undefined : priced?.dueAt
  const { runs } = strategy
  const cycleMs = runs === undefined ? options.cycleMs : (runs.leastMs + runs.mostMs) / 2
  return new CycleScheduler({ ...options, cycleMs, strategy, model, ...(reachedAt === undefined ? {} : { reachedAt }) })
}

/** A strategy in its priced form. */
export function strategyFor(
  settings: Pick<Config, 'strategy' | 'estimator'>,
  shared?: SharedModels,
): AnyPricedStrategy {
  const { strategy } = settings
  const priced = findStrategy(strategy)?.priced
  if (priced === undefined) {
    if (IN_CYCLES.includes(strategy)) {
      throw new HeadwaterError('USAGE', phrase`strategy "${strategy}" has no price; give threshold: thesis`)
    }
    throw new HeadwaterError('USAGE', phrase`no strategy "${strategy}"; there is ${PRICED.join(', ')}`)
  }
  return priced(estimatorFor(settings, shared), shared)
}

/** Refuses what cannot run. */
export function checkStrategy(settings: StrategySettings & LearningSettings & Pick<Config, 'quality' | 'store'>): void {
  const live = liveStrategyFor(settings)
  if (live.form === 'thesis' && settings.store !== undefined && parseStoreUrl(settings.store).kind === 'postgres') {
    // Whoever goes in cycles counts its own requests: several crawlers would spend the budget several times.
    throw new HeadwaterError(
      'USAGE',
      phrase`strategy "${settings.strategy}" in cycles is for one crawler, and those on PostgreSQL share a budget; set threshold to price, and one of the strategies ${PRICED.join(', ')}`,
    )
  }
  const { way } = learningPlan(settings)
  if (way !== 'online' && live.model.expected === undefined) {
    throw new HeadwaterError(
      'USAGE',
      phrase`strategy "${settings.strategy}" learns no publication model: learning can only be online, not ${way}`,
    )
  }
  if (settings.quality !== undefined && live.form === 'thesis' && live.priced === null) {
    throw new HeadwaterError(
      'USAGE',
      phrase`strategy "${settings.strategy}" has no price: no budget can be found for a quality`,
    )
  }
}

/** The name of "what its authors decide from". */
export const USUAL_ESTIMATOR = 'usual'

function estimatorName({ strategy, estimator }: Pick<Config, 'strategy' | 'estimator'>): string {
  return estimator === USUAL_ESTIMATOR ? (findStrategy(strategy)?.usualEstimator ?? 'hybrid') : estimator
}

function estimatorFor(settings: Pick<Config, 'strategy' | 'estimator'>, shared?: SharedModels): AnyEstimator {
  const name = estimatorName(settings)
  if (!Object.hasOwn(ESTIMATORS, name)) {
    const names = [USUAL_ESTIMATOR, ...Object.keys(ESTIMATORS)].join(', ')
    throw new HeadwaterError('USAGE', phrase`no estimator "${name}"; there is ${names}`)
  }
  return ESTIMATORS[name as EstimatorId](shared)
}
