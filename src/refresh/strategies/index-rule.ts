import { HOUR_MS } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { meanRatePerHour } from '../intensity.ts'
import type { PricedStrategy } from '../strategy.ts'
import { modelled } from './modelled.ts'

/** I(a) of refresh-science §1 for a homogeneous rate: grows with the age; a refresh is due when it reaches the price. */
export interface Index {
  at(ratePerHour: number, ageHours: number): number
  /** dI/da. */
  slopeAt(ratePerHour: number, ageHours: number): number
}

export function indexStrategy<State>(
  estimator: IntensityEstimator<State>,
  id: string,
  index: Index,
  because: string,
): PricedStrategy<State> {
  return modelled(estimator, {
    id,
    due(intensity, facts, price, from) {
      const hours = ageReaching(index, meanRatePerHour(intensity), (price * facts.cost) / facts.weight)
      return from + hours * HOUR_MS
    },
    priceOf: index.at,
    because,
  })
}

const LONGEST_HOURS = 24 * 365 * 10

/** Smallest age whose index reaches the target; Infinity if none does within ten years. */
function ageReaching(index: Index, ratePerHour: number, target: number): number {
  if (!(target > 0)) return 0
  if (!(ratePerHour > 0) || index.at(ratePerHour, LONGEST_HOURS) < target) return Number.POSITIVE_INFINITY
  return upToGrid(index, ratePerHour, target, roughAge(index, ratePerHour, target))
}

const MOST_STEPS = 60
/** The next step lands within the square of it. */
const NEAR = 1e-5

/** Newton's steps on logarithms, where an index is nearly straight, within what is known of either side. */
function roughAge(index: Index, ratePerHour: number, target: number): number {
  let low = 0
  let high = LONGEST_HOURS
  let age = Math.min(LONGEST_HOURS / 2, Math.sqrt((2 * target) / ratePerHour))
  for (let step = 0; step < MOST_STEPS; step++) {
    const value = index.at(ratePerHour, age)
    if (value < target) low = age
    else high = age
    const fall = Math.log(target / value) / ((age * index.slopeAt(ratePerHour, age)) / value)
    if (Math.abs(fall) < NEAR) return age * (1 + fall)
    const next = age * Math.exp(fall)
    age = next > low && next < high ? next : low > 0 ? Math.sqrt(low * high) : high / 2
  }
  return high
}

/** Below a billionth of the age. */
const GRID_BITS = 30
const GRID = 1e-9

/**
 * The first point of a grid of powers of two at which the target is reached: an answer that does not depend on how it
 * was come near to, so that a simulation gives the same figures when this gets quicker.
 */
function upToGrid(index: Index, ratePerHour: number, target: number, rough: number): number {
  const octave = 2 ** Math.ceil(Math.log2(rough))
  for (let width = octave / 2 ** GRID_BITS; ; width /= 2) {
    let age = Math.ceil(rough / width) * width
    while (index.at(ratePerHour, age) < target) age += width
    while (age > width && index.at(ratePerHour, age - width) >= target) age -= width
    if (width <= GRID * age) return age
  }
}
