import type { InstantMs, SourceId } from '../../model/index.ts'
import type { DueTimes } from './due-times.ts'
import type { HeldPrice } from './held-price.ts'
import { Queues } from './queues.ts'
import { MANUAL, PAUSED, RETIRED, RUNNING, type SourceRows } from './source-rows.ts'
import type { Spending } from './spending.ts'
import type { Cause } from './types.ts'

/** Due times that are worked out anew in one call while the price has fallen; more are left to the next. */
const SWEEP = 10_000
/** The same for timetables, where each takes ten microseconds; and no more than take a hundredth of a processor. */
const SWEEP_TIMETABLES = 500
const SWEPT_PER_MS = 0.8
const MOST_SAVED = 10_000
/**
 * A timetable is kept while the price has not moved by more than this: a little price moves a refresh to another peak, and
 * following every breath of the price would leave none where it was best.
 */
const KEPT_WITHIN = 1.05
/** In a sweep also those are looked at whose price fell by half of that. */
const LOOKED_AGAIN_BELOW = Math.sqrt(KEPT_WITHIN)
/** Sources among which one is chosen for budget that would be lost. */
const SPARE_LOOKS = 64
const LEAST_WAITED = 0.5
const NEVER = Number.POSITIVE_INFINITY

export interface LineDeps<Memory> {
  readonly rows: SourceRows<Memory>
  readonly times: DueTimes<Memory>
  readonly held: HeldPrice
  readonly timetable: boolean
}

/**
 * Who comes next. Asked for by hand first; then new ones, within their share; then full windows; then those whose time is
 * fixed; then what is worth its price, first due first. Due times are worked out at the price of the moment: a price that
 * rose is noticed when a source comes up, one that fell makes a sweep over all of them.
 */
export class Line<Memory> {
  readonly queues: Queues
  private readonly asked: SourceId[] = []
  private sweepFrom = NEVER
  private mayLookAt = MOST_SAVED
  private sweptAt: InstantMs | null = null
  private learner = 0
  private spare = 0
  private readonly deps: LineDeps<Memory>

  constructor(deps: LineDeps<Memory>) {
    this.deps = deps
    this.queues = new Queues(deps.rows as SourceRows<unknown>)
  }

  ask(id: SourceId): void {
    this.asked.push(id)
  }

  nextAsked(): number {
    const { rows } = this.deps
    for (let id = this.asked.shift(); id !== undefined; id = this.asked.shift()) {
      const row = rows.rowOf(id)
      if (row >= 0 && rows.has(row, MANUAL) && !rows.has(row, RUNNING)) return row
    }
    return -1
  }

  /** Where it belongs now. `plannedAt`: as it was planned before, if the price may move it. */
  enqueue(row: number, plannedAt: InstantMs | null): void {
    const { rows } = this.deps
    if (rows.has(row, RUNNING) || rows.has(row, MANUAL)) return
    this.queues.takeOut(row)
    if (rows.has(row, PAUSED) || rows.has(row, RETIRED)) return
    if (rows.lastRefreshAt(row) === null && rows.fixedAt(row) === null) this.queues.fresh.push(row)
    else this.putWaiting(row, rows.fixedAt(row) ?? plannedAt ?? this.dueAt(row))
  }

  putWaiting(row: number, dueAt: InstantMs): void {
    const { rows, held } = this.deps
    this.queues.waiting.remove(row)
    rows.setDueAt(row, dueAt)
    rows.setPlannedPrice(row, held.now)
    this.queues.waiting.push(row)
  }

  /** Moves those whose time has come from waiting to due, unless the price has risen meanwhile. */
  wake(now: InstantMs): void {
    const { rows, times } = this.deps
    const { waiting, timed, full, worth } = this.queues
    for (let row = waiting.peek(); row >= 0 && rows.dueAt(row) <= now; row = waiting.peek()) {
      const dueAt = this.isKept(row) ? rows.dueAt(row) : this.dueAt(row)
      if (dueAt > now) this.putWaiting(row, dueAt)
      else {
        waiting.pop()
        rows.setDueAt(row, dueAt)
        if (times.isTimed(row)) timed.push(row)
        else {
          rows.setFullAt(row, times.fullAt(row))
          if (rows.fullAt(row) <= now) full.push(row)
          else worth.push(row)
        }
      }
    }
  }

  choose(now: InstantMs, spending: Spending): { readonly row: number; readonly cause: Cause } | null {
    const { queues } = this
    const learner = spending.learningDue(now) ? this.nextLearner(now) : -1
    if (learner >= 0) return { row: learner, cause: 'learning' }
    const fresh = queues.fresh.peek()
    if (fresh >= 0 && (queues.backlog === 0 || spending.mayExplore(now))) return { row: fresh, cause: 'new' }
    const full = queues.full.peek()
    if (full >= 0) return { row: full, cause: 'full' }
    const timed = queues.timed.peek()
    if (timed >= 0) return { row: timed, cause: 'time' }
    const worth = queues.worth.peek()
    return worth >= 0 ? { row: worth, cause: 'worth' } : null
  }

  /** Of the next few sleepers the one with the largest part of its wait behind it, and at least half of it. */
  nextSpare(now: InstantMs): number {
    const { rows, times } = this.deps
    let best = -1
    let bestShare = LEAST_WAITED
    for (let step = 0; step < Math.min(rows.end, SPARE_LOOKS); step++) {
      this.spare = this.spare + 1 >= rows.end ? 0 : this.spare + 1
      const row = this.spare
      const last = rows.lastRefreshAt(row)
      if (last === null || !this.queues.waiting.has(row) || times.isTimed(row)) continue
      const share = (now - last) / (rows.dueAt(row) - last)
      if (share <= bestShare || last + times.minIntervalMs(row) > now) continue
      best = row
      bestShare = share
    }
    return best
  }

  /** The price has risen while it waited for the budget: it goes back to sleep. */
  isEarly(row: number, now: InstantMs): boolean {
    if (this.isKept(row)) return false
    const dueAt = this.dueAt(row)
    if (dueAt <= now) return false
    this.queues.takeOut(row)
    this.putWaiting(row, dueAt)
    return true
  }

  /** Windows that filled while they waited for the budget go to the front. */
  findFull(now: InstantMs): void {
    const { worth, full } = this.queues
    const { rows, times } = this.deps
    if (!times.knowsFull) return
    for (const row of worth.all()) {
      // Nothing is learnt of it while it waits.
      if (rows.fullAt(row) > now) continue
      worth.remove(row)
      full.push(row)
    }
  }

  /** After a fall of the price: sleepers are due earlier than they were put. A part of them at a time. */
  sweep(now: InstantMs): void {
    const { rows, held, timetable } = this.deps
    if (this.sweepFrom >= rows.end && held.takeSweep(timetable ? 1 / KEPT_WITHIN : undefined)) this.sweepFrom = 0
    if (this.sweepFrom >= rows.end) return
    const end = Math.min(rows.end, this.sweepFrom + (timetable ? this.takeLooks(now) : SWEEP))
    for (let row = this.sweepFrom; row < end; row++) this.lookAgain(row)
    this.sweepFrom = end >= rows.end ? NEVER : end
  }

  /** When the first sleeper is due; Infinity: none sleeps. */
  get firstDueAt(): InstantMs {
    const { waiting } = this.queues
    return waiting.size === 0 ? NEVER : this.deps.rows.dueAt(waiting.peek())
  }

  private takeLooks(now: InstantMs): number {
    const sinceMs = Math.max(0, now - (this.sweptAt ?? now))
    this.sweptAt = now
    this.mayLookAt = Math.min(MOST_SAVED, this.mayLookAt + sinceMs * SWEPT_PER_MS)
    const looks = Math.min(SWEEP_TIMETABLES, Math.floor(this.mayLookAt))
    this.mayLookAt -= looks
    return looks
  }

  private lookAgain(row: number): void {
    const { rows, held, timetable } = this.deps
    if (!this.queues.waiting.has(row) || rows.fixedAt(row) !== null) return
    if (timetable && held.now * LOOKED_AGAIN_BELOW > rows.plannedPrice(row)) return
    const dueAt = this.dueAt(row)
    if (dueAt < rows.dueAt(row)) this.putWaiting(row, dueAt)
    else rows.setPlannedPrice(row, held.now)
  }

  private dueAt(row: number): InstantMs {
    return this.deps.times.dueAt(row, this.deps.held.now)
  }

  private isKept(row: number): boolean {
    const { rows, held, timetable } = this.deps
    return timetable && held.now <= KEPT_WITHIN * rows.plannedPrice(row)
  }

  /** For learning all have their turn, whatever is believed of them. */
  private nextLearner(now: InstantMs): number {
    const { rows, times } = this.deps
    for (let step = 0; step < Math.min(rows.end, 64); step++) {
      this.learner = this.learner + 1 >= rows.end ? 0 : this.learner + 1
      const row = this.learner
      if (!rows.isUsed(row) || rows.fixedAt(row) !== null || !this.queues.waiting.has(row)) continue
      if ((rows.lastRefreshAt(row) ?? NEVER) + times.minIntervalMs(row) <= now) return row
    }
    return -1
  }
}
