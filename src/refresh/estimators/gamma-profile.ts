import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, WEEK_MS } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { eachSlot, type Intensity, slotAt } from '../intensity.ts'
import { decayGamma, type GammaState, meanRate, startGamma } from './gamma.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { type ObservedInterval, observedInterval } from './interval.ts'
import { meanGivenAtLeast } from './poisson.ts'

/** Items seen in each part of a day or week, and how many the rest of the model would have expected there. */
interface Factor {
  readonly seen: readonly number[]
  readonly expected: readonly number[]
}

export interface GammaProfileState {
  readonly v: 1
  /** λ ~ Gamma for the mean of the week. */
  readonly rate: GammaState
  readonly hours: Factor
  /** Monday first. */
  readonly days: Factor
}

export interface GammaProfileOptions {
  readonly id?: string
  readonly rateHalfLifeMs?: DurationMs
  readonly profileHalfLifeMs?: DurationMs
  /** Items' worth by which each hour and each day is held to the average until it has shown otherwise. */
  readonly shrinkItems?: number
}

// The epoch was a Thursday; days count from Monday.
const EPOCH_WEEKDAY = 3

/**
 * λ(t) = mean rate × hour of the day × day of the week, all of it conjugate: the mean is Gamma as in gamma.ts, each factor
 * is (items seen + κ)/(items expected without it + κ). Item dates say where items belong; without them they are shared out
 * in proportion to what was expected (equation 7.3). Only time really watched is exposure, so an overflowed window teaches
 * about the hours since its oldest item and no others.
 */
export function gammaProfile(options: GammaProfileOptions = {}): IntensityEstimator<GammaProfileState> {
  // Chosen on four traces (docs/decisions/0020-estimator-parameters.md); half or twice as much changes little.
  const { rateHalfLifeMs = 7 * DAY_MS, profileHalfLifeMs = 56 * DAY_MS, shrinkItems = 2 } = options
  return intensityEstimator<GammaProfileState>({
    id: options.id ?? 'gamma-profile',
    start: (prior) => ({ v: 1, rate: startGamma(prior.ratePerHour, 0.5), hours: noFactor(24), days: noFactor(7) }),
    observe(state, observation) {
      const interval = observedInterval(observation)
      if (interval === null) return state
      const factors = factorsOf(state, shrinkItems)
      const evidence = gather(interval, weekly(factors), factors)
      const old = decayGamma(state.rate, interval.hours, rateHalfLifeMs)
      const rate = { ...old, shape: old.shape + evidence.items, hours: old.hours + evidence.averageHours }
      const scale = meanRate(rate) / factors.ratePerHour
      const decay = 0.5 ** ((interval.hours * HOUR_MS) / profileHalfLifeMs)
      return {
        v: 1,
        rate,
        hours: learnFactor(state.hours, evidence.hours, scale, decay),
        days: learnFactor(state.days, evidence.days, scale, decay),
      }
    },
    intensity: (state) => weekly(factorsOf(state, shrinkItems)),
  })
}

interface Evidence {
  readonly items: number
  /** Exposure in hours of average activity: a night counts less than its length. */
  readonly averageHours: number
  readonly hours: Factor
  readonly days: Factor
}

function gather(interval: ObservedInterval, intensity: Intensity, factors: Factors): Evidence {
  const from = interval.saturated ? (interval.times[0] ?? interval.from) : interval.from
  const rates = intensity.ratesPerHour
  const hours = { seen: zeros(24), expected: zeros(24) }
  const days = { seen: zeros(7), expected: zeros(7) }
  const masses = new Map<number, number>()
  let total = 0
  eachSlot(WEEK_MS, rates.length, from, interval.to, (slot, coveredMs) => {
    const mass = (rates[slot]! * coveredMs) / HOUR_MS
    total += mass
    masses.set(slot, (masses.get(slot) ?? 0) + mass)
    add(hours.expected, hourOf(slot), mass / factors.hours[hourOf(slot)]!)
    add(days.expected, dayOf(slot), mass / factors.days[dayOf(slot)]!)
  })
  const items = itemsOf(interval, total)
  const count = (slot: number, share: number) => {
    add(hours.seen, hourOf(slot), share)
    add(days.seen, dayOf(slot), share)
  }
  if (interval.times.length > 0) for (const time of interval.times) count(slotOfWeek(time), 1)
  else if (items > 0) for (const [slot, mass] of masses) count(slot, (items * mass) / total)
  return { items, averageHours: total / factors.ratePerHour, hours, days }
}

function itemsOf(interval: ObservedInterval, expected: number): number {
  if (!interval.saturated) return interval.items
  if (interval.times.length > 0) return interval.times.length
  return Math.max(interval.items, meanGivenAtLeast(Math.floor(interval.fetchedItems), expected))
}

/** The model in force: mean rate and factors, each with a mean of 1. */
interface Factors {
  readonly ratePerHour: number
  readonly hours: readonly number[]
  readonly days: readonly number[]
}

function factorsOf(state: GammaProfileState, shrinkItems: number): Factors {
  return {
    // Never quite zero, so that shares of nothing are still shares.
    ratePerHour: Math.max(1e-9, meanRate(state.rate)),
    hours: relative(state.hours, shrinkItems),
    days: relative(state.days, shrinkItems),
  }
}

function relative({ seen, expected }: Factor, shrinkItems: number): number[] {
  const ratios = seen.map((items, part) => (items + shrinkItems) / (expected[part]! + shrinkItems))
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  return ratios.map((ratio) => ratio / mean)
}

function weekly({ ratePerHour, hours, days }: Factors): Intensity {
  const rates = new Array<number>(168)
  for (let slot = 0; slot < 168; slot++) rates[slot] = ratePerHour * hours[hourOf(slot)]! * days[dayOf(slot)]!
  return { periodMs: WEEK_MS, ratesPerHour: rates }
}

/** What was expected is measured with the rate as it is known now: a wrong prior must not look like a busy hour. */
function learnFactor(factor: Factor, news: Factor, scale: number, decay: number): Factor {
  return {
    seen: factor.seen.map((items, part) => short(items * decay + news.seen[part]!)),
    expected: factor.expected.map((items, part) => short(items * decay + news.expected[part]! * scale)),
  }
}

function noFactor(parts: number): Factor {
  return { seen: zeros(parts), expected: zeros(parts) }
}

/** Four decimals keep a stored state short. */
function short(value: number): number {
  return Math.round(value * 1e4) / 1e4
}

function slotOfWeek(at: InstantMs): number {
  return slotAt(WEEK_MS, 168, at)
}

function hourOf(slot: number): number {
  return slot % 24
}

function dayOf(slot: number): number {
  return (Math.floor(slot / 24) + EPOCH_WEEKDAY) % 7
}

function zeros(count: number): number[] {
  return new Array<number>(count).fill(0)
}

function add(values: number[], index: number, amount: number): void {
  values[index] = values[index]! + amount
}
