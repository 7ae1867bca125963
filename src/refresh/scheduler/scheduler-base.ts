import { type DurationMs, type InstantMs, type Random, type SourceId, WEEK_MS } from '../../model/index.ts'
import type { LearningPlan } from '../learning/plan.ts'
import type { CycleSource, LearntModel, SourceFacts } from '../strategy.ts'
import { LearningSchedule, type StoredLearningSchedule } from './learning-schedule.ts'
import { SourceLearning } from './source-learning.ts'
import { RUNNING, SourceRows } from './source-rows.ts'
import type { CostUnit, MemorySnapshot, PastObservation, RefreshPlan, SchedulerSource } from './types.ts'

/** The plan of a source that was removed while it was refreshed. */
export const REMOVED: RefreshPlan = {
  at: Number.POSITIVE_INFINITY,
  earliestAt: Number.POSITIVE_INFINITY,
  reason: 'removed',
  hurriesAfterLoss: false,
  expected: null,
}
/** A clock that was put forward by less than this is one of a machine that slept. */
const LONGEST_SLEEP_MS = WEEK_MS

export interface SchedulerBaseOptions<Memory> {
  readonly model: LearntModel<Memory>
  readonly learning: LearningPlan
  readonly costs: CostUnit
  readonly random: Random
  readonly now: InstantMs
}

/** What every scheduler knows of its sources and learns of them, however it decides when they are refreshed. */
export abstract class SchedulerBase<Memory> {
  protected readonly rows: SourceRows<Memory>
  protected readonly learning: SourceLearning<Memory>
  protected readonly learningSchedule: LearningSchedule

  constructor({ model, learning, costs, random, now }: SchedulerBaseOptions<Memory>) {
    this.rows = new SourceRows<Memory>(model.packing, (capacity) => this.grow(capacity))
    this.learningSchedule = new LearningSchedule(learning, now)
    const { learningSchedule } = this
    this.learning = new SourceLearning(this.rows, { strategy: model, learningSchedule, costs, random })
  }

  /** There is room for so many sources from now on. */
  protected abstract grow(capacity: number): void

  /** Sources that it knows. */
  get size(): number {
    return this.rows.size
  }

  /** Whether it knows a source. */
  has(id: SourceId): boolean {
    return this.rows.rowOf(id) >= 0
  }

  /** When a source was last refreshed, by the clock as it is now; null: never. */
  lastRefreshAt(id: SourceId): InstantMs | null {
    const row = this.rows.rowOf(id)
    return row < 0 ? null : this.rows.lastRefreshAt(row)
  }

  /** What every source is believed to do, for forecasts (least-budget.ts); at most so many, spread over all of them. */
  beliefs(most: number): CycleSource<Memory>[] {
    return this.rows.beliefs(most)
  }

  /** What these are believed to do, of those that were refreshed. */
  beliefsOf(ids: Iterable<SourceId>): CycleSource<Memory>[] {
    return this.rows.beliefsOf(ids)
  }

  /** Names the form of the memories that this scheduler writes and reads. */
  get form(): string {
    return this.learning.form
  }

  /** Of what `resume` takes over, the progress of learning. */
  resumeLearning(stored: StoredLearningSchedule | undefined, setByMs: DurationMs = 0): void {
    this.learningSchedule.resume(stored, setByMs)
  }

  /** Whether models are being learnt now. */
  isLearning(now: InstantMs): boolean {
    return this.learningSchedule.isLearning(now)
  }

  /** The memory of a source for the store. */
  memory(id: SourceId): MemorySnapshot | null {
    const row = this.rows.rowOf(id)
    return row < 0 ? null : this.learning.snapshot(row)
  }

  /** Forgets what was learnt of a source and learns it again from its observations, oldest first. */
  relearn(id: SourceId, observations: readonly PastObservation[]): boolean {
    const row = this.rows.rowOf(id)
    if (row < 0) return true
    if (this.rows.has(row, RUNNING)) return false
    this.learning.begin(row, this.rows.facts(row))
    return this.catchUp(id, observations)
  }

  /**
   * Learns from all that was seen of a source since its model was written, oldest first. False: it is being refreshed now,
   * and what that shows is not stored yet.
   */
  catchUp(id: SourceId, observations: readonly PastObservation[]): boolean {
    const row = this.rows.rowOf(id)
    if (row < 0) return true
    if (this.rows.has(row, RUNNING)) return false
    this.learning.catchUp(row, observations)
    return true
  }

  /** Sources that learnt something since they were last taken; at most so many. */
  takeChanged(most: number): readonly SourceId[] {
    return this.learning.takeChanged(most)
  }

  /** What was taken could not be written. */
  untakeChanged(ids: readonly SourceId[]): void {
    this.learning.untake(ids)
  }

  /** Sources whose memory changed since it was last taken to be stored. */
  get changedCount(): number {
    return this.learning.changedCount
  }

  /** Adds a source or takes over its changed settings; what was learnt stays. Returns its row. */
  protected takeOver(source: SchedulerSource, facts: SourceFacts): number {
    const known = this.rows.rowOf(facts.id)
    if (known < 0) {
      const row = this.rows.add(facts)
      if (!this.learning.restore(row, source.memory)) this.learning.begin(row, facts)
      if (source.isBehind) this.learning.wait(row)
      return row
    }
    if (source.relearnt) this.learning.restore(known, source.memory)
    this.rows.setFacts(known, {
      ...facts,
      windowSize: this.rows.windowSize(known),
      cost: this.rows.cost(known),
      lastRefreshAt: later(facts.lastRefreshAt, this.rows.lastRefreshAt(known)),
    })
    return known
  }

  /** Whatever was learnt of a source, and its row, are gone. */
  protected drop(row: number): void {
    this.learning.forget(row)
    this.learningSchedule.forget(row)
    this.rows.remove(row)
  }

  /**
   * The clock was set. Every refresh is as long ago as it was, and each source waits as long as it would have; but when a
   * machine slept, time has passed for the sources. True: their times have moved.
   */
  protected shiftSources(byMs: DurationMs): boolean {
    this.learningSchedule.shift(byMs)
    if (byMs > 0 && byMs < LONGEST_SLEEP_MS) return false
    this.rows.shift(byMs)
    return true
  }
}

/** What was stored by a clock that was ahead: nothing was refreshed later than now. */
export function correctFacts(
  facts: SourceFacts,
  now: InstantMs,
): { readonly facts: SourceFacts; readonly isCorrected: boolean } {
  const isCorrected = (facts.lastRefreshAt ?? now) > now
  return { facts: isCorrected ? { ...facts, lastRefreshAt: now } : facts, isCorrected }
}

function later(a: InstantMs | null, b: InstantMs | null): InstantMs | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}
