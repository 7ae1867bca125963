import { readTables, TABLES_STATE } from '../crawler/shared-tables.ts'
import { ESTIMATORS, type EstimatorId } from '../refresh/estimators/index.ts'
import { FLAT_TABLES, type SharedTables } from '../refresh/strategies/foresight/index.ts'
import { findStrategy, STRATEGIES } from '../refresh/strategies/index.ts'
import type { AnyPricedStrategy } from '../refresh/strategy.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'

/** Those of the registry that can be priced: the others need to see all sources in every cycle. */
export const LIVE_STRATEGIES: readonly string[] = STRATEGIES.filter(({ priced }) => priced !== undefined).map(
  ({ id }) => id,
)

/** Rebuilds tables over all sources in the background, and listens to siblings. */
export function usesSharedTables({ strategy }: Pick<Config, 'strategy'>): boolean {
  return strategy === 'foresight'
}

/** The tables as the store keeps them, for who looks at models without being the node. */
export async function storedTables(store: Pick<Store, 'nodeState'>): Promise<SharedTables> {
  return { tables: readTables(await store.nodeState(TABLES_STATE))?.tables ?? FLAT_TABLES }
}

/** `shared`: tables over all sources; without them every hour is alike until the source itself says otherwise. */
export function strategyFor(
  { strategy, estimator }: Pick<Config, 'strategy' | 'estimator'>,
  shared?: SharedTables,
): AnyPricedStrategy {
  const priced = findStrategy(strategy)?.priced
  if (priced === undefined) {
    throw new HeadwaterError('USAGE', `no strategy "${strategy}"; there is ${LIVE_STRATEGIES.join(', ')}`)
  }
  if (!Object.hasOwn(ESTIMATORS, estimator)) {
    throw new HeadwaterError('USAGE', `no estimator "${estimator}"; there is ${Object.keys(ESTIMATORS).join(', ')}`)
  }
  return priced(ESTIMATORS[estimator as EstimatorId](), shared)
}
