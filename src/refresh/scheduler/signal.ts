import type { InstantMs, SourceId } from '../../model/index.ts'
import type { Signals } from '../strategy.ts'
import type { DueTimes } from './due-times.ts'
import type { ReadyQueue } from './ready-queue.ts'
import { SIGNALLED, type SourceRows } from './source-rows.ts'

export interface SignalDeps<Memory> {
  readonly rows: SourceRows<Memory>
  readonly times: DueTimes<Memory>
  readonly readyQueue: ReadyQueue<Memory>
  readonly signals: Signals<Memory>
}

/** The refresh of another source is a signal for this one: it is checked now, if the strategy finds that worth it. */
export function followSignal<Memory>(deps: SignalDeps<Memory>, id: SourceId, now: InstantMs): void {
  const { rows, times, readyQueue, signals } = deps
  const row = rows.rowOf(id)
  if (row < 0 || !readyQueue.queues.waiting.has(row) || times.isTimed(row)) return
  const dueAt = rows.dueAt(row)
  const earliest = Math.max(now, (rows.lastRefreshAt(row) ?? now) + times.minIntervalMs(row))
  if (!(dueAt > earliest) || !signals.isWorthChecking(id, rows.memory(row), now, dueAt)) return
  rows.mark(row, SIGNALLED, true)
  rows.setFixedAt(row, earliest)
  readyQueue.putWaiting(row, earliest)
}
