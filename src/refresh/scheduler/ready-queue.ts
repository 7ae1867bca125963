import type { DurationMs, InstantMs, SourceId } from '../../model/index.ts'
import type { DueTimes } from './due-times.ts'
import type { LearningSchedule } from './learning-schedule.ts'
import { ParkedRows } from './payers/parked-rows.ts'
import type { Payer } from './payers/payer.ts'
import type { Payers } from './payers/payers.ts'
import { Queues } from './queues.ts'
import { MANUAL, PAUSED, REQUESTED, RETIRED, RUNNING, type SourceRows } from './source-rows.ts'
import type { Spending } from './spending.ts'
import type { Cause } from './types.ts'

/** Due times that are computed again in one call while the price has fallen; more are left to the next. */
const SWEEP = 10_000
/** The same for timetables, where each takes ten microseconds; and no more than take a hundredth of a processor. */
const SWEEP_TIMETABLES = 500
const SWEPT_PER_MS = 0.8
const MOST_SAVED = 10_000
/**
 * A timetable stays while the price has not moved by more than this: a little price moves a refresh to another peak, and
 * following every breath of the price would leave none where it was best.
 */
const STEADY_WITHIN = 1.05
/** In a sweep also those are examined whose price fell by half of that. */
const RECHECKED_BELOW = Math.sqrt(STEADY_WITHIN)
/** Sources among which one is chosen for budget that would be lost. */
const SPARE_LOOKS = 64
const LEAST_WAITED = 0.5
const NEVER = Number.POSITIVE_INFINITY
/** How a due source counts for its payers. */
const NOT_DUE = 0
const DUE = 1
const FRESH = 2

export interface ReadyQueueDeps<Memory> {
  readonly rows: SourceRows<Memory>
  readonly times: DueTimes<Memory>
  readonly payers: Payers
  readonly learningSchedule: LearningSchedule
  readonly timetable: boolean
}

/**
 * Who comes next. Requested by hand first; then new ones, within their share; then full windows; then those whose time is
 * fixed; then what is worth its price, first due first. Due times are computed at the price of the moment: a price that
 * rose is noticed when a source comes up, one that fell makes a sweep over all of them.
 *
 * With several payers a due source whose payers have used their share is *parked* when it comes up, and let go again, one at
 * a time for each payer, when there is something to pay with: each is parked about once for each time it is due.
 */
export class ReadyQueue<Memory> {
  readonly queues: Queues
  private readonly requested: SourceId[] = []
  private sweepFrom = NEVER
  private mayRecheck = MOST_SAVED
  private sweptAt: InstantMs | null = null
  private spare = 0
  private sweptVersion = -1
  private capacity = 0
  private readonly parked: ParkedRows
  /** Of parked windows that are full. */
  private readonly fullParked = new Set<number>()
  /** By row, while there are several payers. */
  private counted: Uint8Array | null = null
  private readonly deps: ReadyQueueDeps<Memory>

  constructor(deps: ReadyQueueDeps<Memory>) {
    this.deps = deps
    const { rows } = deps
    this.queues = new Queues(rows as SourceRows<unknown>)
    const order = (row: number) => (this.fullParked.has(row) ? Number.NEGATIVE_INFINITY : rows.dueAt(row))
    this.parked = new ParkedRows((a, b) => (order(a) === order(b) ? rows.id(a) < rows.id(b) : order(a) < order(b)))
  }

  get bytes(): number {
    return this.queues.bytes + (this.counted === null ? 0 : this.counted.byteLength + this.parked.bytes)
  }

  grow(capacity: number): void {
    this.queues.grow(capacity)
    this.capacity = capacity
    if (this.counted !== null) this.keepAccounts()
  }

  /** Out of the queue that it is in. */
  takeOut(row: number): void {
    this.queues.takeOut(row)
    if (this.counted === null) return
    this.unpark(row)
    this.count(row, NOT_DUE)
  }

  /** From now on there are several payers. */
  share(): void {
    if (this.counted !== null) return
    this.counted = new Uint8Array(0)
    this.keepAccounts()
    const { full, timed, worth, fresh } = this.queues
    for (const heap of [full, timed, worth]) for (const row of heap.all()) this.count(row, DUE)
    for (const row of fresh.all()) this.count(row, FRESH)
  }

  request(row: number): void {
    const { rows } = this.deps
    this.takeOut(row)
    rows.mark(row, MANUAL, true)
    rows.mark(row, REQUESTED, true)
    this.requested.push(rows.id(row))
  }

  /** The first that was requested by hand and still can be taken; −1: none. */
  firstRequested(): number {
    const { rows } = this.deps
    for (let id = this.requested[0]; id !== undefined; id = this.requested[0]) {
      const row = rows.rowOf(id)
      if (row >= 0 && rows.has(row, REQUESTED)) return row
      this.requested.shift()
    }
    return -1
  }

  /** The first that was requested is taken. */
  dropRequested(row: number): void {
    this.deps.rows.mark(row, REQUESTED, false)
    this.requested.shift()
  }

  /** Where it belongs now. `plannedAt`: as it was planned before, if the price may move it. */
  enqueue(row: number, plannedAt: InstantMs | null): void {
    const { rows } = this.deps
    if (rows.has(row, RUNNING) || rows.has(row, REQUESTED)) return
    this.takeOut(row)
    if (rows.has(row, MANUAL)) {
      // Requested by hand, and its host was busy: whatever changed, it keeps its turn there.
      rows.setFixedAt(row, rows.dueAt(row))
      this.putWaiting(row, rows.dueAt(row))
      return
    }
    if (rows.has(row, PAUSED) || rows.has(row, RETIRED)) return
    if (rows.lastRefreshAt(row) === null && rows.fixedAt(row) === null) {
      this.queues.fresh.push(row)
      if (this.counted !== null) this.count(row, FRESH)
    } else this.putWaiting(row, rows.fixedAt(row) ?? plannedAt ?? this.dueAt(row))
  }

  putWaiting(row: number, dueAt: InstantMs): void {
    const { rows, payers } = this.deps
    this.queues.waiting.remove(row)
    rows.setDueAt(row, dueAt)
    rows.setPlannedPrice(row, payers.priceOf(row))
    this.queues.waiting.push(row)
  }

  /** Moves those whose time has come from waiting to due, unless the price has risen meanwhile. */
  wake(now: InstantMs): void {
    const { rows, times } = this.deps
    const { waiting, timed, full, worth } = this.queues
    for (let row = waiting.peek(); row >= 0 && rows.dueAt(row) <= now; row = waiting.peek()) {
      const dueAt = this.isPriceSteady(row) ? rows.dueAt(row) : this.dueAt(row)
      if (dueAt > now) this.putWaiting(row, dueAt)
      else {
        waiting.pop()
        rows.setDueAt(row, dueAt)
        if (this.counted !== null) this.count(row, DUE)
        if (times.isTimed(row)) timed.push(row)
        else {
          rows.setFullAt(row, times.fullAt(row))
          if (rows.fullAt(row) <= now) full.push(row)
          else worth.push(row)
        }
      }
    }
  }

  choose(
    now: InstantMs,
    spending: Spending,
    mayLearn: boolean,
  ): { readonly row: number; readonly cause: Cause } | null {
    const { queues } = this
    const fresh = queues.fresh.peek()
    if (fresh >= 0 && (queues.backlog === 0 || spending.mayExplore(now))) return { row: fresh, cause: 'new' }
    const timed = queues.timed.peek()
    const isDecided = !spending.isAllForLearning
    // Learning leaves nothing for others then; the user's own interval is kept all the same.
    if (timed >= 0 && !isDecided && this.deps.times.hasOwnInterval(timed)) return { row: timed, cause: 'time' }
    const learner = mayLearn && spending.learningDue(now) ? this.nextLearner(now) : -1
    if (learner >= 0) return { row: learner, cause: 'learning' }
    const full = queues.full.peek()
    if (full >= 0 && isDecided) return { row: full, cause: 'full' }
    if (timed >= 0) return { row: timed, cause: 'time' }
    const worth = isDecided ? queues.worth.peek() : -1
    return worth >= 0 ? { row: worth, cause: 'worth' } : null
  }

  get keepsAccounts(): boolean {
    return this.counted !== null
  }

  /** One payer is left: nothing waits for a share any more. */
  endSharing(payer: Payer, now: InstantMs): void {
    for (const row of [...this.parked.all(payer.index)]) this.putDue(row, now)
    this.counted = null
    payer.waiting = 0
    payer.fresh = 0
    payer.released = -1
  }

  /** Aside until its payers can pay. */
  park(row: number): void {
    const { rows, payers } = this.deps
    const { full, fresh } = this.queues
    if (full.has(row)) this.fullParked.add(row)
    if (fresh.has(row)) rows.setDueAt(row, rows.addedAt(row))
    this.queues.takeOut(row)
    this.parked.push(row, payers.keenest(row).index)
  }

  isParked(row: number): boolean {
    return this.counted !== null && this.parked.payer(row) >= 0
  }

  parkedOf(payer: Payer): number {
    return this.parked.size(payer.index)
  }

  /** Lets the first go that waits for the payer's share, if it has some again and the last one was taken. */
  release(payer: Payer, now: InstantMs): void {
    if (!payer.hasCredit || (payer.released >= 0 && this.isInQueue(payer.released))) return
    const row = this.parked.peek(payer.index)
    payer.released = row
    if (row >= 0) this.putDue(row, now)
  }

  /** From the parked back to where it was. */
  private putDue(row: number, now: InstantMs): void {
    const { rows, times } = this.deps
    const { fresh, full, timed, worth } = this.queues
    this.unpark(row)
    if (this.counted![row] === FRESH) fresh.push(row)
    else if (times.isTimed(row)) timed.push(row)
    else if (rows.fullAt(row) <= now) full.push(row)
    else worth.push(row)
  }

  /** Of the next few sleepers the one with the largest part of its wait behind it, and at least half of it. */
  nextSpare(now: InstantMs, mayPay: (row: number) => boolean): number {
    const { rows, times } = this.deps
    let best = -1
    let bestShare = LEAST_WAITED
    for (let step = 0; step < Math.min(rows.end, SPARE_LOOKS); step++) {
      this.spare = this.spare + 1 >= rows.end ? 0 : this.spare + 1
      const row = this.spare
      const last = rows.lastRefreshAt(row)
      if (last === null || !this.queues.waiting.has(row) || times.isTimed(row)) continue
      const share = (now - last) / (rows.dueAt(row) - last)
      if (share <= bestShare || last + times.minIntervalMs(row) > now || !mayPay(row)) continue
      best = row
      bestShare = share
    }
    return best
  }

  /** The price has risen while it waited for the budget: it goes back to sleep. */
  isEarly(row: number, now: InstantMs): boolean {
    if (this.isPriceSteady(row)) return false
    const dueAt = this.dueAt(row)
    if (dueAt <= now) return false
    this.takeOut(row)
    this.putWaiting(row, dueAt)
    return true
  }

  /** Windows that filled while they waited for the budget go to the front. */
  findFull(now: InstantMs): void {
    const { worth, full } = this.queues
    const { rows, times, payers } = this.deps
    if (!times.knowsFull) return
    for (const row of worth.all()) {
      // Nothing is learnt of it while it waits.
      if (rows.fullAt(row) > now) continue
      worth.remove(row)
      full.push(row)
    }
    if (this.counted !== null) for (const payer of payers.list) this.findFullParked(payer, now)
  }

  private findFullParked(payer: Payer, now: InstantMs): void {
    const { rows, times } = this.deps
    for (const row of [...this.parked.all(payer.index)]) {
      if (this.fullParked.has(row) || this.counted![row] !== DUE || times.isTimed(row) || rows.fullAt(row) > now)
        continue
      this.parked.remove(row)
      this.fullParked.add(row)
      this.parked.push(row, payer.index)
    }
  }

  /** After a fall of the price: sleepers are due earlier than they were put. A part of them at a time. */
  sweep(now: InstantMs): void {
    const { rows, timetable } = this.deps
    if (this.sweepFrom >= rows.end && this.hasFallen()) this.sweepFrom = 0
    if (this.sweepFrom >= rows.end) return
    const end = Math.min(rows.end, this.sweepFrom + (timetable ? this.takeRechecks(now) : SWEEP))
    for (let row = this.sweepFrom; row < end; row++) this.recheck(row)
    this.sweepFrom = end >= rows.end ? NEVER : end
  }

  /** The clock was set. */
  shift(byMs: DurationMs): void {
    if (this.sweptAt !== null) this.sweptAt += byMs
  }

  /** When the first sleeper is due; Infinity: none sleeps. */
  get firstDueAt(): InstantMs {
    const { waiting } = this.queues
    return waiting.size === 0 ? NEVER : this.deps.rows.dueAt(waiting.peek())
  }

  private takeRechecks(now: InstantMs): number {
    const sinceMs = Math.max(0, now - (this.sweptAt ?? now))
    this.sweptAt = now
    this.mayRecheck = Math.min(MOST_SAVED, this.mayRecheck + sinceMs * SWEPT_PER_MS)
    const looks = Math.min(SWEEP_TIMETABLES, Math.floor(this.mayRecheck))
    this.mayRecheck -= looks
    return looks
  }

  private recheck(row: number): void {
    const { rows, payers, timetable } = this.deps
    if (!this.queues.waiting.has(row) || rows.fixedAt(row) !== null) return
    const price = payers.priceOf(row)
    if (timetable && price * RECHECKED_BELOW > rows.plannedPrice(row)) return
    const dueAt = this.dueAt(row)
    if (dueAt < rows.dueAt(row)) this.putWaiting(row, dueAt)
    else rows.setPlannedPrice(row, price)
  }

  private dueAt(row: number): InstantMs {
    return this.deps.times.dueAt(row, this.deps.payers.priceOf(row))
  }

  private isPriceSteady(row: number): boolean {
    const { rows, payers, timetable } = this.deps
    return timetable && payers.priceOf(row) <= STEADY_WITHIN * rows.plannedPrice(row)
  }

  /** Whether the price of some payer fell so far that its sleepers have to be examined. */
  private hasFallen(): boolean {
    const { payers, timetable } = this.deps
    const below = timetable ? 1 / STEADY_WITHIN : undefined
    if (!payers.isShared) return payers.only.pricing.takeFall(below)
    if (this.sweptVersion === payers.version) return false
    this.sweptVersion = payers.version
    let hasFallen = false
    for (const { pricing } of payers.list) if (pricing.takeFall(below)) hasFallen = true
    return hasFallen
  }

  private isInQueue(row: number): boolean {
    const { fresh, full, timed, worth } = this.queues
    return fresh.has(row) || full.has(row) || worth.has(row) || timed.has(row)
  }

  private unpark(row: number): void {
    this.parked.remove(row)
    this.fullParked.delete(row)
  }

  /** What is due and what is new, for each payer. */
  private count(row: number, kind: number): void {
    const counted = this.counted!
    const before = counted[row]!
    if (before === kind) return
    counted[row] = kind
    const payers = this.deps.payers.of(row)
    const part = 1 / payers.length
    for (const payer of payers) {
      payer.waiting += (kind === DUE ? part : 0) - (before === DUE ? part : 0)
      payer.fresh += (kind === FRESH ? part : 0) - (before === FRESH ? part : 0)
      payer.pricing.noteWaiting(payer.waiting)
    }
  }

  private keepAccounts(): void {
    const counted = new Uint8Array(this.capacity)
    counted.set(this.counted!)
    this.counted = counted
    this.parked.grow(this.capacity)
  }

  private nextLearner(now: InstantMs): number {
    const { rows, times, learningSchedule } = this.deps
    const { waiting, full, timed, worth } = this.queues
    const mayTake = (row: number) => {
      const isDue = full.has(row) || worth.has(row) || timed.has(row)
      if (!isDue && !(waiting.has(row) && !times.isTimed(row))) return false
      return (rows.lastRefreshAt(row) ?? NEVER) + times.minIntervalMs(row) <= now
    }
    return learningSchedule.next(rows as SourceRows<never>, mayTake, (row) => times.isTimed(row))
  }
}
