import { HOUR_MS } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { meanRatePerHour } from '../intensity.ts'
import type { PricedStrategy } from '../strategy.ts'
import { modelled } from './modelled.ts'

/** I(a) of refresh-science §1 for a homogeneous rate: grows with the age; a refresh is due when it reaches the price. */
export type Index = (ratePerHour: number, ageHours: number) => number

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
    priceOf: index,
    because,
  })
}

const LONGEST_HOURS = 24 * 365 * 10

/** Smallest age whose index reaches the target; Infinity if none does within ten years. */
function ageReaching(index: Index, ratePerHour: number, target: number): number {
  if (!(target > 0)) return 0
  if (!(ratePerHour > 0) || index(ratePerHour, LONGEST_HOURS) < target) return Number.POSITIVE_INFINITY
  let low = 0
  let high = 1
  while (index(ratePerHour, high) < target) {
    low = high
    high *= 2
  }
  while (high - low > 1e-9 * high) {
    const middle = (low + high) / 2
    if (index(ratePerHour, middle) < target) low = middle
    else high = middle
  }
  return high
}
