import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import type { AnyEstimator } from '../../src/refresh/estimator.ts'
import { topKUtilityCycle } from '../../src/refresh/strategies/top-k-utility.ts'
import { twoStepsCycle } from '../../src/refresh/strategies/two-steps.ts'
import type { CycleSource, CycleStrategy, DivergenceView, SourceFacts } from '../../src/refresh/strategy.ts'
import { inTurns } from '../simulator/in-turns.ts'
import { SourceRun } from '../simulator/source-run.ts'
import type { Tally } from '../simulator/tally.ts'
import { factsOf, publishedBy, type SimSource, type SimWorld } from '../simulator/world.ts'

/**
 * The thesis's 10 minutes (7.3.1), or less where sources are refreshed so often that this would be felt; a whole number
 * of cycles to the hour, since rates change on the hour.
 */
export function cycleFor(perDay: number): DurationMs {
  const wished = Math.min(10 * MINUTE_MS, DAY_MS / perDay / 18)
  return HOUR_MS / Math.ceil(HOUR_MS / wished)
}

/** Estimated divergence that grows with every cycle, instead of being integrated anew each time. */
interface Growing {
  stream: number
  utility: number
  /** Rates of the model, one per slot of its period. */
  rates: ArrayLike<number>
  periodMs: DurationMs
}

const growingView: DivergenceView<Growing> = {
  stream: (memory) => memory.stream,
  window: (memory, facts) => facts.weight * Math.min(facts.windowSize, memory.stream),
  utility: (memory, facts) => facts.weight * memory.utility,
}

/** A source that is refreshed and learnt of, cycle by cycle. */
class Followed implements CycleSource<Growing> {
  facts: SourceFacts
  readonly memory: Growing
  readonly run: SourceRun
  readonly source: SimSource
  private readonly estimator: AnyEstimator
  private state: unknown

  constructor(source: SimSource, startMs: number, estimator: AnyEstimator) {
    this.source = source
    this.estimator = estimator
    this.facts = factsOf(source, startMs, null)
    this.state = estimator.start({ ratePerHour: 0.1, at: startMs, sourceId: source.id })
    const { ratesPerHour, periodMs } = estimator.intensity(this.state)
    this.memory = { stream: 0, utility: 0, rates: ratesPerHour, periodMs }
    this.run = new SourceRun(source)
  }

  refresh(now: number, tally: Tally): void {
    const observation = this.run.refresh(now)
    tally.refreshed(this.source, now, this.run.met)
    this.facts = { ...this.facts, lastRefreshAt: now }
    this.state = this.estimator.observe(this.state, observation)
    const { ratesPerHour, periodMs } = this.estimator.intensity(this.state)
    this.memory.stream = 0
    this.memory.utility = 0
    this.memory.rates = ratesPerHour
    this.memory.periodMs = periodMs
  }

  /** Over one cycle that ends at `now`: ∫λ and ∫(s − T_r)·λ (equation 4.5), exact while λ is constant within it. */
  grow(now: number, cycleMs: DurationMs): void {
    const { memory } = this
    const slots = memory.rates.length
    const begun = now - cycleMs
    const slot = slots === 1 ? 0 : Math.floor(((begun % memory.periodMs) * slots) / memory.periodMs)
    const items = (memory.rates[slot]! * cycleMs) / HOUR_MS
    const ageHours = (begun + cycleMs / 2 - (this.facts.lastRefreshAt ?? this.facts.addedAt)) / HOUR_MS
    memory.stream += items
    memory.utility += items * ageHours
  }
}

export interface CyclePolicyRun {
  readonly world: SimWorld
  readonly estimator: AnyEstimator
  readonly cycleMs: DurationMs
  readonly budgetPerCycle: number
}

/** Algorithm 4.1 with Algorithm 4.2. */
export function runTwoSteps(options: CyclePolicyRun, tally: Tally): void {
  runCyclePolicy(options, inTurns(twoStepsCycle(growingView), options.budgetPerCycle), tally)
}

export function runTopK(options: CyclePolicyRun, tally: Tally): void {
  runCyclePolicy(options, topKUtilityCycle(growingView), tally)
}

function runCyclePolicy<State>(options: CyclePolicyRun, strategy: CycleStrategy<Growing, State>, tally: Tally): void {
  const { world, estimator, cycleMs, budgetPerCycle } = options
  const sources = world.sources.map((source) => new Followed(source, world.startMs, estimator))
  let state = strategy.begin({ budgetPerCycle, cycleMs })
  for (let now = world.startMs + cycleMs; now < world.endMs; now += cycleMs) {
    for (const source of sources) source.grow(now, cycleMs)
    const choice = strategy.select(state, sources, now, () => 0)
    state = choice.state
    for (const id of choice.refresh) sources[id]!.refresh(now, tally)
  }
  for (const { source, run } of sources) {
    tally.ended(source, run.met.to, publishedBy(source.times, world.endMs, run.met.to))
  }
}
