import { entryAt } from '../../src/model/entry-at.ts'
import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import type { AnyEstimator } from '../../src/refresh/estimator.ts'
import type { Intensity } from '../../src/refresh/intensity.ts'
import { topKUtilityCycle } from '../../src/refresh/strategies/top-k-utility.ts'
import { twoStepsCycle } from '../../src/refresh/strategies/two-steps.ts'
import type { CycleSource, CycleStrategy, DivergenceView, SourceFacts } from '../../src/refresh/strategy.ts'
import { inTurns } from '../simulator/in-turns.ts'
import { SourceRun } from '../simulator/source-run.ts'
import type { RunWatch } from '../simulator/tally.ts'
import { countPublishedBy, factsOf, type SimSource, type SimWorld } from '../simulator/world.ts'
import type { ResumableRun } from './stretch.ts'

/**
 * The thesis's 10 minutes (7.3.1), or less where sources are refreshed so often that this would be felt; a whole number
 * of cycles to the hour, since rates change on the hour.
 */
export function cycleFor(perDay: number): DurationMs {
  const proportional = Math.min(10 * MINUTE_MS, DAY_MS / perDay / 18)
  return HOUR_MS / Math.ceil(HOUR_MS / proportional)
}

/** A division for every source in every cycle would be most of the work. */
const HOURS_PER_MS = 1 / HOUR_MS

/** Of weight × utility against utility ÷ weight; the strategy itself decides. */
const ROUNDING = 1e-9

/**
 * Estimated divergence of all sources, which grows with every cycle instead of being integrated again each time. A year of
 * cycles asks a billion times: everything lies in typed arrays, row by row, and the rate of a slot is looked up when it
 * begins.
 */
class Growing {
  readonly stream: Float64Array
  readonly utility: Float64Array
  private readonly since: Float64Array
  /** Items that a cycle brings, as long as the slot lasts. */
  private readonly perCycle: Float64Array
  private readonly endOfSlot: Float64Array
  /** Rates of the model, one per slot of its period. */
  private readonly rates: ArrayLike<number>[] = []
  private readonly periodMs: Float64Array
  private readonly cycleMs: DurationMs
  private readonly windowSizes: Float64Array
  /** Cost for each unit of weight. */
  private readonly costs: Float64Array
  /** What the last cycle can choose from: the first `choosable` of them. A list that is emptied gives its room away. */
  readonly rows: Int32Array
  choosable = 0
  /** Since the last cycle. */
  private readonly begunRows: number[] = []
  private firstEndOfSlot = Number.POSITIVE_INFINITY
  private readonly slots = new LastSlot()

  constructor(sources: readonly SimSource[], cycleMs: DurationMs) {
    this.stream = new Float64Array(sources.length)
    this.utility = new Float64Array(sources.length)
    this.since = new Float64Array(sources.length)
    this.perCycle = new Float64Array(sources.length)
    this.endOfSlot = new Float64Array(sources.length)
    this.periodMs = new Float64Array(sources.length)
    this.cycleMs = cycleMs
    this.windowSizes = Float64Array.from(sources, ({ windowSize }) => windowSize)
    this.costs = Float64Array.from(sources, ({ cost, weight }) => cost / weight)
    this.rows = new Int32Array(sources.length)
  }

  begin(row: number, since: number, { ratesPerHour, periodMs }: Intensity): void {
    this.stream[row] = 0
    this.utility[row] = 0
    this.since[row] = since
    this.rates[row] = ratesPerHour
    this.periodMs[row] = periodMs
    this.begunRows.push(row)
  }

  /**
   * Over one cycle that ends at `now`: ∫λ and ∫(s − T_r)·λ (equation 4.5), exact while λ is constant within it. Notes the
   * rows that a cycle can choose: saturated, or worth about τ, which Algorithm 4.1 only ever raises. Most cycles have few.
   */
  grow(now: number, threshold: number): void {
    const { stream, utility, since, perCycle, windowSizes, costs, rows } = this
    const cycleStart = now - this.cycleMs
    const middle = cycleStart + this.cycleMs / 2
    const nearly = (1 - ROUNDING) * threshold
    this.enterSlots(cycleStart)
    let choosable = 0
    for (let row = 0; row < stream.length; row++) {
      const items = perCycle[row] ?? 0
      const waiting = (stream[row] ?? 0) + items
      const worth = (utility[row] ?? 0) + items * ((middle - (since[row] ?? 0)) * HOURS_PER_MS)
      stream[row] = waiting
      utility[row] = worth
      if (waiting >= (windowSizes[row] ?? 0) || worth >= nearly * (costs[row] ?? 0)) rows[choosable++] = row
    }
    this.choosable = choosable
  }

  private enterSlots(at: number): void {
    const { begunRows, endOfSlot } = this
    for (const row of begunRows) this.enterSlot(row, at)
    begunRows.length = 0
    if (at < this.firstEndOfSlot) return
    this.firstEndOfSlot = Number.POSITIVE_INFINITY
    for (let row = 0; row < endOfSlot.length; row++) {
      if (at >= (endOfSlot[row] ?? 0)) this.enterSlot(row, at)
      else this.firstEndOfSlot = Math.min(this.firstEndOfSlot, endOfSlot[row] ?? 0)
    }
  }

  private enterSlot(row: number, at: number): void {
    const rates = entryAt(this.rates, row)
    const single = rates.length === 1
    const { slot, endMs } = single ? ALWAYS : this.slots.at(at, this.periodMs[row] ?? 0, rates.length)
    this.perCycle[row] = ((rates[slot] ?? 0) * this.cycleMs) / HOUR_MS
    this.endOfSlot[row] = endMs
    this.firstEndOfSlot = Math.min(this.firstEndOfSlot, endMs)
  }
}

const ALWAYS = { slot: 0, endMs: Number.POSITIVE_INFINITY }

/** Which slot an instant is in. On the hour all sources ask the same. */
class LastSlot {
  slot = 0
  endMs = Number.POSITIVE_INFINITY
  private lastAt = Number.NaN
  private periodMs = Number.NaN
  private count = 0

  at(at: number, periodMs: DurationMs, count: number): LastSlot {
    if (at === this.lastAt && periodMs === this.periodMs && count === this.count) return this
    this.lastAt = at
    this.periodMs = periodMs
    this.count = count
    const startMs = Math.floor(at / periodMs) * periodMs
    this.slot = Math.floor(((at - startMs) * count) / periodMs)
    this.endMs = startMs + ((this.slot + 1) * periodMs) / count
    return this
  }
}

/** A source's memory is its row. */
function growingView({ stream, utility }: Growing): DivergenceView<number> {
  return {
    stream: (row) => stream[row] ?? 0,
    window: (row, facts) => facts.weight * Math.min(facts.windowSize, stream[row] ?? 0),
    utility: (row, facts) => facts.weight * (utility[row] ?? 0),
  }
}

/** A source that is refreshed and learnt of, cycle by cycle. */
class CycleMember implements CycleSource<number> {
  facts: SourceFacts
  readonly memory: number
  readonly run: SourceRun
  readonly source: SimSource
  private readonly growing: Growing
  private readonly estimator: AnyEstimator
  private state: unknown

  constructor(source: SimSource, row: number, startMs: number, estimator: AnyEstimator, growing: Growing) {
    this.source = source
    this.memory = row
    this.growing = growing
    this.estimator = estimator
    this.facts = factsOf(source, startMs, null)
    this.state = estimator.start({ ratePerHour: 0.1, at: startMs, sourceId: source.id })
    growing.begin(row, startMs, estimator.intensity(this.state))
    this.run = new SourceRun(source, { movesObservation: true })
  }

  refresh(now: number, watch: RunWatch): void {
    const observation = this.run.refresh(now)
    watch.refreshed(this.source, now, this.run.sight)
    this.facts = factsOf(this.source, this.facts.addedAt, now)
    this.state = this.estimator.observe(this.state, observation)
    this.growing.begin(this.memory, now, this.estimator.intensity(this.state))
  }
}

export interface CyclePolicyRun {
  readonly world: SimWorld
  readonly estimator: AnyEstimator
  readonly cycleMs: DurationMs
  readonly budgetPerCycle: number
}

type CyclePolicy<State> = (view: DivergenceView<number>) => CycleStrategy<number, State>

/** Algorithm 4.1 with Algorithm 4.2. */
export function twoStepsRun(options: CyclePolicyRun): ResumableRun {
  return new CycleRunSteps(options, (view) => inTurns(twoStepsCycle(view), options.budgetPerCycle))
}

export function topKCourse(options: CyclePolicyRun): ResumableRun {
  return new CycleRunSteps(options, (view) => topKUtilityCycle(view))
}

/** Cycle after cycle; every source takes part in each, whichever are asked for. */
class CycleRunSteps<State> implements ResumableRun {
  private readonly growing: Growing
  private readonly sources: readonly CycleMember[]
  private readonly strategy: CycleStrategy<number, State>
  private readonly cycleMs: DurationMs
  private state: State
  private now: number

  constructor({ world, estimator, cycleMs, budgetPerCycle }: CyclePolicyRun, policy: CyclePolicy<State>) {
    this.growing = new Growing(world.sources, cycleMs)
    this.sources = world.sources.map(
      (source, row) => new CycleMember(source, row, world.startMs, estimator, this.growing),
    )
    this.strategy = policy(growingView(this.growing))
    this.cycleMs = cycleMs
    this.state = this.strategy.begin({ budgetPerCycle, cycleMs })
    this.now = world.startMs + cycleMs
  }

  goOn(sources: readonly SimSource[], untilMs: number, _mostRequests: number, watch: RunWatch): readonly SimSource[] {
    for (; this.now < untilMs; this.now += this.cycleMs) this.cycle(this.now, watch)
    for (const { source, run } of this.sources) {
      watch.ended(source, run.sight.to, countPublishedBy(source.times, untilMs, run.sight.to))
    }
    return sources
  }

  private cycle(now: number, watch: RunWatch): void {
    const { growing, strategy, sources } = this
    growing.grow(now, strategy.threshold?.(this.state) ?? 0)
    const choice = strategy.select(this.state, this.currentSources(), now, never)
    this.state = choice.state
    for (const id of choice.refresh) entryAt(sources, id).refresh(now, watch)
  }

  private currentSources(): readonly CycleMember[] {
    const { sources } = this
    const { rows, choosable } = this.growing
    if (choosable === sources.length) return sources
    if (choosable === 0) return NONE
    const chosen = [entryAt(sources, rows[0] ?? 0)]
    for (let k = 1; k < choosable; k++) chosen.push(entryAt(sources, rows[k] ?? 0))
    return chosen
  }
}

const NONE: readonly CycleMember[] = []

/** Nothing is left to chance. */
const never = () => 0
