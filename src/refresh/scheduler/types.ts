import type { Cause, Decision, DurationMs, InstantMs, Observation, Random, SourceId } from '../../model/index.ts'
import type { LearningPlan } from '../learning/plan.ts'
import type { Belief, Budget, PricedStrategy, SourceFacts } from '../strategy.ts'
import type { Allowance, StoredAllowance } from './allowance.ts'
import type { StoredLearningSchedule } from './learning-schedule.ts'
import type { PayerId, StoredPayer } from './payer-shares.ts'
import type { NewPricing } from './pricing.ts'

/** What the user decides about when a source is refreshed. */
export interface OwnIntervals {
  /** Instead of the strategy's; null: the strategy decides. */
  readonly intervalMs: DurationMs | null
  /** Never more often, never less often, whatever the strategy says; null: the node's. */
  readonly minIntervalMs: DurationMs | null
  readonly maxIntervalMs: DurationMs | null
}

/** What the owner of the scheduler gives it for a source. */
export interface SchedulerSource extends Partial<OwnIntervals> {
  readonly facts: SourceFacts
  /** A time that the price must not move (after a failure, by a hint); null: none. */
  readonly dueAt: InstantMs | null
  /** What was planned before a restart; the price may move it. */
  readonly plannedAt?: InstantMs | null
  /** By the user: refreshed on request only. */
  readonly paused: boolean
  /** The site said 410 Gone: refreshed on request only. */
  readonly retired: boolean
  /** What was learnt before a restart. */
  readonly memory?: StoredMemory | null
  /** More was seen than it knows: nothing else teaches it before `catchUp` or `relearn` bring that, in its order. */
  readonly isBehind?: boolean
  /** It was learnt again elsewhere: it replaces what is known. */
  readonly relearnt?: boolean
  /** Who pays for it; absent: as before, or one for all such sources. */
  readonly payers?: readonly PayerId[]
}

/** A memory as the store keeps it. */
export interface StoredMemory {
  /** `memoryForm` of the strategy that wrote it, or its id. */
  readonly form: string
  readonly bytes: Uint8Array
}

/** A memory as it is given to the store, with what else was learnt. */
export interface MemorySnapshot extends StoredMemory {
  readonly windowSize: number
  readonly cost: number
  readonly learntAt: InstantMs
}

/** An observation with why it was made, as the store keeps both; null: unknown. */
export type PastObservation = Observation & { readonly cause: Cause | null }

/** When a source is refreshed next, and why, in words. */
export interface NextCheck {
  readonly at: InstantMs
  readonly reason: string
}

export interface RefreshPlan extends NextCheck {
  /** After a loss it is brought forward, and the price does not move it; false: strategies that know no windows stay as they are. */
  readonly hurriesAfterLoss: boolean
  /** Not sooner, whatever happens: the shortest interval of node or source. */
  readonly earliestAt: InstantMs
  /** Items that were believed to have come since the refresh before; null: the strategy has no publication model. */
  readonly expected: number | null
}

export type { Cause } from '../../model/index.ts'
export type { PayerId, PayerShare } from './payer-shares.ts'

/** What is known of a decision when it is made. */
export type TakenBecause = Omit<Decision, 'expected'>

/** What to do now: refresh a source, or wait. */
export type TakeResult =
  | { readonly kind: 'refresh'; readonly id: SourceId; readonly manual: boolean; readonly why: TakenBecause }
  /** Nothing to do before `until` unless something changes; Infinity: nothing at all. */
  | { readonly kind: 'wait'; readonly until: InstantMs }

/** What a source costs in units of the budget. */
export type CostUnit = 'requests' | 'bytes' | 'time'

/**
 * After a loss the next look comes after half a window at the pace just seen. `sooner`: always. `strategy`: only with
 * strategies that know windows; the others are left as they were published, for comparison.
 */
export type AfterLoss = 'sooner' | 'strategy'

/** What a scheduler needs to decide. */
export interface SchedulerOptions<Memory> {
  readonly strategy: PricedStrategy<Memory>
  readonly budget: Budget
  /** Largest number of requests that saved-up budget may buy at once. */
  readonly burst: number
  /** What is saved up already when it begins; absent: all of the burst. */
  readonly firstSaved?: number | undefined
  /** Where no hour gets more than its budget: for each source this much is saved up while the hour has no room for it; absent: all of the burst. */
  readonly savedPerSource?: number | undefined
  /** No source is refreshed more often than this by itself, however much budget is left (its own interval may be). */
  readonly minIntervalMs: DurationMs
  /** And none less often, however little it publishes. */
  readonly maxIntervalMs?: DurationMs
  /** What teaches the models, and what of the budget is for that; absent: every refresh, and first looks only. */
  readonly learning?: LearningPlan
  readonly costs?: CostUnit
  /** `strategy` if not said. */
  readonly afterLoss?: AfterLoss
  /** Where budget and price come from; absent: from this process alone, with the budget and burst above. */
  readonly funding?: Funding
  readonly random: Random
  readonly now: InstantMs
}

/** Where a scheduler gets what it may spend and the price at which it does. */
export interface Funding {
  readonly allowance: Allowance
  readonly newPricing: NewPricing
}

/** What must survive a restart beside the memories. */
export interface StoredSchedule extends StoredAllowance {
  readonly v: 1
  readonly strategy: string
  readonly price: number
  /** How many sources shared the budget at that price. */
  readonly sources: number
  readonly at: InstantMs
  /** Where there are several; absent: there were none, or one. */
  readonly payers?: readonly StoredPayer[]
  /** Absent: it was stored by a node that knew one way of learning only. */
  readonly learning?: StoredLearningSchedule
  /** Of a strategy that goes in cycles; absent: it did not. */
  readonly cycle?: StoredCycle
}

/** The progress of a strategy that goes in cycles. */
export interface StoredCycle {
  /** The strategy's own, τ among it. */
  readonly state: unknown
  readonly cycleMs: DurationMs
  /** When the last cycle was, null before the first, and when the next is. */
  readonly lastAt: InstantMs | null
  readonly nextAt: InstantMs
  /** What the last cycle chose and is not refreshed yet. */
  readonly picks: readonly SourceId[]
  /** Shares of a request that new sources have earned. */
  readonly exploring: number
  /** And learning; absent: none. */
  readonly learning?: number
}

/** All about the next check of a source, for people. */
export interface Explanation {
  readonly strategy: string
  readonly price: number
  readonly nextAt: InstantMs | null
  readonly reason: string
  readonly belief: Belief | null
  /** Items believed to have come since the last refresh. */
  readonly expected: number | null
  /** Uti of equation 4.5 times weight, item-hours; null without a publication model. */
  readonly utility: number | null
  /** What they are worth now against the price, in units of the price: 1 is due; null where the price is no utility. */
  readonly worth: number | null
  /** When its window will be full. */
  readonly fullAt: InstantMs | null
  /** What the strategy counts by: advaRSS's M, T and ToE; null: nothing. */
  readonly counts: Readonly<Record<string, number>> | null
}
