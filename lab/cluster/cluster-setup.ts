import type { BudgetTerms } from '../../src/cluster/grants.ts'
import type { DurationMs, InstantMs, Shard } from '../../src/model/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import type { KnownOf } from '../simulator/known-sources.ts'
import type { SimSettings } from '../simulator/scheduled-run.ts'
import type { SimSource, SimWorld } from '../simulator/world.ts'

/** What `runCluster` simulates. */
export interface ClusterRun {
  readonly world: SimWorld
  /** Each member has its own: what it hears from others stays within a process. */
  readonly newStrategy: () => AnyPricedStrategy
  readonly terms: BudgetTerms
  readonly minIntervalMs: DurationMs
  readonly members: number
  /** Which member has a source: always the same, by a number from 0, or as members come and go. */
  readonly memberOf: MemberOf | Membership
  /** While nobody has the lease the price stands still. */
  readonly isControllerAway?: (now: InstantMs) => boolean
  /** From a member to whoever grants and back. */
  readonly latencyMs?: DurationMs
  /** What is known of a source when it begins; absent: nothing. */
  readonly knownOf?: KnownOf
  /** Who pays for a source, and whatever else somebody has set for it; absent: nothing. */
  readonly settingsOf?: (source: SimSource) => SimSettings
  readonly seed: number
}

export type MemberOf = (source: SimSource) => number

/** Shards belong to the members that are there, by the node's own rule. */
export interface Membership {
  readonly shardOf: (source: SimSource) => Shard
  /** What is asked by one process at a time. */
  readonly siteOf: (source: SimSource) => number
  readonly absences: readonly Absence[]
  /** How long shards of one who left, and of one who was killed, belong to nobody. */
  readonly handOverMs: DurationMs
  readonly takeOverMs: DurationMs
  /** Between two requests to a site. */
  readonly spacingMs: DurationMs
}

/** A member is not there for a while; the process that comes back is another one. */
export interface Absence {
  /** From 0. */
  readonly member: number
  readonly fromMs: InstantMs
  readonly toMs: InstantMs
  /** Without a word: others wait until its leases are over. */
  readonly isKilled: boolean
}
