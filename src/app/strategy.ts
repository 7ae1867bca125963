import { readTables, TABLES_STATE } from '../crawler/shared-tables.ts'
import type { AnyEstimator } from '../refresh/estimator.ts'
import { ESTIMATORS, type EstimatorId } from '../refresh/estimators/index.ts'
import { CycleScheduler, type CycleSchedulerOptions } from '../refresh/scheduler/cycles/cycle-scheduler.ts'
import { FLAT_TABLES, type SharedTables } from '../refresh/strategies/foresight/index.ts'
import { type AnyCycleStrategy, findStrategy, STRATEGIES } from '../refresh/strategies/index.ts'
import { exactModel } from '../refresh/strategies/modelled.ts'
import type { AnyPricedStrategy, LearntModel } from '../refresh/strategy.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'

/** What decides about refreshes: which strategy, in which form, with which model. */
export type StrategySettings = Pick<Config, 'strategy' | 'estimator' | 'threshold'>

/** A strategy as the node runs it. */
export type LiveStrategy =
  | { readonly form: 'price'; readonly model: LearntModel<unknown>; readonly strategy: AnyPricedStrategy }
  | {
      readonly form: 'thesis'
      readonly model: LearntModel<unknown>
      readonly strategy: AnyCycleStrategy
      /** The priced form, where there is one: it tells of one source alone when τ will be reached. */
      readonly priced: AnyPricedStrategy | null
    }

const PRICED: readonly string[] = STRATEGIES.filter(({ priced }) => priced !== undefined).map(({ id }) => id)
/** Those without a publication model know no τ; some of them no budget either. */
const IN_CYCLES: readonly string[] = STRATEGIES.filter(
  ({ needs, cycle }) => needs === 'estimator' && cycle !== undefined,
).map(({ id }) => id)

/** The names of those that can run live. */
export function liveStrategies({ threshold }: Pick<Config, 'threshold'>): readonly string[] {
  return threshold === 'thesis' ? IN_CYCLES : PRICED
}

/** Rebuilds tables over all sources in the background, and listens to siblings. */
export function usesSharedTables({ strategy }: Pick<Config, 'strategy'>): boolean {
  return strategy === 'foresight'
}

/** The tables as the store keeps them, for who looks at models without being the node. */
export async function storedTables(store: Pick<Store, 'nodeState'>): Promise<SharedTables> {
  return { tables: readTables(await store.nodeState(TABLES_STATE))?.tables ?? FLAT_TABLES }
}

/** `shared`: tables over all sources; without them every hour is alike until the source itself says otherwise. */
export function liveStrategyFor(settings: StrategySettings, shared?: SharedTables): LiveStrategy {
  if (settings.threshold === 'price') {
    const strategy = strategyFor(settings, shared)
    return { form: 'price', model: strategy, strategy }
  }
  const estimator = estimatorFor(settings)
  const entry = findStrategy(settings.strategy)
  if (entry?.cycle === undefined || !IN_CYCLES.includes(entry.id)) {
    throw new HeadwaterError(
      'USAGE',
      `strategy "${settings.strategy}" does not go in cycles (threshold: thesis); there is ${IN_CYCLES.join(', ')}`,
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
  return new CycleScheduler({ ...options, strategy, model, ...(reachedAt === undefined ? {} : { reachedAt }) })
}

/** A strategy in its priced form. */
export function strategyFor(
  settings: Pick<Config, 'strategy' | 'estimator'>,
  shared?: SharedTables,
): AnyPricedStrategy {
  const { strategy } = settings
  const priced = findStrategy(strategy)?.priced
  if (priced === undefined) {
    if (IN_CYCLES.includes(strategy)) {
      throw new HeadwaterError('USAGE', `strategy "${strategy}" has no price; give threshold: thesis`)
    }
    throw new HeadwaterError('USAGE', `no strategy "${strategy}"; there is ${PRICED.join(', ')}`)
  }
  return priced(estimatorFor(settings), shared)
}

/** Refuses what cannot run. */
export function checkStrategy(settings: StrategySettings & Pick<Config, 'quality'>): void {
  const live = liveStrategyFor(settings)
  if (settings.quality !== undefined && live.form === 'thesis' && live.priced === null) {
    throw new HeadwaterError(
      'USAGE',
      `strategy "${settings.strategy}" has no price: no budget can be found for a quality`,
    )
  }
}

function estimatorFor({ estimator }: Pick<Config, 'estimator'>): AnyEstimator {
  if (!Object.hasOwn(ESTIMATORS, estimator)) {
    throw new HeadwaterError('USAGE', `no estimator "${estimator}"; there is ${Object.keys(ESTIMATORS).join(', ')}`)
  }
  return ESTIMATORS[estimator as EstimatorId]()
}
