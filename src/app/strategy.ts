import { ESTIMATORS, type EstimatorId } from '../refresh/estimators/index.ts'
import { findStrategy, STRATEGIES } from '../refresh/strategies/index.ts'
import type { AnyPricedStrategy } from '../refresh/strategy.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import type { Config } from './config.ts'

/** Those of the registry that can be priced: the others need to see all sources in every cycle. */
export const LIVE_STRATEGIES: readonly string[] = STRATEGIES.filter(({ priced }) => priced !== undefined).map(
  ({ id }) => id,
)

export function strategyFor({ strategy, estimator }: Pick<Config, 'strategy' | 'estimator'>): AnyPricedStrategy {
  const priced = findStrategy(strategy)?.priced
  if (priced === undefined) {
    throw new HeadwaterError('USAGE', `no strategy "${strategy}"; there is ${LIVE_STRATEGIES.join(', ')}`)
  }
  if (!Object.hasOwn(ESTIMATORS, estimator)) {
    throw new HeadwaterError('USAGE', `no estimator "${estimator}"; there is ${Object.keys(ESTIMATORS).join(', ')}`)
  }
  return priced(ESTIMATORS[estimator as EstimatorId]())
}
