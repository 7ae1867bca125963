import { DAY_MS, HOUR_MS, type InstantMs } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { type Intensity, meanRatePerHour } from '../intensity.ts'
import type { PricedStrategy, SourceFacts } from '../strategy.ts'
import { modelled } from './modelled.ts'
import { stepPattern } from './scc07-pattern.ts'
import { EVERYDAY, type Plan, refinedPlan } from './scc07-plan.ts'

/**
 * SCC07 Theorem 1: retrievals ∝ √(wλ). With the price μ of a request, wλa²/2 = μc gives the interval a = √(2μc/(wλ));
 * the paper's k is 1/√(2μ). (Its D(O) = λT/(2m) counts λ per period; the minimiser is the same.)
 */
export function allocatedIntervalHours(ratePerHour: number, facts: SourceFacts, price: number): number {
  const worth = facts.weight * ratePerHour
  return worth > 0 ? Math.sqrt((2 * price * facts.cost) / worth) : Number.POSITIVE_INFINITY
}

const priceOfUtility = (ratePerHour: number, intervalHours: number) => (ratePerHour * intervalHours ** 2) / 2

/** *Resource allocation only* (SCC07 4.4): as many retrievals as Theorem 1 gives, evenly spaced. */
export function scc07Allocation<State>(estimator: IntensityEstimator<State>): PricedStrategy<State> {
  return modelled(estimator, {
    id: 'scc07-allocation',
    due: (intensity, facts, price, from) =>
      from + allocatedIntervalHours(meanRatePerHour(intensity), facts, price) * HOUR_MS,
    priceOf: priceOfUtility,
    because: 'requests are shared out by the root of the posting rate',
  })
}

/** *Retrieval scheduling only*: equally many for every source, at the best moments of its day. Price: mean interval, hours. */
export function scc07Scheduling<State>(estimator: IntensityEstimator<State>): PricedStrategy<State> {
  const planOf = planner()
  return modelled(estimator, {
    id: 'scc07-scheduling',
    timetable: true,
    due: (intensity, facts, price, from) => nextRetrieval(intensity, facts, price * facts.cost, from, planOf),
    priceOf: (_ratePerHour, intervalHours) => intervalHours,
    because: 'at the moments of its day that keep postings waiting least',
  })
}

/** *Combined*: Theorem 1 says how often, Theorem 3 says when. */
export function scc07Combined<State>(estimator: IntensityEstimator<State>): PricedStrategy<State> {
  const planOf = planner()
  return modelled(estimator, {
    id: 'scc07-combined',
    timetable: true,
    due: (intensity, facts, price, from) =>
      nextRetrieval(intensity, facts, allocatedIntervalHours(meanRatePerHour(intensity), facts, price), from, planOf),
    priceOf: priceOfUtility,
    because: 'requests are shared out by the root of the posting rate, at the best moments of its day',
  })
}

type PlanOf = (intensity: Intensity, points: number) => Plan

/** Plans are costly and a learnt pattern is asked for the same ones again and again. */
function planner(): PlanOf {
  const known = new WeakMap<ArrayLike<number>, Map<number, Plan>>()
  return (intensity, points) => {
    let plans = known.get(intensity.ratesPerHour)
    if (plans === undefined) known.set(intensity.ratesPerHour, (plans = new Map()))
    let plan = plans.get(points)
    if (plan === undefined) plans.set(points, (plan = refinedPlan(stepPattern(intensity), points, EVERYDAY)))
    return plan
  }
}

// Beyond one retrieval every three minutes moments no longer matter, and plans would grow without bound.
const MOST_PER_PERIOD = 480
const MOST_PERIODS = 4_000

/**
 * The paper has m whole retrievals per period. Any mean number is met by periods with ⌊m⌋ and ⌈m⌉ retrievals in even
 * turn. Fewer than one per period is one in every 1/m periods: Theorem 2 gives the same best moment of the day whatever
 * number of days the period has.
 */
function nextRetrieval(
  intensity: Intensity,
  facts: SourceFacts,
  intervalHours: number,
  from: InstantMs,
  planOf: PlanOf,
): InstantMs {
  const rates = intensity.ratesPerHour
  if (!Number.isFinite(intervalHours)) return Number.POSITIVE_INFINITY
  const flat = rates.length === 1
  const periodMs = flat ? DAY_MS : intensity.periodMs
  const perPeriod = periodMs / (intervalHours * HOUR_MS)
  if (flat || perPeriod > MOST_PER_PERIOD) return from + intervalHours * HOUR_MS
  // Spreads sources that have the same fraction over the days.
  const offset = (facts.id * 0.618034) % 1
  const begun = Math.floor(from / periodMs)
  for (let period = begun; period < begun + MOST_PERIODS; period++) {
    const count = Math.floor((period + 1) * perPeriod + offset) - Math.floor(period * perPeriod + offset)
    if (count === 0) continue
    for (const hour of planOf(intensity, count)) {
      const at = Math.round(period * periodMs + hour * HOUR_MS)
      if (at > from) return at
    }
  }
  return Number.POSITIVE_INFINITY
}
