import type { DurationMs, InstantMs, Observation, SourceId } from '../../model/index.ts'
import type { PricedStrategy } from '../strategy.ts'
import type { DueTimes } from './due-times.ts'
import type { Payers } from './payers/payers.ts'
import type { ReadyQueue } from './ready-queue.ts'
import { PUSHED, SIGNALLED, type SourceRows } from './source-rows.ts'

export interface NewsDeps<Memory> {
  readonly rows: SourceRows<Memory>
  readonly times: DueTimes<Memory>
  readonly payers: Payers
  readonly readyQueue: ReadyQueue<Memory>
  readonly strategy: Pick<PricedStrategy<Memory>, 'pushes' | 'afterSignal'>
}

/** Somebody says that a source has something new: its check is brought forward. */
export class News<Memory> {
  constructor(private readonly deps: NewsDeps<Memory>) {}

  /** What a refresh says about pushes of its hub. */
  observe(observation: Observation): void {
    for (const id of this.deps.strategy.pushes?.observe(observation) ?? []) this.planAnew(id)
  }

  /** Its hub fell silent, and it has waited for it. */
  private planAnew(id: SourceId): void {
    const { rows, times, readyQueue } = this.deps
    const row = rows.rowOf(id)
    if (row >= 0 && readyQueue.queues.waiting.has(row) && !times.isTimed(row)) readyQueue.enqueue(row, null)
  }

  /** The clock was set. */
  shift(byMs: DurationMs): void {
    this.deps.strategy.pushes?.shift(byMs)
  }

  /** A page that shows its items, too, has so many that may be its: it is checked when that is worth most. */
  signal(id: SourceId, items: number, now: InstantMs): void {
    const { rows, times, payers, readyQueue, strategy } = this.deps
    const row = rows.rowOf(id)
    if (row < 0 || !(items > 0) || !readyQueue.queues.waiting.has(row)) return
    const at = strategy.afterSignal?.(rows.memory(row), rows.facts(row), payers.priceOf(row), now, items) ?? now
    const earliest = Math.max(at, (rows.lastRefreshAt(row) ?? now) + times.minIntervalMs(row))
    if (earliest < rows.dueAt(row)) this.bringForward(row, earliest, SIGNALLED)
  }

  /**
   * Its hub has told of news: it is checked when that is worth most, however shortly after the last time, for the publisher
   * asks for it. What waits for the budget anyway stays where it is.
   */
  push(id: SourceId, now: InstantMs): void {
    const { rows, payers, readyQueue, strategy } = this.deps
    const { pushes } = strategy
    pushes?.pushed(id, now)
    const row = rows.rowOf(id)
    if (row < 0 || !readyQueue.queues.waiting.has(row)) return
    const at = pushes?.after(rows.memory(row), rows.facts(row), payers.priceOf(row), now) ?? now
    if (at < rows.dueAt(row)) this.bringForward(row, at, PUSHED)
  }

  private bringForward(row: number, at: InstantMs, why: number): void {
    const { rows, readyQueue } = this.deps
    rows.mark(row, why, true)
    rows.setFixedAt(row, at)
    readyQueue.putWaiting(row, at)
  }
}
