import { DAY_MS, type DurationMs } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { expectedAndCovered, type Intensity } from '../intensity.ts'
import { ADJUSTED_ALPHA, type AlphaRule, type AlphaState, adjustAlpha, startAlpha, warmWeight } from './alpha.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { MOST_PER_HOUR, type ObservedInterval, observedInterval, saneRate } from './interval.ts'

export interface PeriodicState {
  readonly v: 1
  readonly ratesPerHour: readonly number[]
  readonly alpha: AlphaState
}

export interface PeriodicOptions {
  readonly id?: string
  readonly periodMs?: DurationMs
  readonly slots?: number
  readonly alpha?: AlphaRule
  /** Lowest rate of a slot as a share of the mean rate. */
  readonly floorShare?: number
  /**
   * `whole`: a slot touched for a minute moves by the full α, as equation 7.3 is printed. `covered`: α counts for a slot
   * by the part of it that the interval covers, which keeps a single item in a short interval from shaking its slot.
   */
  readonly touched?: 'whole' | 'covered'
}

/**
 * Equation 7.3 is multiplicative: a slot at 0 would stay there, and a model "initialised at 0" divides 0 by 0. Slots
 * therefore keep this share of the mean rate, and never less than LEAST_PER_HOUR. The share bounds how long a slot that
 * wakes up again needs under long intervals; docs/decisions/0020 shows how little its size matters.
 */
const FLOOR_SHARE = 0.01
const LEAST_PER_HOUR = 1e-9

/** Periodic publication model, thesis 7.2.2: n slots over a period, by default the 24 hours of a day. */
export function periodic(options: PeriodicOptions = {}): IntensityEstimator<PeriodicState> {
  const model = periodicModel(options)
  const daily = model.slots === 24 && model.periodMs === DAY_MS
  return intensityEstimator<PeriodicState>({
    id: options.id ?? (daily ? 'periodic' : `periodic-${model.slots}`),
    start: (prior) => model.start(prior.ratePerHour),
    observe(state, observation) {
      const interval = observedInterval(observation)
      if (interval === null) return state
      return model.learn(state, interval, model.expected(state, interval))
    },
    intensity: (state) => model.intensity(state),
  })
}

/** The model without the estimator around it; the hybrid model (7.2.3) keeps one beside a single variable. */
export interface PeriodicModel {
  readonly periodMs: DurationMs
  readonly slots: number
  start(ratePerHour: number): PeriodicState
  expected(state: PeriodicState, interval: ObservedInterval): number
  /** `expected`: what the state expects of the interval, which the caller has found already. */
  learn(state: PeriodicState, interval: ObservedInterval, expected: number): PeriodicState
  intensity(state: PeriodicState): Intensity
}

export function periodicModel(options: PeriodicOptions = {}): PeriodicModel {
  const periodMs = options.periodMs ?? DAY_MS
  const slots = options.slots ?? 24
  const rule = options.alpha ?? ADJUSTED_ALPHA
  const floorShare = options.floorShare ?? FLOOR_SHARE
  const byCover = options.touched === 'covered'
  // Reused between calls: the part of each slot that the last interval covered. A caller that learns from an interval
  // has just asked what was expected of it, and the way through its slots is what costs.
  const covered = new Float64Array(slots)
  let coveredFrom = Number.NaN
  let coveredTo = Number.NaN
  const expectedOf = (ratesPerHour: readonly number[], { from, to }: ObservedInterval): number => {
    coveredFrom = from
    coveredTo = to
    return expectedAndCovered(ratesPerHour, periodMs, from, to, covered)
  }
  return {
    periodMs,
    slots,
    start(ratePerHour) {
      const rate = Math.max(LEAST_PER_HOUR, saneRate(ratePerHour))
      return { v: 1, ratesPerHour: new Array<number>(slots).fill(rate), alpha: startAlpha(rule) }
    },
    intensity: (state) => ({ periodMs, ratesPerHour: state.ratesPerHour }),
    expected: ({ ratesPerHour }, interval) => expectedOf(ratesPerHour, interval),
    learn(state, interval, expected) {
      const { from, to, items } = interval
      if (from !== coveredFrom || to !== coveredTo) expectedOf(state.ratesPerHour, interval)
      const alpha = adjustAlpha(rule, state.alpha, items - expected, (to - from) / periodMs)
      const warm = warmWeight(rule, state.alpha)
      // λ_j·x/Div of equation 7.3: the items seen, shared out in proportion to what was expected of each slot.
      const ratio = expected > 0 ? items / expected : 0
      const rates = state.ratesPerHour.slice()
      let sum = 0
      for (let slot = 0; slot < slots; slot++) {
        const share = covered[slot]!
        let rate = rates[slot]!
        if (share > 0) {
          const weight = Math.max(alpha.value * (byCover ? share : Math.ceil(share)), warm * share)
          rate = weight * rate * ratio + (1 - weight) * rate
          rates[slot] = rate
        }
        sum += rate
      }
      raiseToFloor(rates, sum, floorShare)
      return { v: 1, ratesPerHour: rates, alpha }
    },
  }
}

function raiseToFloor(rates: number[], sum: number, floorShare: number): void {
  const floor = Math.max(LEAST_PER_HOUR, (floorShare * sum) / rates.length)
  for (let slot = 0; slot < rates.length; slot++) {
    const rate = rates[slot]!
    // Most are: only what is too low, too high or no number is written.
    if (!(rate >= floor && rate <= MOST_PER_HOUR)) rates[slot] = Math.max(saneRate(rate), floor)
  }
}
