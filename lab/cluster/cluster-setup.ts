import type { BudgetTerms } from '../../src/cluster/grants.ts'
import type { DurationMs, InstantMs } from '../../src/model/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import type { SimSource, SimWorld } from '../simulator/world.ts'

/** What `runCluster` simulates. */
export interface ClusterRun {
  readonly world: SimWorld
  /** Each member has its own: what it hears from others stays within a process. */
  readonly newStrategy: () => AnyPricedStrategy
  readonly terms: BudgetTerms
  readonly minIntervalMs: DurationMs
  readonly members: number
  /** Which member has a source, from 0. */
  readonly memberOf: (source: SimSource) => number
  /** While nobody has the lease the price stands still. */
  readonly isControllerAway?: (now: InstantMs) => boolean
  /** From a member to whoever grants and back. */
  readonly latencyMs?: DurationMs
  readonly seed: number
}
