import {
  type DurationMs,
  HOUR_MS,
  type InstantMs,
  type Observation,
  type SourceId,
  WEEK_MS,
} from '../../model/index.ts'
import { isLearningRequest } from '../learning/lesson.ts'
import { type BudgetSplit, LEARNING_ONLINE, totalOf } from '../learning/plan.ts'
import { afterSignal } from '../strategies/foresight/index.ts'
import type { Budget, CycleSource, SourceFacts } from '../strategy.ts'
import { Course, type KeptCourse } from './course.ts'
import { DueTimes } from './due-times.ts'
import { explain } from './explain.ts'
import { Learning } from './learning.ts'
import { Line } from './line.ts'
import type { Payer } from './payers/payer.ts'
import { Payers } from './payers/payers.ts'
import { SiblingSignals } from './sibling-signals.ts'
import { LEARNS, MANUAL, PAUSED, PLANNED, RETIRED, RUNNING, SIGNALLED, SourceRows } from './source-rows.ts'
import { Spending } from './spending.ts'
import type {
  Cause,
  Explanation,
  KeptMemory,
  KeptSchedule,
  NextCheck,
  PastObservation,
  PayerId,
  PayerShare,
  Planned,
  SchedulerOptions,
  SchedulerSource,
  Taken,
} from './types.ts'

export type * from './types.ts'

const NEVER = Number.POSITIVE_INFINITY
/** One payer for all sources of which nobody says who pays. */
const NOBODY_SAYS: readonly PayerId[] = [0]
export const LONGEST_SLEEP_MS = WEEK_MS
const WAITS_FOR_SHARE = 'waits: its payers have used their share'

/**
 * Event-driven scheduling over any priced strategy. Pure: time and randomness come in as arguments, so live node and
 * lab run the same code.
 *
 * A source is *fresh* until it was looked at once, *waiting* by due time, then *due* (full or worth its price) until the
 * budget can pay, *running* once taken, or *resting* (paused, retired). `take` hands out the next one; the caller
 * refreshes it, asks `plan` for the next check and says `finish`; or gives it back with `postpone` when its host is busy,
 * which costs nothing. Sources asked for by hand go first and may overdraw the purse; then new ones, within their share;
 * then full windows; then those whose time is fixed; then what is worth its price, first due first; at last, with budget
 * that would be lost, one whose time comes soon.
 *
 * O(log n) per decision, some 90 bytes per source beside the packed memory.
 */
export class Scheduler<Memory> {
  private readonly options: SchedulerOptions<Memory>
  private readonly rows: SourceRows<Memory>
  private readonly times: DueTimes<Memory>
  private readonly payers: Payers
  private readonly line: Line<Memory>
  private readonly learning: Learning<Memory>
  private readonly course: Course
  private split: BudgetSplit
  private budget: Budget
  private spending: Spending
  private now: InstantMs
  /** Of several payers: when the first of their periods ends, and from which prices that is known. */
  private periodEndsAt: InstantMs = Number.NEGATIVE_INFINITY
  private periodVersion = -1
  /** Who publishes with whom; whoever finds siblings tells it. */
  readonly signals = new SiblingSignals()

  constructor(options: SchedulerOptions<Memory>) {
    const { strategy, budget, now, learning = LEARNING_ONLINE } = options
    this.options = options
    this.budget = budget
    this.now = now
    this.course = new Course(learning, now)
    this.split = this.course.splitAt(now)
    this.rows = new SourceRows<Memory>(strategy.packing, (capacity) => this.line.grow(capacity))
    this.times = new DueTimes({ maxIntervalMs: NEVER, ...options, rows: this.rows })
    this.payers = new Payers({ strategy, budget: this.wholeBudget, now, burst: options.burst })
    const timetable = strategy.timetable === true
    const { rows, times, payers, course } = this
    this.line = new Line({ rows, times, payers, course, timetable })
    this.learning = new Learning(rows, { strategy, course, random: options.random })
    this.spending = this.newSpending(now, null)
  }

  /** The lowest of the payers' prices. */
  get price(): number {
    return this.payers.price
  }

  /** How each payer stands; one where all is paid by one. */
  shares(now: InstantMs): readonly PayerShare[] {
    return this.payers.shares(now)
  }

  /** Sources that it knows. */
  get size(): number {
    return this.rows.size
  }

  /** Memory of its columns. */
  get bytes(): number {
    return this.rows.bytes + this.line.bytes
  }

  /** Sources that are due and wait for the budget. */
  get backlog(): number {
    return this.line.queues.backlog + this.line.queues.fresh.size
  }

  /** Whether a loss changes when it looks again. */
  get hurriesAfterLoss(): boolean {
    return this.options.afterLoss === 'sooner' || this.options.strategy.expected !== undefined
  }

  /**
   * Goes on with what `keep` gave before a restart; before any source is added. `setByMs`: by how much the clock was set
   * since.
   */
  resume(kept: KeptSchedule, now: InstantMs, setByMs: DurationMs = 0): void {
    this.resumeLearning(kept.learning, setByMs)
    this.split = this.course.splitAt(now)
    this.payers.setBudget(this.wholeBudget, null)
    this.spending = this.newSpending(now, kept, setByMs)
    // A price means something only to the strategy that set it.
    if (kept.strategy === this.options.strategy.id && kept.price > 0) {
      this.payers.resume(kept.price, kept.sources, kept.payers ?? [], now)
    }
  }

  /**
   * The clock was set by so much, and whatever is asked from now on is asked by the new time. What was spent is as long ago
   * as it was, so a clock earns nothing. So is every refresh, and each source waits as long as it would have; but a clock
   * that was put forward by less than a week is one of a machine that slept, and then time has passed for the sources.
   */
  shift(byMs: DurationMs): void {
    this.now += byMs
    this.course.shift(byMs)
    this.split = { ...this.split, endsAt: this.split.endsAt + byMs }
    this.spending.shift(byMs)
    this.payers.shift(byMs)
    this.line.shift(byMs)
    this.periodEndsAt += byMs
    if (byMs > 0 && byMs < LONGEST_SLEEP_MS) return
    this.rows.shift(byMs)
    this.signals.shift(byMs)
  }

  /** Another budget from now on, with the price that is believed to spend it where one is known. */
  setBudget(budget: Budget, now: InstantMs, price: number | null = null): void {
    const kept = this.keep(now)
    this.budget = budget
    this.payers.setBudget(this.wholeBudget, price)
    this.spending = this.newSpending(now, kept)
    for (const payer of this.payers.list) this.beginPeriod(payer, now)
  }

  /** Of what `resume` takes over, where learning stands. */
  resumeLearning(kept: KeptCourse | undefined, setByMs: DurationMs = 0): void {
    this.course.resume(kept, setByMs)
  }

  /** Whether models are being learnt now. */
  isLearning(now: InstantMs): boolean {
    return this.course.isLearning(now)
  }

  /** What every source is believed to do, for forecasts (least-budget.ts); at most so many, spread over all of them. */
  beliefs(most: number): CycleSource<Memory>[] {
    return this.rows.beliefs(most)
  }

  /** What these are believed to do, of those that were looked at. */
  beliefsOf(ids: Iterable<SourceId>): CycleSource<Memory>[] {
    return this.rows.beliefsOf(ids)
  }

  /** Which part of the budget each payer gets, in relation to the others; 1 for those that are not named. */
  setParts(parts: ReadonlyMap<PayerId, number>): void {
    this.payers.setParts(parts)
  }

  /**
   * Adds a source or takes over its changed settings; what was learnt stays. `now`: times that were kept by a clock that was
   * ahead of it are mended; without it they are believed.
   */
  upsert(source: SchedulerSource, now: InstantMs = NEVER): void {
    const { facts, isMended } = mended(source.facts, now)
    let row = this.rows.rowOf(facts.id)
    if (row < 0) {
      row = this.rows.add(facts)
      this.assign(row, source.payers ?? NOBODY_SAYS, true)
      if (!this.learning.restore(row, source.memory)) this.learning.begin(row, facts)
      if (source.isBehind) this.learning.wait(row)
    } else {
      this.line.takeOut(row)
      if (source.payers !== undefined) this.assign(row, source.payers, false)
      if (source.relearnt) this.learning.restore(row, source.memory)
      this.rows.setFacts(row, {
        ...facts,
        windowSize: this.rows.windowSize(row),
        cost: this.rows.cost(row),
        lastRefreshAt: later(facts.lastRefreshAt, this.rows.lastRefreshAt(row)),
      })
    }
    this.times.setOwn(facts.id, source)
    this.rows.mark(row, PAUSED, source.paused)
    this.rows.mark(row, RETIRED, source.retired)
    this.rows.setFixedAt(row, this.times.believed(row, source.dueAt, now, isMended))
    this.line.enqueue(row, this.times.believed(row, source.plannedAt ?? null, now, isMended))
  }

  /** When a source was last looked at, by the clock as it is now; null: never. */
  lastRefreshAt(id: SourceId): InstantMs | null {
    const row = this.rows.rowOf(id)
    return row < 0 ? null : this.rows.lastRefreshAt(row)
  }

  /** Forgets a source and all that was learnt of it. */
  remove(id: SourceId): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.line.takeOut(row)
    this.learning.forget(row)
    this.course.forget(row)
    this.rows.remove(row)
    this.times.forget(id)
    this.payers.unassign(row)
  }

  /** Others pay for it from now on. */
  setPayers(id: SourceId, payers: readonly PayerId[]): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.payers.isPaidBy(row, payers)) return
    const plannedAt = this.line.queues.waiting.has(row) ? this.rows.dueAt(row) : null
    this.line.takeOut(row)
    const before = this.payers.priceOf(row)
    this.assign(row, payers, false)
    this.line.enqueue(row, this.payers.priceOf(row) < before ? null : plannedAt)
  }

  /** Whether it knows a source. */
  has(id: SourceId): boolean {
    return this.rows.rowOf(id) >= 0
  }

  /** Importance as it is now: the user's weight × relevance to what is read. */
  setWeight(id: SourceId, weight: number): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.rows.weight(row) === weight) return
    this.line.takeOut(row)
    this.rows.setWeight(row, weight)
    this.line.enqueue(row, null)
  }

  /**
   * Refresh as soon as its host allows, ahead of everything that is merely due. `by`: who asks, and pays for it; one who has
   * asked for more than its share waits for it, and the source keeps its place meanwhile.
   */
  askFor(id: SourceId, by: PayerId | null = null): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.rows.has(row, RUNNING) || this.rows.has(row, MANUAL)) return
    const payer = by === null || this.payers.isPaidBy(row, [by]) ? null : this.payerOf(by)
    if (!this.payers.isShared) this.ask(row)
    else this.askOf(payer ?? this.payers.keenest(row), id, row)
  }

  /** The next source to refresh now, already paid for, or until when there is nothing to do. */
  take(now: InstantMs): Taken {
    this.adjust(now)
    this.line.sweep(now)
    const asked = this.line.nextAsked()
    if (asked >= 0) return this.hand(asked, 'asked', now)
    this.line.wake(now)
    for (let mayLearn = true; ; ) {
      const choice = this.line.choose(now, this.spending, mayLearn)
      if (choice === null) {
        if (!this.payers.isShared) this.payers.only.control.noteWaiting(0)
        const spare = this.nextSpare(now)
        return spare >= 0 ? this.hand(spare, 'spare', now) : { kind: 'wait', until: this.nothingBefore(now) }
      }
      const { row, cause } = choice
      if (cause === 'worth' && this.line.isEarly(row, now)) continue
      const isManual = this.rows.has(row, MANUAL)
      if (this.payers.isShared && !isManual && !this.payers.canPay(row)) {
        if (cause === 'learning') mayLearn = false
        else this.line.park(row)
        continue
      }
      const affordableAt = isManual ? now : this.spending.affordableAt(this.rows.cost(row), now)
      if (affordableAt > now) return { kind: 'wait', until: Math.min(affordableAt, this.endsAt) }
      return this.hand(row, cause, now)
    }
  }

  /** Gives a taken source back unspent, to be tried again at `until` (its host is busy or resting). */
  postpone(id: SourceId, until: InstantMs, now: InstantMs = until): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.spending.refund(this.rows.cost(row), now, this.rows.has(row, LEARNS))
    this.charge(row, -this.rows.cost(row), now)
    this.rows.mark(row, RUNNING, false)
    this.rows.setFixedAt(row, until)
    this.line.putWaiting(row, until)
  }

  /**
   * Learns from a refresh and says when the next is due and why; the caller stores that, then calls `finish`.
   * `notBefore`: what a hint of the publisher asks for. It is honoured up to the moment when the window would be full.
   */
  plan(observation: Observation, notBefore: NextCheck | null = null): Planned {
    const row = this.rows.rowOf(observation.sourceId)
    if (row < 0) return { at: NEVER, earliestAt: NEVER, reason: 'removed', expected: null }
    const isFirst = this.rows.lastRefreshAt(row) === null
    const learnt = this.learning.learn(row, observation, this.rows.has(row, LEARNS), this.spending)
    const { expected } = this.options.strategy
    const usual = (from: InstantMs, to: InstantMs) => expected?.(this.rows.memory(row), from, to) ?? 0
    for (const id of this.signals.observed(observation, usual)) this.signal(id, observation.at)
    const { at, reason } = this.times.next(row, this.payers.priceOf(row), notBefore)
    this.rows.mark(row, PLANNED, true)
    const earliestAt = observation.at + this.times.minIntervalMs(row)
    return { at, earliestAt, reason, expected: isFirst ? null : learnt }
  }

  /** Ends a refresh. `fixedAt`: a time that the price must not move (a failure's retry); null: as planned. */
  finish(id: SourceId, fixedAt: InstantMs | null, retired = false): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.rows.mark(row, RUNNING, false)
    this.rows.mark(row, MANUAL, false)
    this.rows.mark(row, RETIRED, retired)
    if (fixedAt !== null) this.rows.setFixedAt(row, fixedAt)
    this.line.enqueue(row, this.rows.has(row, PLANNED) ? this.rows.dueAt(row) : null)
  }

  /** A source that waits for its next try after a failure is tried as soon as the budget allows. */
  retry(id: SourceId, now: InstantMs): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || !this.line.queues.waiting.has(row) || this.rows.fixedAt(row) === null) return
    this.rows.setFixedAt(row, now)
    this.line.putWaiting(row, now)
  }

  /**
   * Pays for one request more of a source that is being refreshed (an older page); returns when the budget will have
   * earned it, null where that would be after `latest` and nothing was paid.
   */
  reserve(id: SourceId, now: InstantMs, latest: InstantMs): InstantMs | null {
    const row = this.rows.rowOf(id)
    if (row < 0) return null
    const cost = this.rows.cost(row)
    const at = Math.max(this.spending.affordableAt(cost, now), this.creditAt(row, now))
    if (at > latest) return null
    this.spending.spend(cost, now, 'time')
    this.payers.charge(row, cost, now)
    return at
  }

  /** What is believed of a source and why it is checked when it is. */
  explain(id: SourceId, now: InstantMs): Explanation | null {
    const row = this.rows.rowOf(id)
    if (row < 0) return null
    const price = this.payers.priceOf(row)
    const { at, reason } = this.times.planned(row, price)
    const rests = this.rows.has(row, PAUSED) || this.rows.has(row, RETIRED)
    const subject = { memory: this.rows.memory(row), facts: { ...this.rows.facts(row) }, price }
    return {
      ...explain(this.options.strategy, subject, now),
      nextAt: rests ? null : (this.rows.fixedAt(row) ?? at),
      reason: this.line.isParked(row) ? `${WAITS_FOR_SHARE}; ${reason}` : reason,
    }
  }

  /** The memory of a source as the store keeps it. */
  memory(id: SourceId): KeptMemory | null {
    const row = this.rows.rowOf(id)
    return row < 0 ? null : this.learning.kept(row)
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
    this.line.takeOut(row)
    this.learning.catchUp(row, observations, this.spending)
    this.line.enqueue(row, null)
    return true
  }

  /** Sources that learnt something since they were last asked for; at most so many. */
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

  /** What must outlast a restart beside the memories. */
  keep(now: InstantMs): KeptSchedule {
    return {
      v: 1,
      strategy: this.options.strategy.id,
      price: this.price,
      sources: this.size,
      at: now,
      ...this.spending.keep(now),
      learning: this.course.keep(),
      ...(this.payers.isShared ? { payers: this.payers.kept(now) } : {}),
    }
  }

  /** Names the form of the memories that this scheduler writes and reads. */
  get form(): string {
    return this.learning.form
  }

  private hand(row: number, chosen: Cause, now: InstantMs): Taken {
    const { rows, payers } = this
    const manual = rows.has(row, MANUAL)
    const cause = this.course.take(row, rows.id(row), manual ? 'asked' : chosen) ? 'learning' : chosen
    this.line.takeOut(row)
    rows.mark(row, RUNNING, true)
    rows.mark(row, PLANNED, false)
    this.spending.spend(rows.cost(row), now, cause)
    this.charge(row, rows.cost(row), now)
    if (payers.isShared) for (const payer of payers.of(row)) this.line.release(payer, now)
    else payers.only.control.noteWaiting(this.line.queues.backlog)
    const signalled = rows.has(row, SIGNALLED)
    rows.mark(row, SIGNALLED, false)
    const price = payers.priceOf(row)
    const why = { cause: manual ? 'asked' : signalled ? 'signal' : cause, at: now, price } as const
    rows.mark(row, LEARNS, isLearningRequest(why.cause))
    return { kind: 'refresh', id: rows.id(row), manual, why }
  }

  /** What was asked for by hand was paid for when it was, by whoever asked. */
  private charge(row: number, cost: number, now: InstantMs): void {
    if (!this.payers.isShared || !this.rows.has(row, MANUAL)) this.payers.charge(row, cost, now)
  }

  private assign(row: number, ids: readonly PayerId[], isNew: boolean): void {
    this.payers.assign(row, ids, isNew)
    if (this.payers.isShared) this.line.share()
  }

  private payerOf(id: PayerId): Payer {
    const payer = this.payers.find(id)
    if (this.payers.isShared) this.line.share()
    return payer
  }

  private ask(row: number): void {
    this.rows.mark(row, MANUAL, true)
    this.line.takeOut(row)
    this.line.ask(this.rows.id(row))
  }

  private askOf(payer: Payer, id: SourceId, row: number): void {
    if (!this.payers.mayAsk(payer)) {
      payer.asked.add(id)
      return
    }
    this.payers.chargeOne(payer, this.rows.cost(row), this.now)
    this.ask(row)
  }

  /** What was asked for beyond a share, as far as there is one again. */
  private askLater(payer: Payer): void {
    for (const id of payer.asked) {
      if (!this.payers.mayAsk(payer)) return
      payer.asked.delete(id)
      const row = this.rows.rowOf(id)
      if (row >= 0 && !this.rows.has(row, RUNNING) && !this.rows.has(row, MANUAL)) this.askOf(payer, id, row)
    }
  }

  private endSharing(payer: Payer, now: InstantMs): void {
    this.line.endSharing(payer, now)
    for (const id of payer.asked) this.askFor(id)
    payer.asked.clear()
  }

  private creditAt(row: number, now: InstantMs): InstantMs {
    return this.payers.isShared ? this.payers.usualCredit(this.payers.keenest(row), now) : now
  }

  /** A sibling has just published: looked at now, if that announces enough of what would come until its time. */
  private signal(id: SourceId, now: InstantMs): void {
    const { rows, times } = this
    const row = rows.rowOf(id)
    if (row < 0 || !this.line.queues.waiting.has(row) || times.isTimed(row)) return
    const dueAt = rows.dueAt(row)
    const earliest = Math.max(now, (rows.lastRefreshAt(row) ?? now) + times.minIntervalMs(row))
    const expected = this.options.strategy.expected?.(rows.memory(row), now, dueAt)
    if (expected === undefined || !(dueAt > earliest)) return
    const ratePerHour = (expected * HOUR_MS) / (dueAt - now)
    if (afterSignal(dueAt, now, ratePerHour, this.signals.expected(id)) >= dueAt) return
    rows.mark(row, SIGNALLED, true)
    rows.setFixedAt(row, earliest)
    this.line.putWaiting(row, earliest)
  }

  /** Budget that would be lost is spent on a source whose time comes soon, unless there is more of it than anyone needs. */
  private nextSpare(now: InstantMs): number {
    const { payers, spending } = this
    if (spending.isAllForLearning || spending.lackingAt(now) > now) return -1
    if (payers.list.every(({ control }) => control.held.isLow)) return -1
    const mayPay = (row: number) =>
      !payers.isShared || payers.of(row).some(({ hasCredit, control }) => hasCredit && !control.held.isLow)
    const row = this.line.nextSpare(now, mayPay)
    return row >= 0 && spending.affordableAt(this.rows.cost(row), now) <= now ? row : -1
  }

  private nothingBefore(now: InstantMs): InstantMs {
    const first = Math.min(this.line.firstDueAt, this.firstCreditAt(now))
    if (this.rows.size === 0) return NEVER
    const ahead = [this.spending.lackingAt(now), this.spending.learningAt(now)].map((at) => (at > now ? at : NEVER))
    if (first === NEVER && !this.spending.isAllForLearning) return NEVER
    // Clocks count whole milliseconds.
    return Math.ceil(Math.min(first, this.endsAt, ...ahead))
  }

  /** When a payer for whom something waits could pay again, at the earliest. */
  private firstCreditAt(now: InstantMs): InstantMs {
    if (!this.payers.isShared) return NEVER
    let first = NEVER
    for (const payer of this.payers.list) {
      if (this.line.parkedOf(payer) > 0 || payer.asked.size > 0) {
        first = Math.min(first, this.payers.earliestCredit(payer.balance, now))
      }
    }
    return first
  }

  private get endsAt(): InstantMs {
    return Math.min(this.split.endsAt, this.payers.isShared ? this.periodEndsAt : this.payers.only.control.endsAt)
  }

  private adjust(now: InstantMs): void {
    const { payers } = this
    this.now = now
    if (now >= this.split.endsAt) this.beginPhase(now)
    payers.follow(now)
    if (!payers.isShared) {
      if (this.line.keepsAccounts) this.endSharing(payers.only, now)
      this.adjustOne(payers.only, now)
      return
    }
    if (payers.earn(now)) {
      for (const payer of payers.list) {
        if (payer.asked.size > 0) this.askLater(payer)
        this.line.release(payer, now)
      }
    }
    if (now < this.periodEndsAt && payers.version === this.periodVersion) return
    for (const payer of payers.list) this.adjustOne(payer, now)
    this.periodVersion = payers.version
    this.periodEndsAt = Math.min(...payers.list.map(({ control }) => control.endsAt))
  }

  private adjustOne(payer: Payer, now: InstantMs): void {
    const { control } = payer
    if (!control.isOver(now)) return
    this.line.wake(now)
    this.line.findFull(now)
    // What waits while everybody has a turn says nothing about the price.
    if (this.spending.isAllForLearning) {
      this.beginPeriod(payer, now)
      return
    }
    const { backlog, fresh } = this.line.queues
    payer.endPeriod(
      now,
      this.payers.perMs(payer, now),
      this.payers.isShared
        ? null
        : { saved: this.spending.saved(now), waiting: backlog, exploring: fresh.size > 0, sources: this.rows.size },
    )
    if (this.payers.isShared) this.payers.touch()
  }

  /** The budget with what a period of learning takes beyond it, or less what it took. */
  private get wholeBudget(): Budget {
    return { requests: this.budget.requests * totalOf(this.split), perMs: this.budget.perMs }
  }

  private newSpending(now: InstantMs, kept: KeptSchedule | null, setByMs: DurationMs = 0): Spending {
    const { split, budget } = this
    return new Spending({ ...this.options, split, budget, now, kept, setByMs })
  }

  /** A period of learning begins or ends: the budget is for something else from now on. */
  private beginPhase(now: InstantMs): void {
    this.split = this.course.splitAt(now)
    this.setBudget(this.budget, now)
  }

  private beginPeriod(payer: Payer, now: InstantMs): void {
    const alone = { waiting: this.line.queues.backlog, sources: this.rows.size }
    payer.beginPeriod(now, this.payers.isShared ? null : alone)
  }
}

/** What was kept by a clock that was ahead: nothing was looked at later than now. */
export function mended(
  facts: SourceFacts,
  now: InstantMs,
): { readonly facts: SourceFacts; readonly isMended: boolean } {
  const isMended = (facts.lastRefreshAt ?? now) > now
  return { facts: isMended ? { ...facts, lastRefreshAt: now } : facts, isMended }
}

function later(a: InstantMs | null, b: InstantMs | null): InstantMs | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}
