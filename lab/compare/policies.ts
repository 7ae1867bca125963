import { DAY_MS } from '../../src/model/index.ts'
import type { AnyEstimator } from '../../src/refresh/estimator.ts'
import { hybrid } from '../../src/refresh/estimators/index.ts'
import { findStrategy, STRATEGIES } from '../../src/refresh/strategies/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import { type DailyPatterns, learntEstimator } from './learnt.ts'

/** Learning phase of every comparison (traces/README). */
export const LEARNING_MS = 14 * DAY_MS

/** SCC07 and CGM03 as SCC07 4.2 to 4.5 ran them (learnt.ts); the others that need a model take the thesis's. */
const FROM_HISTORY = new Set(['scc07-allocation', 'scc07-scheduling', 'scc07-combined', 'cgm03-age', 'cgm03-freshness'])

/** `reference` knows no budget. */
const NOT_COMPARED = new Set(['reference'])

export const POLICY_IDS: readonly string[] = [
  ...STRATEGIES.map(({ id }) => id).filter((id) => !NOT_COMPARED.has(id)),
  'clairvoyant',
]

/** The model of thesis 7.2.3, learnt online. */
export function onlineEstimator(): AnyEstimator {
  return hybrid()
}

export function pricedPolicy(id: string, patterns: DailyPatterns): AnyPricedStrategy | null {
  const entry = findStrategy(id)
  if (entry?.priced === undefined) return null
  if (!FROM_HISTORY.has(id)) return entry.priced(onlineEstimator())
  // The longest wait of *scheduling only* is that of uniform (SCC07 Table 1) as long as its moments stay.
  return entry.priced(learntEstimator(patterns, id !== 'scc07-scheduling'))
}
