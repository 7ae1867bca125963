import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import type { AnyEstimator } from '../../src/refresh/estimator.ts'
import type { Intensity } from '../../src/refresh/intensity.ts'
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

/**
 * Estimated divergence of all sources, which grows with every cycle instead of being integrated anew each time. A year of
 * cycles asks a billion times: the sums lie in typed arrays, row by row.
 */
class Growing {
  readonly stream: Float64Array
  readonly utility: Float64Array
  readonly since: Float64Array
  /** Rates of the model, one per slot of its period. */
  readonly rates: ArrayLike<number>[] = []
  readonly periodMs: DurationMs[] = []

  constructor(sources: number) {
    this.stream = new Float64Array(sources)
    this.utility = new Float64Array(sources)
    this.since = new Float64Array(sources)
  }

  begin(row: number, since: number, { ratesPerHour, periodMs }: Intensity): void {
    this.stream[row] = 0
    this.utility[row] = 0
    this.since[row] = since
    this.rates[row] = ratesPerHour
    this.periodMs[row] = periodMs
  }

  /** Over one cycle that ends at `now`: ∫λ and ∫(s − T_r)·λ (equation 4.5), exact while λ is constant within it. */
  grow(now: number, cycleMs: DurationMs): void {
    const { stream, utility, since, rates, periodMs } = this
    const begun = now - cycleMs
    const middle = begun + cycleMs / 2
    // Sources share their period: the slot is found once.
    let knownPeriodMs = 0
    let knownSlots = 0
    let knownSlot = 0
    for (let row = 0; row < stream.length; row++) {
      const own = rates[row]!
      const slots = own.length
      let slot = 0
      if (slots > 1) {
        if (periodMs[row] !== knownPeriodMs || slots !== knownSlots) {
          knownPeriodMs = periodMs[row]!
          knownSlots = slots
          knownSlot = Math.floor(((begun % knownPeriodMs) * slots) / knownPeriodMs)
        }
        slot = knownSlot
      }
      const items = (own[slot]! * cycleMs) / HOUR_MS
      stream[row]! += items
      utility[row]! += items * ((middle - since[row]!) / HOUR_MS)
    }
  }
}

/** A source's memory is its row. */
function growingView({ stream, utility }: Growing): DivergenceView<number> {
  return {
    stream: (row) => stream[row]!,
    window: (row, facts) => facts.weight * Math.min(facts.windowSize, stream[row]!),
    utility: (row, facts) => facts.weight * utility[row]!,
  }
}

/** A source that is refreshed and learnt of, cycle by cycle. */
class Followed implements CycleSource<number> {
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
    this.run = new SourceRun(source)
  }

  refresh(now: number, tally: Tally): void {
    const observation = this.run.refresh(now)
    tally.refreshed(this.source, now, this.run.met)
    this.facts = { ...this.facts, lastRefreshAt: now }
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
export function runTwoSteps(options: CyclePolicyRun, tally: Tally): void {
  runCyclePolicy(options, (view) => inTurns(twoStepsCycle(view), options.budgetPerCycle), tally)
}

export function runTopK(options: CyclePolicyRun, tally: Tally): void {
  runCyclePolicy(options, (view) => topKUtilityCycle(view), tally)
}

function runCyclePolicy<State>(options: CyclePolicyRun, policy: CyclePolicy<State>, tally: Tally): void {
  const { world, estimator, cycleMs, budgetPerCycle } = options
  const growing = new Growing(world.sources.length)
  const sources = world.sources.map((source, row) => new Followed(source, row, world.startMs, estimator, growing))
  const strategy = policy(growingView(growing))
  let state = strategy.begin({ budgetPerCycle, cycleMs })
  for (let now = world.startMs + cycleMs; now < world.endMs; now += cycleMs) {
    growing.grow(now, cycleMs)
    const choice = strategy.select(state, sources, now, () => 0)
    state = choice.state
    for (const id of choice.refresh) sources[id]!.refresh(now, tally)
  }
  for (const { source, run } of sources) {
    tally.ended(source, run.met.to, publishedBy(source.times, world.endMs, run.met.to))
  }
}
