import type { DurationMs, InstantMs, Observation, SourceId } from '../../model/index.ts'
import { isLearningRequest } from '../learning/lesson.ts'
import { type BudgetSplit, LEARNING_ONLINE, totalOf } from '../learning/plan.ts'
import type { Budget } from '../strategy.ts'
import { Bundles } from './bundles.ts'
import { DueTimes } from './due-times.ts'
import { explain } from './explain.ts'
import { IdleTime } from './idle-time.ts'
import type { LiveScheduler } from './live-scheduler.ts'
import { budgetShare } from './local-allowance.ts'
import { localFunding } from './local-funding.ts'
import { News } from './news.ts'
import type { Payer } from './payers/payer.ts'
import { Payers } from './payers/payers.ts'
import { PricePeriods } from './price-periods.ts'
import { ReadyQueue } from './ready-queue.ts'
import { RefreshRequests } from './refresh-requests.ts'
import { Reservations } from './reservations.ts'
import { correctFacts, REMOVED, SchedulerBase } from './scheduler-base.ts'
import { LEARNS, MANUAL, PAUSED, PLANNED, PUSHED, RETIRED, RUNNING, SIGNALLED } from './source-rows.ts'
import { Spending } from './spending.ts'
import type {
  Cause,
  Explanation,
  NextCheck,
  PastObservation,
  PayerId,
  PayerShare,
  RefreshPlan,
  SchedulerOptions,
  SchedulerSource,
  StoredSchedule,
  TakeResult,
} from './types.ts'

export type * from './types.ts'

const NEVER = Number.POSITIVE_INFINITY
/** One payer for all sources of which nobody says who pays. */
const NOBODY_SAYS: readonly PayerId[] = [0]
const WAITS_FOR_SHARE = 'waits: its payers have used their share'

/**
 * Event-driven scheduling over any priced strategy. Pure: time and randomness come in as arguments, so live node and
 * lab run the same code.
 *
 * A source is *fresh* until it was refreshed once, *waiting* by due time, then *due* (full or worth its price) until the
 * budget can pay, *running* once taken, or *resting* (paused, retired). `take` hands out the next one; the caller
 * refreshes it, asks `plan` for the next check and says `finish`; or gives it back with `postpone` when its host is busy,
 * which costs nothing. Sources requested by hand go first and may overdraw the budget; then new ones, within their share;
 * then full windows; then those whose time is fixed; then what is worth its price, first due first; at last, with budget
 * that would be lost, one whose time comes soon.
 *
 * O(log n) per decision, some 90 bytes per source beside the packed memory.
 */
export class Scheduler<Memory> extends SchedulerBase<Memory> implements LiveScheduler {
  /** Sources that are asked for together. */
  readonly bundles: Bundles<Memory>
  private readonly options: SchedulerOptions<Memory>
  private readonly times: DueTimes<Memory>
  private readonly payers: Payers
  private readonly readyQueue: ReadyQueue<Memory>
  private readonly requests: RefreshRequests<Memory>
  private readonly reservations: Reservations<Memory>
  private readonly spending: Spending
  private readonly periods: PricePeriods<Memory>
  private readonly idle: IdleTime<Memory>
  private readonly news: News<Memory>
  private split: BudgetSplit
  private budget: Budget
  private now: InstantMs

  constructor(options: SchedulerOptions<Memory>) {
    const { strategy, now, burst, learning = LEARNING_ONLINE, costs = 'requests', random } = options
    super({ model: strategy, learning, costs, random, now })
    this.options = options
    this.now = now
    this.split = this.learningSchedule.splitAt(now)
    const { rows, learningSchedule, split } = this
    const { allowance, newPricing } = options.funding ?? localFunding(options, totalOf(split), () => this.rows.size)
    this.budget = allowance.budget
    this.times = new DueTimes({ maxIntervalMs: NEVER, ...options, rows })
    this.payers = new Payers({ budget: this.wholeBudget, burst, now, newPricing })
    const { times, payers } = this
    this.readyQueue = new ReadyQueue({ rows, times, payers, learningSchedule, timetable: strategy.timetable === true })
    this.spending = new Spending(allowance, split, now)
    const parts = { rows, payers, readyQueue: this.readyQueue, spending: this.spending }
    this.requests = new RefreshRequests(parts)
    this.reservations = new Reservations(parts)
    this.periods = new PricePeriods(parts)
    this.idle = new IdleTime(parts)
    this.news = new News({ ...parts, times, strategy })
    this.bundles = new Bundles({ ...parts, times, learning: this.learning, strategy, news: this.news })
  }

  /** The lowest of the payers' prices. */
  get price(): number {
    return this.payers.price
  }

  /** The state of each payer; one where all is paid by one. */
  shares(now: InstantMs): readonly PayerShare[] {
    return this.payers.shares(now)
  }

  /** Memory of its columns. */
  get bytes(): number {
    return this.rows.bytes + this.readyQueue.bytes
  }

  /** Sources that are due and wait for the budget. */
  get backlog(): number {
    return this.readyQueue.queues.backlog + this.readyQueue.queues.fresh.size
  }

  /** Since when the first of them waits; Infinity: none does. */
  get waitingSince(): InstantMs {
    return this.readyQueue.queues.oldestDueAt
  }

  /** Goes on with what `snapshot` gave, before any source is added. `setByMs`: by how much the clock was set since. */
  resume(stored: StoredSchedule, now: InstantMs, setByMs: DurationMs = 0): void {
    this.resumeLearning(stored.learning, setByMs)
    this.split = this.learningSchedule.splitAt(now)
    this.payers.setBudget(this.wholeBudget, null)
    this.spending.beginPhase(this.split, now)
    this.spending.resume(stored, now, setByMs)
    // A price means something only to the strategy that set it.
    if (stored.strategy === this.options.strategy.id && stored.price > 0) {
      this.payers.resume(stored.price, stored.sources, stored.payers ?? [], now)
    }
  }

  /**
   * The clock was set by so much, and all calls from now on use the new time. What was spent is as long ago
   * as it was, so a clock earns nothing. So is every refresh, unless the machine slept.
   */
  shift(byMs: DurationMs): void {
    this.now += byMs
    this.split = { ...this.split, endsAt: this.split.endsAt + byMs }
    this.spending.shift(byMs)
    this.payers.shift(byMs)
    this.readyQueue.shift(byMs)
    this.periods.shift(byMs)
    if (!this.shiftSources(byMs)) return
    this.bundles.shift(byMs)
    this.news.shift(byMs)
  }

  /**
   * Another budget from now on, with the price that is believed to spend it where one is known. What was saved stays, as far
   * as there is room for it, and so does what is owed: changing the budget every hour loses nothing.
   */
  setBudget(budget: Budget, now: InstantMs, price: number | null = null): void {
    this.spending.setRate(budget, this.split, now)
    this.followBudget(now, price)
  }

  /** Which part of the budget each payer gets, in relation to the others; 1 for those that are not named. */
  setParts(parts: ReadonlyMap<PayerId, number>): void {
    this.payers.setParts(parts)
  }

  /**
   * Adds a source or takes over its changed settings; what was learnt stays. `now`: times that were stored by a clock
   * that was ahead of it are corrected; without it they are used as they are.
   */
  upsert(source: SchedulerSource, now: InstantMs = NEVER): void {
    const { facts, isCorrected } = correctFacts(source.facts, now)
    const known = this.rows.rowOf(facts.id)
    if (known >= 0) this.readyQueue.takeOut(known)
    const row = this.takeOver(source, facts)
    if (known < 0) this.assign(row, source.payers ?? NOBODY_SAYS, true)
    else if (source.payers !== undefined) this.assign(row, source.payers, false)
    this.times.setOwn(facts.id, source)
    if (source.paused || source.retired || this.times.hasOwnInterval(row)) this.bundles.leave(row)
    this.rows.mark(row, PAUSED, source.paused)
    this.rows.mark(row, RETIRED, source.retired)
    this.rows.setFixedAt(row, this.times.plausibleTime(row, source.dueAt, now, isCorrected))
    this.readyQueue.enqueue(row, this.times.plausibleTime(row, source.plannedAt ?? null, now, isCorrected))
  }

  /** Forgets a source and all that was learnt of it. */
  remove(id: SourceId): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.bundles.leave(row)
    this.readyQueue.takeOut(row)
    this.drop(row)
    this.times.forget(id)
    this.payers.unassign(row)
  }

  /** Others pay for it from now on. */
  setPayers(id: SourceId, payers: readonly PayerId[]): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.payers.isPaidBy(row, payers)) return
    const plannedAt = this.readyQueue.queues.waiting.has(row) ? this.rows.dueAt(row) : null
    this.readyQueue.takeOut(row)
    const before = this.payers.priceOf(row)
    this.assign(row, payers, false)
    this.readyQueue.enqueue(row, this.payers.priceOf(row) < before ? null : plannedAt)
  }

  /** Importance as it is now: the user's weight × relevance to what is read. */
  setWeight(id: SourceId, weight: number): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.rows.weight(row) === weight) return
    this.readyQueue.takeOut(row)
    this.rows.setWeight(row, weight)
    this.readyQueue.enqueue(row, null)
  }

  /**
   * Refresh as soon as its host allows, ahead of everything that is merely due. `by`: who asks, and pays for it; one who has
   * requested more than its share waits for it, and the source keeps its place meanwhile.
   */
  requestRefresh(id: SourceId, by: PayerId | null = null): void {
    this.requests.add(id, by, this.now)
  }

  /** A hub said that the source has published. */
  push(id: SourceId, now: InstantMs): void {
    this.news.push(id, now)
  }

  /** The next source to refresh now, already paid for, or until when there is nothing to do. */
  take(now: InstantMs): TakeResult {
    this.adjust(now)
    this.readyQueue.sweep(now)
    const requested = this.readyQueue.firstRequested()
    if (requested >= 0) return this.handRequested(requested, now)
    this.readyQueue.wake(now)
    for (let mayLearn = true; ; ) {
      const choice = this.readyQueue.choose(now, this.spending, mayLearn)
      if (choice === null) {
        if (!this.payers.isShared) this.payers.only.pricing.noteWaiting(0)
        const spare = this.idle.nextSpare(now)
        return spare >= 0
          ? this.hand(spare, 'spare', now)
          : { kind: 'wait', until: this.idle.nothingBefore(now, this.endsAt) }
      }
      const { row, cause } = choice
      if (cause === 'worth' && this.readyQueue.isEarly(row, now)) continue
      const isManual = this.rows.has(row, MANUAL)
      if (this.payers.isShared && !isManual && !this.payers.canPay(row)) {
        if (cause === 'learning') mayLearn = false
        else this.readyQueue.park(row)
        continue
      }
      const cost = this.rows.cost(row)
      const affordableAt = isManual ? this.spending.overdrawableAt(cost, now) : this.spending.affordableAt(cost, now)
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
    this.rows.setDueAt(row, until)
    // It may have been paused meanwhile.
    this.readyQueue.enqueue(row, until)
  }

  /**
   * Learns from a refresh and says when the next is due and why; the caller stores that, then calls `finish`.
   * `notBefore`: what a hint of the publisher asks for. It is honoured up to the moment when the window would be full.
   */
  plan(observation: Observation, notBefore: NextCheck | null = null): RefreshPlan {
    const row = this.rows.rowOf(observation.sourceId)
    if (row < 0) return REMOVED
    const isFirst = this.rows.lastRefreshAt(row) === null
    const learnt = this.learning.learn(row, this.bundles.withShown(row, observation), this.rows.has(row, LEARNS))
    const { strategy, afterLoss } = this.options
    this.news.observe(observation)
    const alone = this.times.next(row, this.payers.priceOf(row), notBefore)
    const { at, reason } = this.bundles.planOwn(row, observation, notBefore) ?? alone
    this.rows.mark(row, PLANNED, true)
    const earliestAt = observation.at + this.times.minIntervalMs(row)
    const hurriesAfterLoss = afterLoss === 'sooner' || strategy.expected !== undefined
    return { at, earliestAt, reason, hurriesAfterLoss, expected: isFirst ? null : learnt }
  }

  /** Ends a refresh. `fixedAt`: a time that the price must not move (a failure's retry); null: as planned. */
  finish(id: SourceId, fixedAt: InstantMs | null, retired = false): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.rows.mark(row, RUNNING | MANUAL, false)
    this.rows.mark(row, RETIRED, retired)
    if (fixedAt !== null) this.rows.setFixedAt(row, fixedAt)
    this.readyQueue.enqueue(row, this.rows.has(row, PLANNED) ? this.rows.dueAt(row) : null)
  }

  /** A source that waits for its next try after a failure is tried as soon as the budget allows. */
  retry(id: SourceId, now: InstantMs): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || !this.readyQueue.queues.waiting.has(row) || this.rows.fixedAt(row) === null) return
    this.rows.setFixedAt(row, now)
    this.readyQueue.putWaiting(row, now)
  }

  /** Pays for a request that goes out later, at `latest` at the latest; null: the budget has none by then. */
  reserve(id: SourceId, now: InstantMs, latest: InstantMs): InstantMs | null {
    return this.reservations.reserve(id, now, latest)
  }

  /** A request that was paid for goes out at `at` only: it counts from then. */
  delay(id: SourceId, at: InstantMs, now: InstantMs): void {
    this.reservations.delay(id, at, now)
  }

  /** What is believed of a source and why it is checked when it is. */
  explain(id: SourceId, now: InstantMs): Explanation | null {
    const row = this.rows.rowOf(id)
    if (row < 0) return null
    const price = this.payers.priceOf(row)
    const { at, reason } = this.bundles.describe(row, this.times.plan(row, price))
    const rests = this.rows.has(row, PAUSED) || this.rows.has(row, RETIRED)
    const subject = { memory: this.rows.memory(row), facts: { ...this.rows.facts(row) }, price }
    return {
      ...explain(this.options.strategy, subject, now),
      nextAt: rests ? null : (this.bundles.coverDueAt(row) ?? this.rows.fixedAt(row) ?? at),
      reason: this.readyQueue.isParked(row) ? `${WAITS_FOR_SHARE}; ${reason}` : reason,
    }
  }

  override catchUp(id: SourceId, observations: readonly PastObservation[]): boolean {
    const row = this.rows.rowOf(id)
    if (row >= 0 && !this.rows.has(row, RUNNING)) this.readyQueue.takeOut(row)
    const isDone = super.catchUp(id, observations)
    if (row >= 0 && isDone) this.readyQueue.enqueue(row, null)
    return isDone
  }

  /** What must survive a restart beside the memories. */
  snapshot(now: InstantMs): StoredSchedule {
    return {
      v: 1,
      strategy: this.options.strategy.id,
      price: this.price,
      sources: this.size,
      at: now,
      ...this.spending.snapshot(now),
      learning: this.learningSchedule.snapshot(),
      ...(this.payers.isShared ? { payers: this.payers.snapshot(now) } : {}),
    }
  }

  protected override grow(capacity: number): void {
    this.readyQueue.grow(capacity)
  }

  private handRequested(row: number, now: InstantMs): TakeResult {
    const at = this.spending.overdrawableAt(this.rows.cost(row), now)
    if (at > now) return { kind: 'wait', until: Math.min(at, this.endsAt) }
    this.readyQueue.dropRequested(row)
    return this.hand(row, 'asked', now)
  }

  private hand(row: number, chosen: Cause, now: InstantMs): TakeResult {
    const { rows, payers } = this
    const manual = rows.has(row, MANUAL)
    const cause = this.learningSchedule.take(row, rows.id(row), manual ? 'asked' : chosen) ? 'learning' : chosen
    this.readyQueue.takeOut(row)
    rows.mark(row, RUNNING, true)
    rows.mark(row, PLANNED, false)
    this.spending.spend(rows.cost(row), now, cause)
    this.charge(row, rows.cost(row), now)
    if (payers.isShared) for (const payer of payers.of(row)) this.readyQueue.release(payer, now)
    else payers.only.pricing.noteWaiting(this.readyQueue.queues.backlog)
    const signalled = rows.has(row, SIGNALLED)
    rows.mark(row, SIGNALLED, false)
    const price = payers.priceOf(row)
    const pushed = rows.has(row, PUSHED)
    rows.mark(row, PUSHED, false)
    const why = { cause: manual ? 'asked' : pushed ? 'push' : signalled ? 'signal' : cause, at: now, price } as const
    rows.mark(row, LEARNS, isLearningRequest(why.cause))
    return { kind: 'refresh', id: rows.id(row), manual, why }
  }

  /** What was requested by hand is already paid for, by the requester. */
  private charge(row: number, cost: number, now: InstantMs): void {
    if (!this.payers.isShared || !this.rows.has(row, MANUAL)) this.payers.charge(row, cost, now)
  }

  private assign(row: number, ids: readonly PayerId[], isNew: boolean): void {
    this.payers.assign(row, ids, isNew)
    if (this.payers.isShared) this.readyQueue.share()
  }

  private endSharing(payer: Payer, now: InstantMs): void {
    this.readyQueue.endSharing(payer, now)
    this.requests.addAllOf(payer, now)
  }

  private get endsAt(): InstantMs {
    return Math.min(this.split.endsAt, this.periods.endsAt)
  }

  private adjust(now: InstantMs): void {
    const { payers, spending } = this
    this.now = now
    if (now >= this.split.endsAt) this.beginPhase(now)
    // Somebody else may decide about the budget.
    if (spending.budget !== this.budget) {
      spending.follow(this.split, now)
      this.followBudget(now, null)
    }
    payers.follow(now)
    if (!payers.isShared && this.readyQueue.keepsAccounts) this.endSharing(payers.only, now)
    if (payers.isShared) this.readyQueue.share()
    if (payers.isShared && payers.earn(now)) {
      for (const payer of payers.list) {
        if (payer.requested.size > 0) this.requests.addDelayed(payer, now)
        this.readyQueue.release(payer, now)
      }
    }
    this.periods.endOver(now)
  }

  /** The budget with what a period of learning takes beyond it, or less what it took. */
  private get wholeBudget(): Budget {
    return budgetShare(this.budget, totalOf(this.split))
  }

  /** A period of learning begins or ends: the budget is for something else from now on. */
  private beginPhase(now: InstantMs): void {
    this.split = this.learningSchedule.splitAt(now)
    this.spending.beginPhase(this.split, now)
    this.followBudget(now, null)
  }

  private followBudget(now: InstantMs, price: number | null): void {
    this.budget = this.spending.budget
    this.payers.setBudget(this.wholeBudget, price)
    this.periods.beginAll(now)
  }
}
