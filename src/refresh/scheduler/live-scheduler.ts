import type { DurationMs, InstantMs, Observation, SourceId } from '../../model/index.ts'
import type { Budget, CycleSource } from '../strategy.ts'
import type { Bundles } from './bundles.ts'
import type { StoredLearningSchedule } from './learning-schedule.ts'
import type {
  Explanation,
  MemorySnapshot,
  NextCheck,
  PastObservation,
  PayerId,
  RefreshPlan,
  SchedulerSource,
  StoredSchedule,
  TakeResult,
} from './types.ts'

/** What a crawler asks for sources that one request shows together. */
export type BundlePlans = Pick<
  Bundles<unknown>,
  'composable' | 'set' | 'drop' | 'fail' | 'plan' | 'show' | 'revise' | 'announce'
>

/** What a running node asks of a scheduler, whether its strategy has a price (scheduler.ts) or goes in cycles (cycles/). */
export interface LiveScheduler {
  // What it gets.
  upsert(source: SchedulerSource, now?: InstantMs): void
  remove(id: SourceId): void
  has(id: SourceId): boolean
  setWeight(id: SourceId, weight: number): void
  setPayers(id: SourceId, payers: readonly PayerId[]): void
  setParts(parts: ReadonlyMap<PayerId, number>): void
  setBudget(budget: Budget, now: InstantMs, price?: number | null): void
  requestRefresh(id: SourceId, by?: PayerId | null): void
  push(id: SourceId, now: InstantMs): void
  shift(byMs: DurationMs): void
  // A refresh.
  take(now: InstantMs): TakeResult
  postpone(id: SourceId, until: InstantMs, now?: InstantMs): void
  plan(observation: Observation, notBefore?: NextCheck | null): RefreshPlan
  finish(id: SourceId, fixedAt: InstantMs | null, retired?: boolean): void
  retry(id: SourceId, now: InstantMs): void
  reserve(id: SourceId, now: InstantMs, latest: InstantMs): InstantMs | null
  delay(id: SourceId, at: InstantMs, now: InstantMs): void
  /** Of sources that are asked for together; absent: its strategy cannot. */
  readonly bundles?: BundlePlans
  // What survives a restart.
  resume(stored: StoredSchedule, now: InstantMs, setByMs?: DurationMs): void
  resumeLearning(stored: StoredLearningSchedule | undefined, setByMs?: DurationMs): void
  snapshot(now: InstantMs): StoredSchedule
  readonly form: string
  memory(id: SourceId): MemorySnapshot | null
  relearn(id: SourceId, observations: readonly PastObservation[]): boolean
  catchUp(id: SourceId, observations: readonly PastObservation[]): boolean
  takeChanged(most: number): readonly SourceId[]
  untakeChanged(ids: readonly SourceId[]): void
  readonly changedCount: number
  // What it shows.
  readonly price: number
  readonly size: number
  beliefs(most: number): CycleSource<unknown>[]
  beliefsOf(ids: Iterable<SourceId>): CycleSource<unknown>[]
  isLearning(now: InstantMs): boolean
  explain(id: SourceId, now: InstantMs): Explanation | null
  lastRefreshAt(id: SourceId): InstantMs | null
}
