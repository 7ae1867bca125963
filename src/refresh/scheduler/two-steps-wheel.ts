import type { DurationMs, InstantMs } from '../../model/index.ts'
import { raisedThreshold } from '../strategies/two-steps.ts'
import { adjustThreshold, THESIS_THRESHOLD, type ThresholdRule } from '../threshold.ts'
import { SaturatedHeap } from './saturated-heap.ts'

/** What the wheel asks of the sources, by index 0 … size − 1. Divergences are estimates: they grow until a refresh. */
export interface WheelModel {
  readonly size: number
  readonly cost: (index: number) => number
  /** Weighted, item-hours. */
  readonly utility: (index: number, now: InstantMs) => number
  readonly saturated: (index: number, now: InstantMs) => boolean
  /** About when `saturated` becomes true; Infinity: never. */
  readonly saturatedAt: (index: number) => InstantMs
  /** Weighted window divergence of a saturated source: W items, whatever the time. */
  readonly fullWindow: (index: number) => number
  /** Last refresh, or adding. */
  readonly since: (index: number) => InstantMs
  /** Breaks ties. */
  readonly id: (index: number) => number
}

export interface WheelOptions {
  readonly budgetPerCycle: number
  readonly cycleMs: DurationMs
  /** Cycle k is decided at startMs + k·cycleMs. */
  readonly startMs: InstantMs
  readonly firstThreshold?: number
  readonly rule?: ThresholdRule
}

/**
 * 2Steps without looking at every source in every cycle. It chooses what the scan of Algorithm 4.1 chooses
 * (two-steps-wheel.test.ts).
 *
 * A source is *asleep* in the bucket of the cycle in which it could first be chosen, or *saturated* in a heap. Between
 * two refreshes its utility is known for all times to come, and τ falls by θ per cycle at most, while b/(b − b_sat) only
 * raises it. So until the first n with U(t + n) ≥ τ·θ^(n−1) nobody need look. Most wake too early, because τ did not
 * fall, and go to sleep again. What wakes is checked exactly as the scan would.
 */
export class TwoStepsWheel {
  private readonly model: WheelModel
  private readonly options: WheelOptions
  private readonly rule: ThresholdRule
  private readonly logDecrease: number
  private readonly buckets: Int32Array
  private readonly next: Int32Array
  private readonly heap: SaturatedHeap
  private cycle = 0
  private tau: number
  /** How many sources were looked at so far; cost of the decisions. */
  woken = 0

  constructor(model: WheelModel, options: WheelOptions) {
    this.model = model
    this.options = options
    this.rule = options.rule ?? THESIS_THRESHOLD
    this.logDecrease = Math.log(this.rule.decrease)
    this.buckets = new Int32Array(BUCKETS).fill(NONE)
    this.next = new Int32Array(model.size).fill(NONE)
    this.tau = options.firstThreshold ?? 1
    this.heap = new SaturatedHeap({
      value: (index) => model.fullWindow(index) / model.cost(index),
      since: model.since,
      id: model.id,
    })
    for (let index = 0; index < model.size; index++) this.sleep(index)
  }

  get threshold(): number {
    return this.tau
  }

  /** Bytes of the wheel per source, the model apart. */
  static readonly BYTES_PER_SOURCE = 4

  /**
   * Decides the next cycle. The caller refreshes the chosen sources, updates their models and then says `sleep` for each
   * of them; until then they are nowhere.
   */
  decide(): number[] {
    const now = this.options.startMs + this.cycle * this.options.cycleMs
    const awake = this.wake(now)
    const budget = this.options.budgetPerCycle
    const chosen: number[] = []
    let spent = 0
    while (spent < budget && this.heap.size > 0) {
      const index = this.heap.pop()
      chosen.push(index)
      spent += this.model.cost(index)
    }
    const threshold = spent < budget ? raisedThreshold(this.tau, budget, spent) : Number.POSITIVE_INFINITY
    const waiting: number[] = []
    for (const index of awake) {
      const cost = this.model.cost(index)
      if (this.model.utility(index, now) >= threshold * cost) {
        chosen.push(index)
        spent += cost
      } else waiting.push(index)
    }
    this.tau = adjustThreshold(this.tau, spent, budget, this.rule)
    this.cycle++
    for (const index of waiting) this.sleep(index)
    return chosen
  }

  /** Puts a source to sleep until it could be chosen. */
  sleep(index: number): void {
    const wake = this.cycle + Math.min(BUCKETS - 1, this.cyclesUntilPossible(index))
    const bucket = wake & (BUCKETS - 1)
    this.next[index] = this.buckets[bucket]!
    this.buckets[bucket] = index
  }

  private wake(now: InstantMs): number[] {
    const bucket = this.cycle & (BUCKETS - 1)
    const awake: number[] = []
    let index = this.buckets[bucket]!
    this.buckets[bucket] = NONE
    while (index !== NONE) {
      const after = this.next[index]!
      this.woken++
      if (this.model.saturated(index, now)) this.heap.push(index)
      else awake.push(index)
      index = after
    }
    return awake
  }

  /** The first n ≥ 0 such that the source could be chosen in cycle `this.cycle` + n. */
  private cyclesUntilPossible(index: number): number {
    const { startMs, cycleMs } = this.options
    const nowMs = startMs + this.cycle * cycleMs
    // Wakes a little early rather than too late by rounding: it is then asked again.
    const full = Math.ceil((this.model.saturatedAt(index) - nowMs) / cycleMs - 1e-6)
    const most = Math.min(BUCKETS - 1, Math.max(0, full))
    const enough = this.tau * this.model.cost(index) * (1 - 1e-9)
    const possible = (n: number) =>
      this.model.utility(index, nowMs + n * cycleMs) >= enough * Math.exp(n * this.logDecrease)
    let high = 0
    for (let step = 1; high < most && !possible(high); step *= 2) high += step
    if (high >= most && !possible(most)) return most
    return firstPossible(Math.min(high, most), possible)
  }
}

// 8,192 cycles of 10 minutes are eight weeks; who sleeps longer wakes once in between.
const BUCKETS = 8_192
const NONE = -1

/** Smallest n ≤ high with possible(n), which stays true once it is. */
function firstPossible(high: number, possible: (n: number) => boolean): number {
  let low = -1
  let top = high
  while (top - low > 1) {
    const middle = (low + top) >> 1
    if (possible(middle)) top = middle
    else low = middle
  }
  return top
}
