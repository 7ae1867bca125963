import type { Cause, DurationMs, InstantMs, SourceId } from '../../model/index.ts'
import { type Lesson, type LessonInput, lessonOf } from '../learning/lesson.ts'
import { type BudgetSplit, budgetAt, type LearningPlan, phaseAt } from '../learning/plan.ts'
import type { SourceRows } from './source-rows.ts'

/** The progress of learning, as it survives a restart. */
export interface StoredLearningSchedule {
  readonly plan: LearningPlan
  readonly since: InstantMs
  /** Who had the last learning request; null: nobody yet. */
  readonly turn: SourceId | null
}

/** Sources that are examined for one whose turn it is; the others are left to the next call. */
const LOOKS = 64

/** A plan of learning as it is carried out: when it began, and whose turn it is. */
export class LearningSchedule {
  private since: InstantMs
  private turn: SourceId | null = null
  private row = 0
  /** By row: their turn has come while their time was decided. */
  private readonly owed = new Set<number>()

  constructor(
    readonly plan: LearningPlan,
    now: InstantMs,
  ) {
    this.since = now
  }

  /** Goes on as before a restart. Another way of learning begins now, with what the models know. */
  resume(stored: StoredLearningSchedule | undefined, setByMs: DurationMs): void {
    if (stored === undefined) return
    this.turn = stored.turn
    if (stored.plan.way === this.plan.way) this.since = stored.since + setByMs
  }

  snapshot(): StoredLearningSchedule {
    return { plan: this.plan, since: this.since, turn: this.turn }
  }

  shift(byMs: DurationMs): void {
    this.since += byMs
  }

  splitAt(now: InstantMs): BudgetSplit {
    return budgetAt(this.plan, this.since, now)
  }

  isLearning(now: InstantMs): boolean {
    return phaseAt(this.plan, this.since, now).isLearning
  }

  lessonOf(seen: LessonInput): Lesson {
    return lessonOf(this.plan, this.since, seen)
  }

  /**
   * For learning all have their turn, whatever is believed of them; −1: none now. One whose time is decided is skipped:
   * where only learning requests teach, its next refresh will be one.
   */
  next(rows: SourceRows<never>, mayTake: (row: number) => boolean, isTimed: (row: number) => boolean): number {
    if (this.turn !== null && !isRowOf(rows, this.row, this.turn)) this.row = Math.max(0, rows.rowOf(this.turn))
    for (let step = 0; step < Math.min(rows.end, LOOKS); step++) {
      const row = this.row + 1 >= rows.end ? 0 : this.row + 1
      if (rows.isUsed(row)) {
        if (mayTake(row)) return row
        if (this.plan.way === 'separate' && isTimed(row)) this.owed.add(row)
        this.turn = rows.id(row)
      }
      this.row = row
    }
    return -1
  }

  /** Whether a refresh that was chosen is a learning request: one whose turn it is, or was when its time was decided. */
  take(row: number, id: SourceId, cause: Cause): boolean {
    if (cause === 'asked' || cause === 'new') return false
    if (cause !== 'learning') return this.owed.delete(row)
    this.row = row
    this.turn = id
    return true
  }

  forget(row: number): void {
    this.owed.delete(row)
  }
}

function isRowOf(rows: SourceRows<never>, row: number, id: SourceId): boolean {
  return row < rows.end && rows.id(row) === id
}
