import type { InstantMs, Observation, SourceId } from '../../model/index.ts'
import { nextPrice, pricePeriodMs } from '../price.ts'
import type { Budget, CycleSource, PricedStrategy } from '../strategy.ts'
import { nextSurprise } from './alarm.ts'
import { DueTimes } from './due-times.ts'
import { explain } from './explain.ts'
import { HeldPrice } from './held-price.ts'
import { Queues } from './queues.ts'
import { CHANGED, MANUAL, PAUSED, RETIRED, RUNNING, SourceRows } from './source-rows.ts'
import { Spending } from './spending.ts'
import type {
  Cause,
  Explanation,
  KeptMemory,
  KeptSchedule,
  NextCheck,
  SchedulerOptions,
  SchedulerSource,
  StoredMemory,
  Taken,
} from './types.ts'

export type * from './types.ts'

/** Sources whose due times are worked out anew in one call while the price has fallen; more are left to the next. */
const SWEEP = 10_000
const NEVER = Number.POSITIVE_INFINITY

/**
 * Event-driven scheduling over any priced strategy. Pure: time and randomness come in as arguments, so live node and
 * lab run the same code.
 *
 * A source is *fresh* until it was looked at once, *waiting* by due time, then *due* (full or worth its price) until the
 * budget can pay, *running* once taken, or *resting* (paused, retired). `take` hands out the next one; the caller
 * refreshes it, asks `plan` for the next check and says `finish`; or gives it back with `postpone` when its host is busy,
 * which costs nothing. Sources asked for by hand go first and may overdraw the purse; then new ones, within their share;
 * then full windows; then those whose time is fixed; then what is worth its price, first due first.
 *
 * Due times are worked out at the price of the moment. A price that rose is noticed when a source comes up; one that fell
 * makes a sweep over all of them. O(log n) per decision otherwise, some 80 bytes per source beside the packed memory.
 */
export class Scheduler<Memory> {
  private readonly rows: SourceRows<Memory>
  private readonly queues: Queues
  private readonly asked: SourceId[] = []
  private readonly times: DueTimes<Memory>
  private readonly strategy: PricedStrategy<Memory>
  private budget: Budget
  private spending: Spending
  private readonly options: SchedulerOptions<Memory>
  private readonly held: HeldPrice
  private adjustedAt: InstantMs
  private adjustsAt: InstantMs
  private sweepFrom = NEVER
  private learner = 0
  private changed: SourceId[] = []

  constructor(options: SchedulerOptions<Memory>) {
    this.options = options
    this.strategy = options.strategy
    this.budget = options.budget
    this.rows = new SourceRows<Memory>(options.strategy.packing, (capacity) => this.queues.grow(capacity))
    this.queues = new Queues(this.rows as SourceRows<unknown>)
    this.times = new DueTimes({ maxIntervalMs: NEVER, ...options, rows: this.rows })
    this.spending = new Spending(options)
    this.held = new HeldPrice(options.strategy, options.budget)
    this.adjustedAt = options.now
    this.adjustsAt = options.now + pricePeriodMs(this.budget, 1)
  }

  get price(): number {
    return this.held.now
  }

  get size(): number {
    return this.rows.size
  }

  get bytes(): number {
    return this.rows.bytes + this.queues.bytes
  }

  /** Sources that are due and wait for the budget. */
  get backlog(): number {
    return this.queues.backlog + this.queues.fresh.size
  }

  /** Whether a loss changes when it looks again. */
  get hurriesAfterLoss(): boolean {
    return this.options.afterLoss === 'sooner' || this.strategy.expected !== undefined
  }

  get currentBudget(): Budget {
    return this.budget
  }

  /** Goes on with what `keep` gave before a restart; before any source is added. */
  resume(kept: KeptSchedule, now: InstantMs): void {
    this.spending = new Spending({ ...this.options, budget: this.budget, now, kept })
    // A price means something only to the strategy that set it.
    if (kept.strategy === this.strategy.id && kept.price > 0) this.held.resume(kept.price, kept.sources)
  }

  /** Another budget from now on, with the price that is believed to spend it where one is known. */
  setBudget(budget: Budget, now: InstantMs, price: number | null = null): void {
    const kept = this.keep(now)
    this.budget = budget
    this.held.setBudget(budget)
    this.spending = new Spending({ ...this.options, budget, now, kept })
    this.beginPeriod(now)
    if (price !== null) this.held.set(price)
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
      if (!this.restore(row, source.memory)) {
        this.rows.setMemory(row, this.strategy.start(facts, this.options.random))
      }
    } else {
      this.queues.takeOut(row)
      if (source.relearnt) this.restore(row, source.memory)
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
    this.held.added(this.rows.size)
    this.enqueue(row, source.plannedAt ?? null)
  }

  remove(id: SourceId): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.queues.takeOut(row)
    this.rows.remove(row)
    this.times.forget(id)
    this.held.removed(this.rows.size)
  }

  has(id: SourceId): boolean {
    return this.rows.rowOf(id) >= 0
  }

  /** Importance as it is now: the user's weight × relevance to what is read. */
  setWeight(id: SourceId, weight: number): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.rows.weight(row) === weight) return
    this.queues.takeOut(row)
    this.rows.setWeight(row, weight)
    this.enqueue(row, null)
  }

  /** Refresh as soon as its host allows, ahead of everything that is merely due. */
  askFor(id: SourceId): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.rows.has(row, RUNNING) || this.rows.has(row, MANUAL)) return
    this.rows.mark(row, MANUAL, true)
    this.queues.takeOut(row)
    this.asked.push(id)
  }

  take(now: InstantMs): Taken {
    this.adjust(now)
    this.sweep()
    const asked = this.nextAsked()
    if (asked >= 0) return this.hand(asked, 'asked', now)
    this.wake(now)
    for (;;) {
      const choice = this.choose(now)
      if (choice === null) return { kind: 'wait', until: this.nothingBefore() }
      const { row, cause } = choice
      if (cause === 'worth' && this.isEarly(row, now)) continue
      const affordableAt = this.rows.has(row, MANUAL) ? now : this.spending.affordableAt(this.rows.cost(row), now)
      if (affordableAt > now) return { kind: 'wait', until: Math.min(affordableAt, this.adjustsAt) }
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
    this.putWaiting(row, until)
  }

  /**
   * Learns from a refresh and says when the next is due and why; the caller stores that, then calls `finish`.
   * `notBefore`: what a hint of the publisher asks for. It is honoured up to the moment when the window would be full.
   */
  plan(observation: Observation, notBefore: NextCheck | null = null): NextCheck {
    const row = this.rows.rowOf(observation.sourceId)
    if (row < 0) return { at: NEVER, reason: 'removed' }
    this.learn(row, observation)
    this.rows.setFixedAt(row, null)
    const planned = this.times.planned(row, this.price)
    const alarmed = this.times.alarmed(row, planned)
    if (alarmed !== null) {
      this.rows.setFixedAt(row, alarmed.at)
      return alarmed
    }
    if (notBefore === null || notBefore.at <= planned.at) return planned
    const fullAt = this.times.fullAt(row)
    const at = Math.max(planned.at, Math.min(notBefore.at, fullAt))
    this.rows.setFixedAt(row, at)
    return {
      at,
      reason: fullAt < notBefore.at ? `${notBefore.reason}, but its window will be full before` : notBefore.reason,
    }
  }

  /** Ends a refresh. `fixedAt`: a time that the price must not move (a failure's retry); null: as planned. */
  finish(id: SourceId, fixedAt: InstantMs | null, retired = false): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.rows.mark(row, RUNNING, false)
    this.rows.mark(row, MANUAL, false)
    this.rows.mark(row, RETIRED, retired)
    if (fixedAt !== null) this.rows.setFixedAt(row, fixedAt)
    this.enqueue(row, null)
  }

  /** A source that waits for its next try after a failure is tried as soon as the budget allows. */
  retry(id: SourceId, now: InstantMs): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || !this.queues.waiting.has(row) || this.rows.fixedAt(row) === null) return
    this.rows.setFixedAt(row, now)
    this.putWaiting(row, now)
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
    return { ...explain(this.strategy, subject, now), nextAt: rests ? null : (this.rows.fixedAt(row) ?? at), reason }
  }

  /** The memory of a source as the store keeps it. */
  memory(id: SourceId): KeptMemory | null {
    const row = this.rows.rowOf(id)
    if (row < 0) return null
    const { windowSize, cost, lastRefreshAt, addedAt } = this.rows.facts(row)
    const learntAt = lastRefreshAt ?? addedAt
    return { form: this.form, bytes: this.rows.bytesOf(row), windowSize, cost, learntAt }
  }

  /** Forgets what was learnt of a source and learns it again from its observations, oldest first. */
  relearn(id: SourceId, observations: readonly Observation[]): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.rows.setMemory(row, this.strategy.start(this.rows.facts(row), this.options.random))
    this.catchUp(id, observations)
  }

  /** Learns from observations that were made when this scheduler was not there, oldest first. */
  catchUp(id: SourceId, observations: readonly Observation[]): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.rows.has(row, RUNNING)) return
    this.queues.takeOut(row)
    for (const observation of observations) this.learn(row, observation)
    this.enqueue(row, null)
  }

  /** Sources that learnt something since they were last asked for; at most so many. */
  takeChanged(most: number): readonly SourceId[] {
    const taken = this.changed.splice(0, most)
    for (const id of taken) {
      const row = this.rows.rowOf(id)
      if (row >= 0) this.rows.mark(row, CHANGED, false)
    }
    return taken
  }

  get changedCount(): number {
    return this.changed.length
  }

  /** What must outlast a restart beside the memories. */
  keep(now: InstantMs): KeptSchedule {
    return {
      v: 1,
      strategy: this.strategy.id,
      price: this.price,
      sources: this.size,
      at: now,
      ...this.spending.keep(now),
    }
  }

  /** Names the form of the memories that this scheduler writes and reads. */
  get form(): string {
    return this.strategy.memoryForm ?? this.strategy.id
  }

  private restore(row: number, memory: StoredMemory | null | undefined): boolean {
    return memory != null && memory.form === this.form && this.rows.setBytes(row, memory.bytes)
  }

  /** Updates times, window, cost and memory. */
  private learn(row: number, observation: Observation): void {
    const { strategy, rows } = this
    const memory = rows.memory(row)
    const from = rows.lastRefreshAt(row) ?? rows.addedAt(row)
    const windowSize = observation.windowSize || rows.windowSize(row)
    const expected = strategy.expected?.(memory, from, observation.at)
    rows.setRefreshed(row, observation.at, windowSize)
    rows.setCost(row, this.spending.costAfter(rows.cost(row), observation))
    rows.setMemory(row, strategy.observe(memory, observation, rows.facts(row), this.options.random))
    if (!rows.has(row, CHANGED)) {
      rows.mark(row, CHANGED, true)
      this.changed.push(observation.sourceId)
    }
    if (expected === undefined) return
    rows.setSurprise(row, nextSurprise(rows.surprise(row), { observation, expected, windowSize }))
  }

  private hand(row: number, cause: Cause, now: InstantMs): Taken {
    const { rows, strategy } = this
    const manual = rows.has(row, MANUAL)
    this.queues.takeOut(row)
    rows.mark(row, RUNNING, true)
    this.spending.spend(rows.cost(row), now, cause)
    const from = rows.lastRefreshAt(row)
    const expected = from === null ? null : (strategy.expected?.(rows.memory(row), from, now) ?? null)
    const decision = { cause: manual ? ('asked' as const) : cause, at: now, price: this.price, expected }
    return { kind: 'refresh', id: rows.id(row), manual, decision }
  }

  private nextAsked(): number {
    for (let id = this.asked.shift(); id !== undefined; id = this.asked.shift()) {
      const row = this.rows.rowOf(id)
      if (row >= 0 && this.rows.has(row, MANUAL) && !this.rows.has(row, RUNNING)) return row
    }
    return -1
  }

  /** Moves those whose time has come from waiting to due, unless the price has risen meanwhile. */
  private wake(now: InstantMs): void {
    const { rows, queues } = this
    for (let row = queues.waiting.peek(); row >= 0 && rows.dueAt(row) <= now; row = queues.waiting.peek()) {
      queues.waiting.pop()
      const dueAt = this.times.dueAt(row, this.price)
      rows.setDueAt(row, dueAt)
      if (dueAt > now) queues.waiting.push(row)
      else if (this.times.isTimed(row)) queues.timed.push(row)
      else if (this.times.fullAt(row) <= now) queues.full.push(row)
      else queues.worth.push(row)
    }
  }

  private choose(now: InstantMs): { readonly row: number; readonly cause: Cause } | null {
    const { queues } = this
    const learner = this.spending.learningDue(now) ? this.nextLearner(now) : -1
    if (learner >= 0) return { row: learner, cause: 'learning' }
    const fresh = queues.fresh.peek()
    if (fresh >= 0 && (queues.backlog === 0 || this.spending.mayExplore(now))) return { row: fresh, cause: 'new' }
    const full = queues.full.peek()
    if (full >= 0) return { row: full, cause: 'full' }
    const timed = queues.timed.peek()
    if (timed >= 0) return { row: timed, cause: 'time' }
    const worth = queues.worth.peek()
    return worth >= 0 ? { row: worth, cause: 'worth' } : null
  }

  /** The price has risen while it waited for the budget: it goes back to sleep. */
  private isEarly(row: number, now: InstantMs): boolean {
    const dueAt = this.times.dueAt(row, this.price)
    if (dueAt <= now) return false
    this.queues.takeOut(row)
    this.putWaiting(row, dueAt)
    return true
  }

  /** For learning all have their turn, whatever is believed of them. */
  private nextLearner(now: InstantMs): number {
    const { rows } = this
    for (let step = 0; step < Math.min(rows.end, 64); step++) {
      this.learner = this.learner + 1 >= rows.end ? 0 : this.learner + 1
      const row = this.learner
      if (!rows.isUsed(row) || rows.fixedAt(row) !== null || !this.queues.waiting.has(row)) continue
      if ((rows.lastRefreshAt(row) ?? NEVER) + this.times.minIntervalMs(row) <= now) return row
    }
    return -1
  }

  private enqueue(row: number, plannedAt: InstantMs | null): void {
    const { rows, queues } = this
    if (rows.has(row, RUNNING) || rows.has(row, MANUAL)) return
    queues.takeOut(row)
    if (rows.has(row, PAUSED) || rows.has(row, RETIRED)) return
    if (rows.lastRefreshAt(row) === null && rows.fixedAt(row) === null) queues.fresh.push(row)
    else this.putWaiting(row, rows.fixedAt(row) ?? plannedAt ?? this.times.dueAt(row, this.price))
  }

  private putWaiting(row: number, dueAt: InstantMs): void {
    this.queues.waiting.remove(row)
    this.rows.setDueAt(row, dueAt)
    this.queues.waiting.push(row)
  }

  private nothingBefore(): InstantMs {
    const { waiting } = this.queues
    if (waiting.size === 0) return NEVER
    // Clocks count whole milliseconds.
    return Math.ceil(Math.min(this.rows.dueAt(waiting.peek()), this.adjustsAt))
  }

  private adjust(now: InstantMs): void {
    // A clock that was set back.
    if (now < this.adjustedAt) this.beginPeriod(now)
    if (now < this.adjustsAt) return
    this.wake(now)
    this.findFull(now)
    const target = ((now - this.adjustedAt) * this.budget.requests) / this.budget.perMs
    const { spent } = this.spending
    const waiting = this.queues.backlog
    this.beginPeriod(now)
    // While new ones are looked at, an empty queue says nothing about the price.
    if (waiting === 0 && this.queues.fresh.size > 0) return
    this.held.set(nextPrice(this.price, { spent, target, waiting, sources: this.rows.size }))
  }

  private beginPeriod(now: InstantMs): void {
    this.adjustedAt = now
    this.adjustsAt = now + pricePeriodMs(this.budget, this.rows.size)
    this.spending.beginPeriod()
  }

  /** Windows that filled while they waited for the budget go to the front. */
  private findFull(now: InstantMs): void {
    const { queues } = this
    if (this.strategy.urgentAt === undefined) return
    for (const row of queues.worth.all()) {
      if (this.times.fullAt(row) > now) continue
      queues.worth.remove(row)
      queues.full.push(row)
    }
  }

  /** After a fall of the price: sleepers are due earlier than they were put. A part of them at a time. */
  private sweep(): void {
    const { rows, queues } = this
    if (this.sweepFrom >= rows.end && this.held.takeSweep()) this.sweepFrom = 0
    if (this.sweepFrom >= rows.end) return
    const end = Math.min(rows.end, this.sweepFrom + SWEEP)
    for (let row = this.sweepFrom; row < end; row++) {
      if (!queues.waiting.has(row) || rows.fixedAt(row) !== null) continue
      const dueAt = this.times.dueAt(row, this.price)
      if (dueAt < rows.dueAt(row)) this.putWaiting(row, dueAt)
    }
    this.sweepFrom = end >= rows.end ? NEVER : end
  }
}

function later(a: InstantMs | null, b: InstantMs | null): InstantMs | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}
