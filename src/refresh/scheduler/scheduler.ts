import { HOUR_MS, type InstantMs, type Observation, type SourceId } from '../../model/index.ts'
import { afterSignal } from '../strategies/foresight/index.ts'
import type { Budget, CycleSource } from '../strategy.ts'
import { DueTimes } from './due-times.ts'
import { explain } from './explain.ts'
import { Learning } from './learning.ts'
import { Line } from './line.ts'
import { PriceControl } from './price-control.ts'
import { SiblingSignals } from './sibling-signals.ts'
import { MANUAL, PAUSED, PLANNED, RETIRED, RUNNING, SIGNALLED, SourceRows } from './source-rows.ts'
import { Spending } from './spending.ts'
import type {
  Cause,
  Explanation,
  KeptMemory,
  KeptSchedule,
  NextCheck,
  Planned,
  SchedulerOptions,
  SchedulerSource,
  Taken,
} from './types.ts'

export type * from './types.ts'

const NEVER = Number.POSITIVE_INFINITY

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
  private readonly control: PriceControl
  private readonly line: Line<Memory>
  private readonly learning: Learning<Memory>
  private budget: Budget
  private spending: Spending
  /** Who publishes with whom; whoever finds siblings tells it. */
  readonly signals = new SiblingSignals()

  constructor(options: SchedulerOptions<Memory>) {
    const { strategy, budget, now } = options
    this.options = options
    this.budget = budget
    this.rows = new SourceRows<Memory>(strategy.packing, (capacity) => this.line.queues.grow(capacity))
    this.times = new DueTimes({ maxIntervalMs: NEVER, ...options, rows: this.rows })
    this.control = new PriceControl(strategy, budget, now, options.burst)
    const timetable = strategy.timetable === true
    this.line = new Line({ rows: this.rows, times: this.times, held: this.control.held, timetable })
    this.learning = new Learning(this.rows, options)
    this.spending = new Spending(options)
  }

  get price(): number {
    return this.control.price
  }

  get size(): number {
    return this.rows.size
  }

  get bytes(): number {
    return this.rows.bytes + this.line.queues.bytes
  }

  /** Sources that are due and wait for the budget. */
  get backlog(): number {
    return this.line.queues.backlog + this.line.queues.fresh.size
  }

  /** Whether a loss changes when it looks again. */
  get hurriesAfterLoss(): boolean {
    return this.options.afterLoss === 'sooner' || this.options.strategy.expected !== undefined
  }

  get currentBudget(): Budget {
    return this.budget
  }

  /** Goes on with what `keep` gave before a restart; before any source is added. */
  resume(kept: KeptSchedule, now: InstantMs): void {
    this.spending = new Spending({ ...this.options, budget: this.budget, now, kept })
    // A price means something only to the strategy that set it.
    if (kept.strategy === this.options.strategy.id && kept.price > 0) this.control.held.resume(kept.price, kept.sources)
  }

  /** Another budget from now on, with the price that is believed to spend it where one is known. */
  setBudget(budget: Budget, now: InstantMs, price: number | null = null): void {
    const kept = this.keep(now)
    this.budget = budget
    this.control.setBudget(budget)
    this.spending = new Spending({ ...this.options, budget, now, kept })
    this.beginPeriod(now)
    if (price !== null) this.control.held.set(price)
  }

  /** What every source is believed to do, for forecasts (least-budget.ts); at most so many, spread over all of them. */
  beliefs(most: number): CycleSource<Memory>[] {
    const found: CycleSource<Memory>[] = []
    const step = Math.max(1, Math.ceil(this.rows.end / Math.max(1, most)))
    for (let row = 0; row < this.rows.end; row += step) {
      if (!this.rows.isUsed(row) || this.rows.lastRefreshAt(row) === null) continue
      found.push({ memory: this.rows.memory(row), facts: { ...this.rows.facts(row) } })
    }
    return found
  }

  /** Adds a source or takes over its changed settings; what was learnt stays. */
  upsert(source: SchedulerSource): void {
    const { facts } = source
    let row = this.rows.rowOf(facts.id)
    if (row < 0) {
      row = this.rows.add(facts)
      if (!this.learning.restore(row, source.memory)) this.learning.begin(row, facts)
    } else {
      this.line.queues.takeOut(row)
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
    this.rows.setFixedAt(row, source.dueAt)
    this.control.held.added(this.rows.size)
    this.line.enqueue(row, source.plannedAt ?? null)
  }

  remove(id: SourceId): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.line.queues.takeOut(row)
    this.rows.remove(row)
    this.times.forget(id)
    this.control.held.removed(this.rows.size)
  }

  has(id: SourceId): boolean {
    return this.rows.rowOf(id) >= 0
  }

  /** Importance as it is now: the user's weight × relevance to what is read. */
  setWeight(id: SourceId, weight: number): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.rows.weight(row) === weight) return
    this.line.queues.takeOut(row)
    this.rows.setWeight(row, weight)
    this.line.enqueue(row, null)
  }

  /** Refresh as soon as its host allows, ahead of everything that is merely due. */
  askFor(id: SourceId): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.rows.has(row, RUNNING) || this.rows.has(row, MANUAL)) return
    this.rows.mark(row, MANUAL, true)
    this.line.queues.takeOut(row)
    this.line.ask(id)
  }

  take(now: InstantMs): Taken {
    this.adjust(now)
    this.line.sweep(now)
    const asked = this.line.nextAsked()
    if (asked >= 0) return this.hand(asked, 'asked', now)
    this.line.wake(now)
    for (;;) {
      const choice = this.line.choose(now, this.spending)
      if (choice === null) {
        this.control.noteWaiting(0)
        const spare = this.nextSpare(now)
        return spare >= 0 ? this.hand(spare, 'spare', now) : { kind: 'wait', until: this.nothingBefore(now) }
      }
      const { row, cause } = choice
      if (cause === 'worth' && this.line.isEarly(row, now)) continue
      const affordableAt = this.rows.has(row, MANUAL) ? now : this.spending.affordableAt(this.rows.cost(row), now)
      if (affordableAt > now) return { kind: 'wait', until: Math.min(affordableAt, this.control.endsAt) }
      return this.hand(row, cause, now)
    }
  }

  /** Gives a taken source back unspent, to be tried again at `until` (its host is busy or resting). */
  postpone(id: SourceId, until: InstantMs, now: InstantMs = until): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.spending.refund(this.rows.cost(row), now)
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
    const learnt = this.learning.learn(row, observation, this.spending)
    const { expected } = this.options.strategy
    const usual = (from: InstantMs, to: InstantMs) => expected?.(this.rows.memory(row), from, to) ?? 0
    for (const id of this.signals.observed(observation, usual)) this.signal(id, observation.at)
    const { at, reason } = this.times.next(row, this.price, notBefore)
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
    const at = this.spending.affordableAt(cost, now)
    if (at > latest) return null
    this.spending.spend(cost, now, 'time')
    return at
  }

  /** What is believed of a source and why it is checked when it is. */
  explain(id: SourceId, now: InstantMs): Explanation | null {
    const row = this.rows.rowOf(id)
    if (row < 0) return null
    const { at, reason } = this.times.planned(row, this.price)
    const rests = this.rows.has(row, PAUSED) || this.rows.has(row, RETIRED)
    const subject = { memory: this.rows.memory(row), facts: { ...this.rows.facts(row) }, price: this.price }
    return {
      ...explain(this.options.strategy, subject, now),
      nextAt: rests ? null : (this.rows.fixedAt(row) ?? at),
      reason,
    }
  }

  /** The memory of a source as the store keeps it. */
  memory(id: SourceId): KeptMemory | null {
    const row = this.rows.rowOf(id)
    return row < 0 ? null : this.learning.kept(row)
  }

  /** Forgets what was learnt of a source and learns it again from its observations, oldest first. */
  relearn(id: SourceId, observations: readonly Observation[]): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.learning.begin(row, this.rows.facts(row))
    this.catchUp(id, observations)
  }

  /** Learns from observations that were made when this scheduler was not there, oldest first. */
  catchUp(id: SourceId, observations: readonly Observation[]): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.rows.has(row, RUNNING)) return
    this.line.queues.takeOut(row)
    for (const observation of observations) this.learning.learn(row, observation, this.spending)
    this.line.enqueue(row, null)
  }

  /** Sources that learnt something since they were last asked for; at most so many. */
  takeChanged(most: number): readonly SourceId[] {
    return this.learning.takeChanged(most)
  }

  /** What was taken could not be written. */
  untakeChanged(ids: readonly SourceId[]): void {
    this.learning.untake(ids)
  }

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
    }
  }

  /** Names the form of the memories that this scheduler writes and reads. */
  get form(): string {
    return this.learning.form
  }

  private hand(row: number, cause: Cause, now: InstantMs): Taken {
    const { rows } = this
    const manual = rows.has(row, MANUAL)
    this.line.queues.takeOut(row)
    rows.mark(row, RUNNING, true)
    rows.mark(row, PLANNED, false)
    this.spending.spend(rows.cost(row), now, cause)
    this.control.noteWaiting(this.line.queues.backlog)
    const signalled = rows.has(row, SIGNALLED)
    rows.mark(row, SIGNALLED, false)
    const why = { cause: manual ? 'asked' : signalled ? 'signal' : cause, at: now, price: this.price } as const
    return { kind: 'refresh', id: rows.id(row), manual, why }
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
    if (this.control.held.isLow || this.spending.lackingAt(now) > now) return -1
    const row = this.line.nextSpare(now)
    return row >= 0 && this.spending.affordableAt(this.rows.cost(row), now) <= now ? row : -1
  }

  private nothingBefore(now: InstantMs): InstantMs {
    const first = this.line.firstDueAt
    if (first === NEVER) return NEVER
    const lackingAt = this.spending.lackingAt(now)
    // Clocks count whole milliseconds.
    return Math.ceil(Math.min(first, this.control.endsAt, lackingAt > now ? lackingAt : NEVER))
  }

  private adjust(now: InstantMs): void {
    if (this.control.isBefore(now)) this.beginPeriod(now)
    if (!this.control.isOver(now)) return
    this.line.wake(now)
    this.line.findFull(now)
    const { backlog, fresh } = this.line.queues
    const exploring = fresh.size > 0
    const { spent } = this.spending
    this.spending.beginPeriod()
    this.control.endPeriod(now, {
      spent,
      saved: this.spending.saved(now),
      waiting: backlog,
      exploring,
      sources: this.rows.size,
    })
  }

  private beginPeriod(now: InstantMs): void {
    this.spending.beginPeriod()
    this.control.begin(now, { waiting: this.line.queues.backlog, sources: this.rows.size })
  }
}

function later(a: InstantMs | null, b: InstantMs | null): InstantMs | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}
