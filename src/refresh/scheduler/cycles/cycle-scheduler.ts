import {
  type DurationMs,
  type InstantMs,
  isSaturated,
  type Observation,
  type Random,
  type SourceId,
} from '../../../model/index.ts'
import { since } from '../../divergence.ts'
import { isLearningRequest } from '../../learning/lesson.ts'
import type { LearningPlan } from '../../learning/plan.ts'
import type { Budget, CycleSource, CycleStrategy, LearntModel, SourceFacts } from '../../strategy.ts'
import type { LiveScheduler } from '../live-scheduler.ts'
import { OwnLimits } from '../own-limits.ts'
import { correctFacts, REMOVED, SchedulerBase } from '../scheduler-base.ts'
import { MANUAL, PAUSED, RETIRED, RUNNING, type SourceRows } from '../source-rows.ts'
import type {
  Cause,
  CostUnit,
  Explanation,
  NextCheck,
  RefreshPlan,
  SchedulerSource,
  StoredSchedule,
  TakeResult,
} from '../types.ts'
import { CycleBudget } from './cycle-budget.ts'
import { CycleClock } from './cycle-clock.ts'
import { CycleForecast } from './cycle-forecast.ts'
import { Picks } from './picks.ts'

const NEVER = Number.POSITIVE_INFINITY

export interface CycleSchedulerOptions<Memory, State> {
  readonly strategy: CycleStrategy<Memory, State>
  readonly model: LearntModel<Memory>
  /** When τ will be reached, where that can be known for one source alone; absent: it cannot. */
  readonly reachedAt?: (memory: Memory, facts: SourceFacts, threshold: number) => InstantMs
  readonly budget: Budget
  readonly cycleMs: DurationMs
  readonly minIntervalMs: DurationMs
  readonly maxIntervalMs: DurationMs
  /** With an `exploreShare` of 0 the strategy decides about new sources, too. */
  readonly learning: LearningPlan
  readonly costs: CostUnit
  readonly random: Random
  readonly now: InstantMs
}

/**
 * Scheduling in cycles, to the letter of the papers: at the end of each cycle the strategy sees all sources and chooses, and
 * what it chose is refreshed. Its own rule alone holds the budget (Algorithm 4.2 moves τ after a cycle that spent too much).
 * Left to the user are what is requested by hand, sources with an interval of their own, and the limits of intervals.
 *
 * A cycle takes O(n): it is for comparison with the papers; the priced form scales (../scheduler.ts).
 */
export class CycleScheduler<Memory, State> extends SchedulerBase<Memory> implements LiveScheduler {
  private readonly options: CycleSchedulerOptions<Memory, State>
  private readonly limits: OwnLimits
  private readonly picks: Picks
  private readonly cycleBudget: CycleBudget
  private readonly requested: SourceId[] = []
  private readonly running = new Map<number, Cause>()
  /** Chosen before a restart. */
  private resumed: readonly SourceId[] = []
  private state: State
  private readonly clock: CycleClock
  private readonly forecast: CycleForecast<Memory, State>

  constructor(options: CycleSchedulerOptions<Memory, State>) {
    super(options)
    const { strategy, cycleMs } = options
    this.options = options
    this.limits = new OwnLimits(options)
    this.picks = new Picks(this.rows as SourceRows<unknown>)
    this.cycleBudget = new CycleBudget(options)
    this.state = strategy.begin({ budgetPerCycle: this.cycleBudget.requestsPerCycle, cycleMs })
    this.clock = new CycleClock({ ...options, ...(strategy.runs === undefined ? {} : { runs: strategy.runs }) })
    const { rows, limits, clock } = this
    this.forecast = new CycleForecast({ ...options, rows, limits, clock })
  }

  /** τ; 0 where the strategy has none. */
  get price(): number {
    return this.forecast.threshold(this.state)
  }

  /** Goes on with what `snapshot` gave before a restart; before any source is added. */
  resume(stored: StoredSchedule, now: InstantMs, setByMs: DurationMs = 0): void {
    const { cycle } = stored
    this.resumeLearning(stored.learning, setByMs)
    if (stored.strategy !== this.options.strategy.id || cycle === undefined) return
    this.state = cycle.state as State
    this.resumed = cycle.picks
    this.cycleBudget.resume(stored.balance, cycle.exploring, cycle.learning ?? 0)
    this.clock.resume(cycle, now, setByMs)
  }

  setBudget(budget: Budget): void {
    this.cycleBudget.set(budget)
  }

  /** A cycle is one for all: no shares of users. */
  setParts(): void {}

  upsert(source: SchedulerSource, now: InstantMs = NEVER): void {
    const { facts, isCorrected } = correctFacts(source.facts, now)
    const row = this.takeOver(source, facts)
    this.limits.set(facts.id, source)
    this.rows.mark(row, PAUSED, source.paused)
    this.rows.mark(row, RETIRED, source.retired)
    this.rows.setFixedAt(row, this.limits.plausibleTime(facts.id, source.dueAt, now, isCorrected))
    // Its host was busy: whatever changed, it keeps its turn there.
    if (this.picks.isRequested(row)) return
    if (source.paused || source.retired) this.picks.remove(row)
    this.putByOwnInterval(row)
  }

  /** The clock was set: cycles go on as they would have, and so do the sources unless the machine slept (docs/decisions/0057). */
  shift(byMs: DurationMs): void {
    this.clock.shift(byMs)
    this.shiftSources(byMs)
  }

  remove(id: SourceId): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.picks.remove(row)
    this.running.delete(row)
    this.drop(row)
    this.limits.forget(id)
  }

  /** In cycles one pays for all: the papers know no users. */
  setPayers(): void {}

  setWeight(id: SourceId, weight: number): void {
    const row = this.rows.rowOf(id)
    if (row >= 0) this.rows.setWeight(row, weight)
  }

  requestRefresh(id: SourceId): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.rows.has(row, RUNNING) || this.rows.has(row, MANUAL)) return
    this.rows.mark(row, MANUAL, true)
    this.picks.remove(row)
    this.requested.push(id)
  }

  /** In cycles nothing is weighed: who says that there is news is heard like a person. */
  push(id: SourceId): void {
    this.requestRefresh(id)
  }

  take(now: InstantMs): TakeResult {
    this.takeResumed()
    for (let id = this.requested.shift(); id !== undefined; id = this.requested.shift()) {
      const row = this.rows.rowOf(id)
      // Removed since, and perhaps added again.
      if (row < 0 || this.rows.has(row, RUNNING) || !this.rows.has(row, MANUAL)) continue
      this.cycleBudget.spend(this.rows.cost(row))
      return this.hand(row, 'asked', now)
    }
    if (this.clock.isOver(now)) this.choose(now)
    const next = this.picks.next(now)
    if (next === null) return { kind: 'wait', until: Math.min(this.clock.nextAt, this.picks.firstAt) }
    if (this.isBeside(next.row, next.cause)) this.cycleBudget.spend(this.rows.cost(next.row))
    return this.hand(next.row, next.cause, now)
  }

  /** It keeps its place: it was chosen, and is tried again as soon as its host or publisher lets it. */
  postpone(id: SourceId, until: InstantMs): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    const cause = this.running.get(row) ?? 'worth'
    if (this.isBeside(row, cause)) this.cycleBudget.spend(-this.rows.cost(row))
    this.end(row)
    const isPaused = this.rows.has(row, PAUSED) || this.rows.has(row, RETIRED)
    if (cause === 'asked' || !isPaused) this.picks.delay(row, cause, until)
  }

  plan(observation: Observation, notBefore: NextCheck | null = null): RefreshPlan {
    const row = this.rows.rowOf(observation.sourceId)
    if (row < 0) return REMOVED
    const isFirst = this.rows.lastRefreshAt(row) === null
    const learnt = this.learning.learn(row, observation, isLearningRequest(this.running.get(row) ?? null))
    this.rows.setFixedAt(row, null)
    const earliestAt = observation.at + this.limits.minIntervalMs(observation.sourceId)
    const expected = isFirst ? null : learnt
    const next = this.forecast.next(row, this.state)
    // Algorithm 4.1 sees full windows by itself.
    const facts = { earliestAt, expected, hurriesAfterLoss: false }
    if (notBefore === null || notBefore.at <= next.at) return { ...next, ...facts }
    const at = Math.max(next.at, Math.min(notBefore.at, this.forecast.fullAt(row)))
    this.rows.setFixedAt(row, at)
    return { at, reason: notBefore.reason, ...facts }
  }

  finish(id: SourceId, fixedAt: InstantMs | null, retired = false): void {
    const row = this.rows.rowOf(id)
    if (row < 0) return
    this.end(row)
    this.rows.mark(row, RETIRED, retired)
    if (fixedAt !== null) this.rows.setFixedAt(row, fixedAt)
    this.putByOwnInterval(row)
  }

  retry(id: SourceId, now: InstantMs): void {
    const row = this.rows.rowOf(id)
    if (row < 0 || this.rows.has(row, RUNNING) || this.rows.fixedAt(row) === null) return
    this.rows.setFixedAt(row, now)
    this.putByOwnInterval(row)
  }

  reserve(id: SourceId, now: InstantMs): InstantMs | null {
    const row = this.rows.rowOf(id)
    const cost = row < 0 ? 1 : this.rows.cost(row)
    if (!this.cycleBudget.mayOwe(cost)) return null
    this.cycleBudget.spend(cost)
    return now
  }

  /** A cycle has no moments. */
  delay(): void {}

  explain(id: SourceId, now: InstantMs): Explanation | null {
    const row = this.rows.rowOf(id)
    return row < 0 ? null : this.forecast.explain(row, this.state, now)
  }

  snapshot(now: InstantMs): StoredSchedule {
    const { balance, exploring, learning } = this.cycleBudget.snapshot()
    const pending = [...this.running.keys(), ...this.picks.all()]
    const picks = pending.map((row) => this.rows.id(row)).filter((id) => this.limits.intervalMs(id) === null)
    return {
      v: 1,
      strategy: this.options.strategy.id,
      price: this.price,
      sources: this.size,
      at: now,
      balance,
      minutes: [],
      learning: this.learningSchedule.snapshot(),
      cycle: {
        ...this.clock.snapshot(),
        state: this.state,
        picks: [...picks, ...this.resumed],
        exploring,
        learning,
      },
    }
  }

  protected override grow(capacity: number): void {
    this.picks.grow(capacity)
  }

  /** One cycle. What did not get its turn since the last one is chosen again, or not. */
  private choose(now: InstantMs): void {
    const { strategy, random } = this.options
    this.clock.begin(now)
    const split = this.learningSchedule.splitAt(now)
    this.cycleBudget.earn(split)
    this.chooseNew(now)
    this.chooseLearners(now)
    const candidates = this.candidates(now)
    if (!(split.refreshing > 0)) {
      this.cycleBudget.dropRest()
      return
    }
    const budget = this.cycleBudget.takeWhole()
    if (budget < 1 && strategy.runs === undefined) return
    const state = strategy.withBudget(this.state, budget)
    const choice = strategy.select(state, candidates, now, random)
    this.state = choice.state
    for (const id of choice.refresh) {
      const row = this.rows.rowOf(id)
      this.picks.add(row, strategy.runs === undefined ? this.causeOf(row, now) : 'time')
    }
  }

  /** Who was never refreshed, longest known first, within their share. */
  private chooseNew(now: InstantMs): void {
    const { rows } = this
    const fresh: number[] = []
    for (let row = 0; row < rows.end; row++) {
      if (rows.isUsed(row) && rows.lastRefreshAt(row) === null && this.mayChoose(row, now)) fresh.push(row)
    }
    fresh.sort((a, b) => rows.addedAt(a) - rows.addedAt(b) || rows.id(a) - rows.id(b))
    for (const row of fresh) {
      if (!this.cycleBudget.explore(rows.cost(row))) return
      this.picks.add(row, 'new')
    }
  }

  /** Whose turn it is in learning. */
  private chooseLearners(now: InstantMs): void {
    const { rows } = this
    const mayTake = (row: number) => rows.lastRefreshAt(row) !== null && this.mayChoose(row, now)
    const isTimed = (row: number) => rows.fixedAt(row) !== null || this.limits.intervalMs(rows.id(row)) !== null
    while (this.cycleBudget.mayLearn) {
      const row = this.learningSchedule.next(rows as SourceRows<never>, mayTake, isTimed)
      if (row < 0) return
      this.cycleBudget.learn(rows.cost(row))
      this.learningSchedule.take(row, rows.id(row), 'learning')
      this.picks.add(row, 'learning')
    }
  }

  /** All that the strategy may choose from; those whose longest interval is over are taken without asking it. */
  private candidates(now: InstantMs): CycleSource<Memory>[] {
    const { rows } = this
    const found: CycleSource<Memory>[] = []
    for (let row = 0; row < rows.end; row++) {
      if (!rows.isUsed(row) || !this.mayChoose(row, now)) continue
      const last = rows.lastRefreshAt(row)
      if (last !== null && now - last >= this.limits.maxIntervalMs(rows.id(row))) {
        this.cycleBudget.spend(rows.cost(row))
        this.picks.add(row, 'time')
      } else found.push(rows.source(row))
    }
    return found
  }

  private mayChoose(row: number, now: InstantMs): boolean {
    const { rows } = this
    if (rows.has(row, PAUSED) || rows.has(row, RETIRED) || rows.has(row, RUNNING) || rows.has(row, MANUAL)) return false
    if (this.picks.has(row) || this.limits.intervalMs(rows.id(row)) !== null) return false
    const last = rows.lastRefreshAt(row)
    return (rows.fixedAt(row) ?? now) <= now && (last ?? -NEVER) + this.limits.minIntervalMs(rows.id(row)) <= now
  }

  private causeOf(row: number, now: InstantMs): Cause {
    const { memory, facts } = this.rows.source(row)
    const expected = this.options.model.expected?.(memory, since(facts), now) ?? 0
    return isSaturated(expected, facts.windowSize) ? 'full' : 'worth'
  }

  private takeResumed(): void {
    for (const id of this.resumed) {
      const row = this.rows.rowOf(id)
      if (row < 0 || this.rows.has(row, RUNNING) || this.rows.has(row, PAUSED) || this.rows.has(row, RETIRED)) continue
      // What was refreshed between the last checkpoint and the end has been done.
      if ((this.rows.lastRefreshAt(row) ?? -NEVER) >= (this.clock.lastAt ?? NEVER)) continue
      this.picks.add(row, 'worth')
    }
    this.resumed = []
  }

  /** Paid for when it is taken: no cycle chose it. */
  private isBeside(row: number, cause: Cause): boolean {
    return cause === 'asked' || this.limits.intervalMs(this.rows.id(row)) !== null
  }

  private hand(row: number, chosen: Cause, now: InstantMs): TakeResult {
    const isOwed = chosen !== 'learning' && this.learningSchedule.take(row, this.rows.id(row), chosen)
    const cause = isOwed ? 'learning' : chosen
    this.picks.remove(row)
    this.rows.mark(row, RUNNING, true)
    this.running.set(row, cause)
    const why = { cause, at: now, price: this.price }
    return { kind: 'refresh', id: this.rows.id(row), manual: cause === 'asked', why }
  }

  private end(row: number): void {
    this.rows.mark(row, RUNNING, false)
    this.rows.mark(row, MANUAL, false)
    this.running.delete(row)
  }

  private putByOwnInterval(row: number): void {
    const ownMs = this.limits.intervalMs(this.rows.id(row))
    const rests = this.rows.has(row, PAUSED) || this.rows.has(row, RETIRED)
    if (ownMs === null || rests || this.rows.has(row, RUNNING) || this.rows.has(row, MANUAL)) return
    this.picks.delay(row, 'time', this.rows.fixedAt(row) ?? this.forecast.next(row, this.state).at)
  }
}
