import { DAY_MS, HOUR_MS } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { constantIntensity } from '../intensity.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { observedInterval, saneRate } from './interval.ts'

export interface BoundsState {
  readonly v: 1
  /** Items and hours watched, the older the less. */
  readonly items: number
  readonly hours: number
}

export interface BoundsOptions {
  readonly id?: string
  /** One-sided confidence of the bound. */
  readonly confidence?: 0.8 | 0.9 | 0.95 | 0.99
  readonly side?: 'upper' | 'lower'
  readonly halfLifeMs?: number
}

const NORMAL_QUANTILE = { 0.8: 0.8416, 0.9: 1.2816, 0.95: 1.6449, 0.99: 2.3263 }
const PRIOR_HOURS = 12

/**
 * Conservative bounds (thesis 5.3.3, [OP08]): instead of the likeliest divergence, a bound that it rarely passes. The
 * upper one refreshes a little too early while little is known, and less so the more is; [OP08] bounds a page's change
 * profile point by point, we bound the Poisson rate behind it, the older the observation the less it counts.
 */
export function conservativeBounds(options: BoundsOptions = {}): IntensityEstimator<BoundsState> {
  const { confidence = 0.9, side = 'upper', halfLifeMs = 14 * DAY_MS } = options
  return intensityEstimator<BoundsState>({
    id: options.id ?? 'conservative-bounds',
    start: (prior) => ({ v: 1, items: saneRate(prior.ratePerHour) * PRIOR_HOURS, hours: PRIOR_HOURS }),
    observe(state, observation) {
      const interval = observedInterval(observation)
      if (interval === null) return state
      const decay = 0.5 ** ((interval.hours * HOUR_MS) / halfLifeMs)
      // What is left after a pause longer than memory still counts as a minute, so that the bound stays finite.
      return {
        v: 1,
        items: state.items * decay + interval.items,
        hours: Math.max(1 / 60, state.hours * decay + interval.hours),
      }
    },
    intensity(state) {
      const bounds = rateBounds(state.items, state.hours, NORMAL_QUANTILE[confidence])
      return constantIntensity(saneRate(side === 'upper' ? bounds.upper : bounds.lower))
    },
  })
}

/** Garwood's bounds on a Poisson rate, by Wilson and Hilferty's cube-root approximation of χ² (within 1 %, n ≥ 1). */
export function rateBounds(items: number, hours: number, normalQuantile: number): { lower: number; upper: number } {
  const quantile = (shape: number, z: number) => {
    const ninth = 1 / (9 * shape)
    return shape * Math.max(0, 1 - ninth + z * Math.sqrt(ninth)) ** 3
  }
  return {
    lower: items > 0 ? quantile(items, -normalQuantile) / hours : 0,
    upper: quantile(items + 1, normalQuantile) / hours,
  }
}
