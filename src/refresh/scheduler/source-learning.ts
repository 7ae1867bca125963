import type { Observation, Random, SourceId } from '../../model/index.ts'
import { isLearningRequest, joinObservations } from '../learning/lesson.ts'
import type { LearntModel, SourceFacts } from '../strategy.ts'
import { nextSurprise } from './alarm.ts'
import type { LearningSchedule } from './learning-schedule.ts'
import { costAfter } from './request-cost.ts'
import { CHANGED, type SourceRows } from './source-rows.ts'
import type { CostUnit, MemorySnapshot, PastObservation, StoredMemory } from './types.ts'

export interface LearningOptions<Memory> {
  readonly strategy: LearntModel<Memory>
  readonly learningSchedule: LearningSchedule
  readonly costs: CostUnit
  readonly random: Random
}

/** What is learnt of each source, and which of it is not yet written. */
export class SourceLearning<Memory> {
  private changed: SourceId[] = []
  /**
   * By row, what was seen since the last learning request where only those teach. Not stored: a model is then as old as that
   * request, and what came after it is read again from the observations.
   */
  private readonly pending = new Map<number, Observation>()
  /** By row: what is seen of them now is learnt from the store, after what came before it. */
  private readonly behind = new Set<number>()

  constructor(
    private readonly rows: SourceRows<Memory>,
    private readonly options: LearningOptions<Memory>,
  ) {}

  /** Names the form of the memories that are written and read. */
  get form(): string {
    const { strategy } = this.options
    return strategy.memoryForm ?? strategy.id
  }

  get changedCount(): number {
    return this.changed.length
  }

  begin(row: number, facts: SourceFacts): void {
    const { strategy, random } = this.options
    this.forget(row)
    this.rows.setMemory(row, strategy.start(facts, random))
  }

  /** What was seen and has not taught yet. */
  forget(row: number): void {
    this.pending.delete(row)
    this.behind.delete(row)
  }

  /** Until it has caught up with what was seen before. */
  wait(row: number): void {
    this.behind.add(row)
  }

  /** False where it is no memory of this strategy. */
  restore(row: number, memory: StoredMemory | null | undefined): boolean {
    if (memory == null || memory.form !== this.form || !this.rows.setBytes(row, memory.bytes)) return false
    this.forget(row)
    return true
  }

  /** Updates times, window, cost and memory; returns what was expected, null where the strategy does not say. */
  learn(row: number, observation: Observation, isLearningRequest: boolean): number | null {
    const { rows } = this
    const { strategy, learningSchedule, costs } = this.options
    const addedAt = rows.addedAt(row)
    const from = rows.lastRefreshAt(row) ?? addedAt
    const expected = strategy.expected?.(rows.memory(row), from, observation.at)
    rows.setRefreshed(row, observation.at, observation.windowSize || rows.windowSize(row))
    rows.setCost(row, costAfter(costs, rows.cost(row), observation))
    if (this.behind.has(row)) return expected ?? null
    this.note(row, observation.sourceId)
    const { previousAt, at } = observation
    const lesson = learningSchedule.lessonOf({ previousAt, at, addedAt, isLearningRequest })
    if (lesson === 'later') this.pending.set(row, this.withPending(row, observation))
    if (lesson === 'now') this.teach(row, observation)
    if (expected === undefined) return null
    const surprise = nextSurprise(rows.surprise(row), { observation, expected, windowSize: rows.windowSize(row) })
    // A strategy that follows a faster pace by itself would count it twice (docs/decisions/0024); patience with silence
    // it needs.
    const follows = strategy.followsChange && lesson === 'now'
    rows.setSurprise(row, follows ? Math.min(0, surprise) : surprise)
    return expected
  }

  private teach(row: number, observation: Observation): void {
    const { strategy, random } = this.options
    const combined = this.withPending(row, observation)
    this.forget(row)
    this.rows.setMemory(row, strategy.observe(this.rows.memory(row), combined, this.rows.facts(row), random))
  }

  /** With all that was seen since the last learning request; a clock that was set back makes that meaningless. */
  private withPending(row: number, observation: Observation): Observation {
    const before = this.pending.get(row)
    return before === undefined || before.previousAt! >= observation.at
      ? observation
      : joinObservations(before, observation)
  }

  /** Learns from observations that were made before, oldest first: all that came since the model was written. */
  catchUp(row: number, observations: readonly PastObservation[]): void {
    this.forget(row)
    for (const observation of observations) this.learn(row, observation, isLearningRequest(observation.cause))
  }

  /** The memory of a source as the store keeps it. */
  snapshot(row: number): MemorySnapshot {
    const { windowSize, cost, lastRefreshAt, addedAt } = this.rows.facts(row)
    const learntAt = this.pending.get(row)?.previousAt ?? lastRefreshAt ?? addedAt
    return { form: this.form, bytes: this.rows.bytesOf(row), windowSize, cost, learntAt }
  }

  /** Sources that learnt something since the last call; at most so many. */
  takeChanged(most: number): readonly SourceId[] {
    const ids = this.changed.splice(0, most)
    for (const id of ids) {
      const row = this.rows.rowOf(id)
      if (row >= 0) this.rows.mark(row, CHANGED, false)
    }
    return ids
  }

  /** They could not be written: they are to be taken again. */
  untake(ids: readonly SourceId[]): void {
    for (const id of ids) {
      const row = this.rows.rowOf(id)
      if (row >= 0) this.note(row, id)
    }
  }

  private note(row: number, id: SourceId): void {
    if (this.rows.has(row, CHANGED)) return
    this.rows.mark(row, CHANGED, true)
    this.changed.push(id)
  }
}
