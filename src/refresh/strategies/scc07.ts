import { DAY_MS, HOUR_MS, type InstantMs } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { type Intensity, meanRatePerHour } from '../intensity.ts'
import type { PricedStrategy, SourceFacts } from '../strategy.ts'
import { modelStrategy } from './modelled.ts'
import { stepPattern } from './scc07-pattern.ts'
import { EVERYDAY, type Plan, refinedPlan } from './scc07-plan.ts'

/**
 * SCC07 Theorem 1: retrievals ∝ √(wλ). With the price μ of a request, wλa²/2 = μc gives the interval a = √(2μc/(wλ));
 * the paper's k is 1/√(2μ). (Its D(O) = λT/(2m) counts λ per period; the minimiser is the same.)
 */
function allocatedIntervalHours(ratePerHour: number, facts: SourceFacts, price: number): number {
  const worth = facts.weight * ratePerHour
  return worth > 0 ? Math.sqrt((2 * price * facts.cost) / worth) : Number.POSITIVE_INFINITY
}

const priceOfUtility = (ratePerHour: number, intervalHours: number) => (ratePerHour * intervalHours ** 2) / 2

/** *Resource allocation only* (SCC07 4.4): as many retrievals as Theorem 1 gives, evenly spaced. */
export function scc07Allocation<State>(estimator: IntensityEstimator<State>): PricedStrategy<State> {
  return modelStrategy(estimator, {
    id: 'scc07-allocation',
    due: (intensity, facts, price, from) =>
      from + allocatedIntervalHours(meanRatePerHour(intensity), facts, price) * HOUR_MS,
    priceOf: priceOfUtility,
    because: 'requests are shared out by the root of the posting rate',
  })
}

/** *Retrieval scheduling only*: equally many for every source, at the best moments of its day. Price: mean interval, hours. */
export function scc07Scheduling<State>(estimator: IntensityEstimator<State>): PricedStrategy<Daily<State>> {
  const planOf = planner()
  return modelStrategy(daily(estimator), {
    id: 'scc07-scheduling',
    timetable: true,
    due: (intensity, facts, price, from) => nextRetrieval(intensity, facts, price * facts.cost, from, planOf),
    priceOf: (_ratePerHour, intervalHours) => intervalHours,
    because: 'at the moments of its day that keep postings waiting least',
  })
}

/** *Combined*: Theorem 1 says how often, Theorem 3 says when. */
export function scc07Combined<State>(estimator: IntensityEstimator<State>): PricedStrategy<Daily<State>> {
  const planOf = planner()
  return modelStrategy(daily(estimator), {
    id: 'scc07-combined',
    timetable: true,
    due: (intensity, facts, price, from) =>
      nextRetrieval(intensity, facts, allocatedIntervalHours(meanRatePerHour(intensity), facts, price), from, planOf),
    priceOf: priceOfUtility,
    because: 'requests are shared out by the root of the posting rate, at the best moments of its day',
  })
}

/** What is learnt, and what the timetable of the day was made from. */
export interface Daily<State> {
  readonly learnt: State
  readonly planned: State
  readonly day: number
}

/**
 * "At the beginning of each day" (SCC07 4.2): the timetable must not move with every observation, or a point of the old
 * one would soon be followed by a point of the new one.
 */
export function daily<State>(estimator: IntensityEstimator<State>): IntensityEstimator<Daily<State>> {
  return {
    id: estimator.id,
    stateForm: `${estimator.stateForm ?? '1'}-daily`,
    start(prior) {
      const first = estimator.start(prior)
      return { learnt: first, planned: first, day: Math.floor(prior.at / DAY_MS) }
    },
    observe(state, observation) {
      const learnt = estimator.observe(state.learnt, observation)
      const day = Math.floor(observation.at / DAY_MS)
      return { learnt, planned: day === state.day ? state.planned : learnt, day }
    },
    expected: (state, from, to) => estimator.expected(state.learnt, from, to),
    ratePerHour: (state, at) => estimator.ratePerHour(state.learnt, at),
    reaches: (state, from, items) => estimator.reaches(state.learnt, from, items),
    intensity: (state) => estimator.intensity(state.planned),
    ...(estimator.describe === undefined ? {} : { describe: (state) => estimator.describe!(state.planned) }),
  }
}

/** For a timetable of so many periods. */
type PlanOf = (intensity: Intensity, periods: number, points: number) => Plan

/**
 * Plans are costly, depend only on the shape of a day, and many sources share one (SCC07 4.3.1): remembered by shape and
 * number of points. The most recent shapes are kept.
 */
function planner(): PlanOf {
  const known = new Map<number, Plan>()
  const planOf: PlanOf = (intensity, periods, points) => {
    const several = periods === 1 ? intensity : repeated(intensity, periods)
    const key = shapeHash(several) * (MOST_PER_PERIOD + 1) + points
    let plan = known.get(key)
    if (plan === undefined) {
      if (known.size >= MOST_PLANS) known.clear()
      known.set(key, (plan = refinedPlan(stepPattern(several), points, EVERYDAY)))
    }
    return plan
  }
  return lastShape(planOf)
}

/** Most often one source asks again and its shape is the same value: then the shape need not be compared. */
function lastShape(ask: PlanOf): PlanOf {
  let shape: Intensity['shape']
  const plans = new Map<number, Plan>()
  return (intensity, periods, points) => {
    if (intensity.shape === undefined) return ask(intensity, periods, points)
    if (intensity.shape !== shape) {
      shape = intensity.shape
      plans.clear()
    }
    const key = periods * (MOST_PER_PERIOD + 1) + points
    let plan = plans.get(key)
    if (plan === undefined) plans.set(key, (plan = ask(intensity, periods, points)))
    return plan
  }
}

const MOST_PLANS = 100_000

/** Two 21-bit halves of the shares of the slots, each to a ten-thousandth: equal for shapes that cannot be distinguished. */
function shapeHash(intensity: Intensity): number {
  const rates = intensity.ratesPerHour
  let total = 0
  for (let slot = 0; slot < rates.length; slot++) total += rates[slot]!
  const scale = total > 0 ? 10_000 / total : 0
  let low = 0x811c9dc5
  let high = 0x9e3779b9
  for (let slot = 0; slot < rates.length; slot++) {
    const share = Math.round(rates[slot]! * scale)
    low = Math.imul(low ^ share, 0x01000193)
    high = Math.imul(high ^ (share + slot), 0x85ebca6b)
  }
  return ((low >>> 11) ^ (rates.length << 3)) * 0x200000 + (high >>> 11)
}

// Beyond one retrieval every three minutes moments no longer matter, and plans would grow without bound.
const MOST_PER_PERIOD = 480

/**
 * The paper has m whole retrievals per period. Any mean number is met by periods with ⌊m⌋ and ⌈m⌉ retrievals; a small
 * fractional m is better served by a timetable for several days, in which it is nearly whole. Fewer than one in so many
 * days is one in every 1/m: Theorem 2 gives the same best moment of the day whatever number of days the period has.
 */
function nextRetrieval(
  intensity: Intensity,
  facts: SourceFacts,
  intervalHours: number,
  from: InstantMs,
  planOf: PlanOf,
): InstantMs {
  if (!Number.isFinite(intervalHours)) return Number.POSITIVE_INFINITY
  const flat = (intensity.shape ?? intensity.ratesPerHour).length === 1
  const perPeriod = (flat ? DAY_MS : intensity.periodMs) / (intervalHours * HOUR_MS)
  if (flat || perPeriod > MOST_PER_PERIOD) return from + intervalHours * HOUR_MS
  if (perPeriod <= 1 / LONGEST_TIMETABLE) {
    const period = Math.floor(from / intensity.periodMs)
    const gap = Math.floor(1 / perPeriod + turn(period, facts.id))
    return momentOf(period + gap, planOf(intensity, 1, 1)[0]!, intensity.periodMs)
  }
  const lasting = timetablePeriods(perPeriod)
  const periodMs = lasting * intensity.periodMs
  for (let at = Math.floor(from / periodMs); ; at++) {
    const count = Math.floor(perPeriod * lasting + turn(at, facts.id))
    if (count === 0) continue
    const moment = firstAfter(from, at, planOf(intensity, lasting, count), periodMs)
    if (moment !== null) return moment
  }
}

/** By halving: a day may have hundreds of points. */
function firstAfter(from: InstantMs, period: number, plan: Plan, periodMs: number): InstantMs | null {
  let low = 0
  let high = plan.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (momentOf(period, plan[middle]!, periodMs) > from) high = middle
    else low = middle + 1
  }
  return low < plan.length ? momentOf(period, plan[low]!, periodMs) : null
}

const LONGEST_TIMETABLE = 4

/** Days that one timetable covers: one where m is whole or large, else enough to hold about four retrievals. */
function timetablePeriods(perPeriod: number): number {
  if (Math.abs(perPeriod - Math.round(perPeriod)) < 1e-3 || perPeriod >= 4) return 1
  return perPeriod >= 2 ? 2 : LONGEST_TIMETABLE
}

function repeated(intensity: Intensity, times: number): Intensity {
  const once = intensity.ratesPerHour
  const ratesPerHour = new Array<number>(once.length * times)
  for (let slot = 0; slot < ratesPerHour.length; slot++) ratesPerHour[slot] = once[slot % once.length]!
  return { periodMs: intensity.periodMs * times, ratesPerHour }
}

function momentOf(period: number, hour: number, periodMs: number): InstantMs {
  return Math.round(period * periodMs + hour * HOUR_MS)
}

/** Evenly spread over [0, 1) as periods pass, and over sources; so ⌊m + turn⌋ is m on average, also while m changes. */
function turn(period: number, id: number): number {
  return (period * 0.618034 + id * 0.754878) % 1
}
