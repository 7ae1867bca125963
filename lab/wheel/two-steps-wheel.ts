import { type DurationMs, type InstantMs, isSaturated, type Observation, type SourceId } from '../../src/model/index.ts'
import { since } from '../../src/refresh/divergence.ts'
import { expectedItems, reachesItems, utilityItemHours } from '../../src/refresh/intensity.ts'
import { RowHeap } from '../../src/refresh/scheduler/row-heap.ts'
import { PRIOR_PER_HOUR } from '../../src/refresh/strategies/modelled.ts'
import { raisedThreshold } from '../../src/refresh/strategies/two-steps.ts'
import type { SourceFacts } from '../../src/refresh/strategy.ts'
import { adjustThreshold, THESIS_THRESHOLD, type ThresholdRule } from '../../src/refresh/threshold.ts'
import type { PackedModel } from './packed-model.ts'
import { PackedSources } from './packed-sources.ts'
import { gainsBy, utilityNear } from './profile-walk.ts'
import { TimingWheel } from './timing-wheel.ts'
import { UtilityFloors } from './utility-floors.ts'

export interface TwoStepsWheelOptions<State> {
  readonly model: PackedModel<State>
  /** b of Algorithm 4.1, in units of cost. */
  readonly budgetPerCycle: number
  /** The usual time between two calls of `select`; it may vary. */
  readonly cycleMs: DurationMs
  /** Sources to make room for at once; more may come. */
  readonly capacity?: number
  readonly firstThreshold?: number
  /** Null keeps τ fixed. */
  readonly rule?: ThresholdRule | null
}

type Facts = Pick<SourceFacts, 'id' | 'weight' | 'cost' | 'windowSize'>

/**
 * 2Steps (thesis Algorithms 4.1 and 4.2) without looking at every source in every cycle; it chooses what the scan of
 * strategies/two-steps.ts chooses, ties included.
 *
 * A source is in one of four states:
 * - *asleep*: in the wheel, until its window may be full or its utility may reach a floor below the price, whichever
 *   comes first; and on the list of that floor, in case the price falls below it before;
 * - *awake*: examined in the next cycle. It is then chosen, or found saturated, or sleeps again under a floor between
 *   its utility and the price, so that few looks lead to the moment when it is due, and τ must fall a good way before
 *   those that are far from due are examined;
 * - *saturated*: in the heap that ranks the first step; it leaves only when chosen;
 * - *chosen*: in none of them, until `observe` or `release` brings it back.
 *
 * Wheel, floors and heap only say whom to look at, always early enough; who is chosen is decided by the same arithmetic
 * as in the scan. To sleep until utility could reach τ·θ^Δt would need no floors, as τ falls by θ a cycle at most, but
 * many more looks: the nearer a source is to being due, the shorter such a sleep, though τ mostly does not fall.
 */
export class TwoStepsWheel<State> {
  private readonly sources: PackedSources<State>
  private readonly wheel: TimingWheel
  private readonly floors: UtilityFloors
  private readonly saturated: RowHeap
  private readonly rule: ThresholdRule | null
  private threshold: number
  private checks = 0

  constructor(private readonly options: TwoStepsWheelOptions<State>) {
    const capacity = options.capacity ?? 1024
    this.sources = new PackedSources(options.model)
    this.sources.grow(capacity)
    this.wheel = new TimingWheel(options.cycleMs / TICKS_PER_CYCLE, capacity)
    this.floors = new UtilityFloors(capacity)
    this.saturated = new RowHeap(capacity, (a, b) => this.ranksBefore(a, b))
    this.rule = options.rule === undefined ? THESIS_THRESHOLD : options.rule
    this.threshold = options.firstThreshold ?? 1
  }

  /** τ. */
  get tau(): number {
    return this.threshold
  }

  get size(): number {
    return this.sources.size
  }

  /** Bytes of all arrays held. */
  get bytes(): number {
    return this.sources.bytes + this.wheel.bytes + this.floors.bytes + this.saturated.bytes
  }

  /** How often a source was examined so far; the scan looks n times a cycle. */
  get looks(): number {
    return this.checks
  }

  /** A new source, with what was learnt of it before where that is stored. False if the id is known already. */
  add(facts: SourceFacts, state?: State): boolean {
    if (this.sources.rowOf(facts.id) >= 0) return false
    this.grow()
    const row = this.sources.add(facts.id)
    const prior = { ratePerHour: PRIOR_PER_HOUR, at: facts.addedAt, sourceId: facts.id }
    this.sources.setState(row, state ?? this.options.model.estimator.start(prior))
    this.sources.setSince(row, since(facts))
    this.setFacts(row, facts)
    this.wheel.putAwake(row)
    return true
  }

  /** Weight, cost or window as they are now; everything else stays. */
  update(facts: Facts): boolean {
    const row = this.sources.rowOf(facts.id)
    if (row < 0) return false
    const chosen = this.isChosen(row)
    this.takeOut(row)
    this.setFacts(row, facts)
    if (!chosen) this.wheel.putAwake(row)
    return true
  }

  remove(id: SourceId): boolean {
    const row = this.sources.rowOf(id)
    if (row < 0) return false
    this.takeOut(row)
    this.sources.remove(row)
    return true
  }

  /** What is believed of a source, for keeping or showing. */
  state(id: SourceId): State | undefined {
    const row = this.sources.rowOf(id)
    return row < 0 ? undefined : this.sources.state(row)
  }

  /** What a refresh brought, chosen here or not. */
  observe(observation: Observation): boolean {
    const row = this.sources.rowOf(observation.sourceId)
    if (row < 0) return false
    this.takeOut(row)
    this.sources.setState(row, this.options.model.estimator.observe(this.sources.state(row), observation))
    this.sources.setSince(row, observation.at)
    const windowSize = observation.windowSize ?? this.sources.windowSize(row)
    this.setFacts(row, { weight: this.sources.weight(row), cost: this.sources.cost(row), windowSize })
    this.sleep(row, 0, this.threshold, observation.at)
    return true
  }

  /** A chosen source that was not refreshed after all: it is considered again from the next cycle on. */
  release(id: SourceId): boolean {
    const row = this.sources.rowOf(id)
    if (row < 0 || !this.isChosen(row)) return false
    this.wheel.putAwake(row)
    return true
  }

  /**
   * The sources to refresh now: saturated ones in the order of the first step, then the others by id. Each stays out of
   * the choice until `observe` or `release`.
   */
  select(now: InstantMs): SourceId[] {
    const budget = this.options.budgetPerCycle
    const candidates = this.wake(now)
    const chosen = this.firstStep(now, candidates)
    const spent = this.costOf(chosen)
    const price = spent < budget ? raisedThreshold(this.threshold, budget, spent) : Number.POSITIVE_INFINITY
    const { due, rest, utility } = this.secondStep(now, price, candidates)
    for (const row of due) chosen.push(row)
    this.moveThreshold(this.costOf(chosen))
    for (let index = 0; index < rest.length; index++) this.sleep(rest[index] ?? 0, utility[index] ?? 0, price, now)
    return chosen.map((row) => this.sources.id(row))
  }

  /** Those whose time has come and who are not saturated; the saturated ones go to the heap. */
  private wake(now: InstantMs): number[] {
    const awake: number[] = []
    this.wheel.drain(now, awake)
    return awake.filter((row) => {
      this.floors.remove(row)
      const full = this.isSaturated(row, now)
      if (full) this.saturated.push(row)
      return !full
    })
  }

  /** FIRST step of Algorithm 4.1. */
  private firstStep(now: InstantMs, candidates: number[]): number[] {
    const chosen: number[] = []
    let spent = 0
    while (spent < this.options.budgetPerCycle) {
      const row = this.saturated.pop()
      if (row < 0) break
      if (this.isSaturated(row, now)) {
        chosen.push(row)
        spent += this.sources.cost(row)
      } else {
        // The clock was set back.
        candidates.push(row)
      }
    }
    return chosen
  }

  /** SECOND step of Algorithm 4.1; at an infinite price, when saturated sources used up the budget, nobody is due. */
  private secondStep(now: InstantMs, price: number, candidates: number[]) {
    const wokenByTime = candidates.length
    this.floors.drainAbove(price, candidates)
    for (let index = wokenByTime; index < candidates.length; index++) this.wheel.remove(candidates[index] ?? 0)
    const due: number[] = []
    const rest: number[] = []
    const utility: number[] = []
    for (const row of candidates) {
      this.checks++
      const near = utilityNear(this.sources.intensity(row), this.sources.since(row), now)
      if (price < Number.POSITIVE_INFINITY && this.isWorth(row, near, price, now)) {
        due.push(row)
      } else {
        rest.push(row)
        utility.push(near)
      }
    }
    return { due: due.sort((a, b) => this.sources.id(a) - this.sources.id(b)), rest, utility }
  }

  /** w·Uti ≥ price·c (equation 4.4): exactly as the scan sums it up, where the quick sum leaves a doubt. */
  private isWorth(row: number, nearUtility: number, price: number, now: InstantMs): boolean {
    const weight = this.sources.weight(row)
    const limit = price * this.sources.cost(row)
    if (weight * nearUtility < limit * (1 - DOUBT)) return false
    if (weight * nearUtility > limit * (1 + DOUBT)) return true
    return weight * utilityItemHours(this.sources.intensity(row), this.sources.since(row), now) >= limit
  }

  /** Algorithm 4.2. */
  private moveThreshold(spent: number): void {
    if (this.rule === null) return
    this.threshold = adjustThreshold(this.threshold, spent, this.options.budgetPerCycle, this.rule)
  }

  /**
   * Lets a source that is not due sleep until its worth (utility per cost) may reach a floor between what it is now and
   * what it would have to be: τ, or, for those above τ that saturated sources crowd out, the price that they met.
   */
  private sleep(row: number, utility: number, price: number, now: InstantMs): void {
    const worthPerUtility = this.sources.weight(row) / this.sources.cost(row)
    const worth = utility * worthPerUtility
    const floor = this.floors.atMost(wakeWorth(worth, worth < this.threshold ? this.threshold : price))
    if (floor < 0 || this.floors.worthOf(floor) <= worth) {
      this.wheel.putAwake(row)
      return
    }
    const since = this.sources.since(row)
    const gain = (this.floors.worthOf(floor) / worthPerUtility) * (1 - MARGIN) - utility
    const reached = gainsBy(this.sources.intensity(row), since, Math.max(now, since), gain) - MARGIN_MS
    this.floors.put(row, floor)
    this.wheel.put(row, Math.min(reached, this.sources.saturatedAt(row)))
  }

  private setFacts(row: number, facts: Omit<Facts, 'id'>): void {
    this.sources.set(row, facts.weight, facts.cost, facts.windowSize)
    this.findSaturation(row)
  }

  /** Saturation time, the inverse of equation 7.1 at W; never where the window divergence would not be positive. */
  private findSaturation(row: number): void {
    if (!(this.fullWorth(row) > 0)) {
      this.sources.setSaturatedAt(row, Number.POSITIVE_INFINITY)
      return
    }
    const items = this.sources.windowSize(row) * (1 - MARGIN)
    const reached = reachesItems(this.sources.intensity(row), this.sources.since(row), items)
    this.sources.setSaturatedAt(row, reached - MARGIN_MS)
  }

  private isSaturated(row: number, now: InstantMs): boolean {
    if (now < this.sources.saturatedAt(row)) return false
    const stream = expectedItems(this.sources.intensity(row), this.sources.since(row), now)
    return isSaturated(stream, this.sources.windowSize(row))
  }

  /** Window divergence per cost of a saturated source: the same for as long as it is not refreshed. */
  private fullWorth(row: number): number {
    return (this.sources.weight(row) * this.sources.windowSize(row)) / this.sources.cost(row)
  }

  /** Order of the first step: window divergence, then longest without refresh, then id; as `saturatedFirst` has it. */
  private ranksBefore(a: number, b: number): boolean {
    const byWorth = this.fullWorth(b) - this.fullWorth(a)
    return (byWorth || this.sources.since(a) - this.sources.since(b) || this.sources.id(a) - this.sources.id(b)) < 0
  }

  private costOf(rows: readonly number[]): number {
    let cost = 0
    for (const row of rows) cost += this.sources.cost(row)
    return cost
  }

  private isChosen(row: number): boolean {
    return !this.wheel.has(row) && !this.saturated.has(row)
  }

  private takeOut(row: number): void {
    this.wheel.remove(row)
    this.floors.remove(row)
    this.saturated.remove(row)
  }

  private grow(): void {
    if (this.sources.size < this.sources.capacity) return
    const capacity = Math.ceil(this.sources.capacity * GROWTH) + 1
    for (const part of [this.sources, this.wheel, this.floors, this.saturated]) part.grow(capacity)
  }
}

/**
 * Where to look again on the way from one worth to another: two thirds of it in the logarithm. Higher saves looks while τ
 * stands still, lower while it falls. Measured with τ moving 5 % in every cycle: 4.5 looks per decision; 6.8 with half of
 * the way and a first floor of ¼.
 */
function wakeWorth(worth: number, target: number): number {
  if (target === Number.POSITIVE_INFINITY) return worth / FIRST_SHARE
  return Math.max(Math.cbrt(worth * target * target), target * FIRST_SHARE)
}

/** Sleepers are woken at most an eighth of a cycle early. */
const TICKS_PER_CYCLE = 8
/** The first floor under the price: 0.7 of the age at which a steady publisher is due; τ needs 14 cycles to fall there. */
const FIRST_SHARE = 1 / 2
/** Quick and exact sums differ by about 1e-14 of them. Nearer to the limit than this the exact sum decides; hardly anybody is. */
const DOUBT = 1e-3
/**
 * Sleepers are examined so much earlier. Inverses are exact to about 1e-12 of the utility, and where slots are no whole
 * milliseconds to 0.25 µs at each border: of a slot that has passed that is less than 1e-7 (slots of more than 5 s), in
 * the slot that runs the millisecond covers it, and the first slot is measured alike in both sums.
 */
const MARGIN = 1e-7
const MARGIN_MS = 1
/** Small steps: what is not used yet counts in the bytes per source. */
const GROWTH = 1.125
