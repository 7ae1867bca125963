import { DAY_MS, HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import type { IntensityEstimator } from '../../src/refresh/estimator.ts'
import { learnPatterns } from '../../src/refresh/estimators/index.ts'
import { intensityEstimator } from '../../src/refresh/estimators/intensity-estimator.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { publishedBy, type SimWorld } from '../simulator/world.ts'
import { observeRolling, type RollingRate, rollingPerHour, startRolling } from './rolling-rate.ts'

/**
 * SCC07 as its section 4 runs it: the rate comes from the last 14 days, learnt again all the time (4.2); the pattern is
 * one of 12 clusters (4.3.1), either as learnt in the learning phase (4.4) or chosen anew each day from the last weeks.
 */
export interface Learnt {
  readonly v: 1
  readonly recent: RollingRate
  /** Recent items by hour of the day, older ones counting less; null where the pattern stays. */
  readonly hours: readonly number[] | null
  /** Share of a day's items in each hour. */
  readonly pattern: readonly number[]
}

const FLAT: readonly number[] = new Array<number>(24).fill(1 / 24)

/** `relearn`: the pattern is chosen anew each day; else it stays what the learning phase gave. */
export function learntEstimator({ clusters, counts }: DailyPatterns, relearn: boolean): IntensityEstimator<Learnt> {
  const choose = mostLikelyOf(clusters)
  const begins = counts.map(choose)
  return intensityEstimator<Learnt>({
    id: 'history-with-clusters',
    start: ({ at, sourceId }) => ({
      v: 1,
      recent: startRolling(at),
      hours: relearn ? (counts[sourceId ?? -1] ?? new Array<number>(24).fill(0)) : null,
      pattern: begins[sourceId ?? -1] ?? FLAT,
    }),
    observe(state, observation) {
      const recent = observeRolling(state.recent, observation)
      if (state.hours === null || observation.previousAt === null) return { ...state, recent }
      const days = recent.day - state.recent.day
      if (days === 0 && observation.itemTimes.length === 0) return { ...state, recent }
      const hours = withItems(state.hours, days, observation.itemTimes)
      return { v: 1, recent, hours, pattern: days > 0 ? choose(hours) : state.pattern }
    },
    intensity: ({ recent, pattern }) => {
      const perDay = 24 * rollingPerHour(recent)
      const ratesPerHour = new Array<number>(24)
      for (let hour = 0; hour < 24; hour++) ratesPerHour[hour] = perDay * pattern[hour]!
      return { periodMs: DAY_MS, ratesPerHour }
    },
  })
}

// Counts fade over about three weeks.
const FADE_PER_DAY = 0.95

function withItems(hours: readonly number[], days: number, times: readonly InstantMs[]): number[] {
  const fade = days > 0 ? FADE_PER_DAY ** days : 1
  const counts = hours.slice()
  if (days > 0) for (let hour = 0; hour < counts.length; hour++) counts[hour]! *= fade
  for (const time of times) {
    const hours = Math.floor(time / HOUR_MS)
    counts[hours - 24 * Math.floor(hours / 24)]! += 1
  }
  return counts
}

/** The patterns of a collection, and which of them each source begins with. */
export interface DailyPatterns {
  readonly clusters: readonly (readonly number[])[]
  readonly counts: readonly (readonly number[])[]
}

/** SCC07 4.3.1: hourly patterns of the learning days, grouped into 12; a flat day for those that fit none. */
export function learnDailyPatterns(world: SimWorld, untilMs: InstantMs, seed: number): DailyPatterns {
  const counts = world.sources.map(({ times }) => hourlyCounts(times, untilMs))
  const busy = counts.filter((hours) => sum(hours) >= CLUSTERED_FROM).map(sharesOf)
  const centroids = busy.length >= CLUSTERS ? learnPatterns(busy, seededRandom(seed)) : []
  // A twentieth of a flat day keeps hours that a cluster never saw from being impossible.
  const clusters = [FLAT, ...centroids.map((pattern) => pattern.map((share) => 0.95 * share + 0.05 / 24))]
  return { clusters, counts }
}

const CLUSTERS = 12
// Fewer items than hours tell nothing of a day.
const CLUSTERED_FROM = 24

type Choose = (counts: readonly number[]) => readonly number[]

/** The pattern under which the counts are likeliest. Logarithms are taken once: this runs daily for every source. */
function mostLikelyOf(patterns: readonly (readonly number[])[]): Choose {
  const logs = patterns.map((pattern) => Float64Array.from(pattern, Math.log))
  return (counts) => {
    let best = 0
    let most = Number.NEGATIVE_INFINITY
    for (let index = 0; index < logs.length; index++) {
      const log = logs[index]!
      let likelihood = 0
      for (let hour = 0; hour < log.length; hour++) likelihood += counts[hour]! * log[hour]!
      if (likelihood > most) {
        most = likelihood
        best = index
      }
    }
    return patterns[best]!
  }
}

function hourlyCounts(times: Float64Array, untilMs: InstantMs): number[] {
  const counts = new Array<number>(24).fill(0)
  const end = publishedBy(times, untilMs - 1)
  for (let index = 0; index < end; index++) {
    const hour = Math.floor(times[index]! / HOUR_MS) % 24
    counts[hour] = counts[hour]! + 1
  }
  return counts
}

function sharesOf(counts: readonly number[]): number[] {
  const total = sum(counts)
  return counts.map((count) => (total > 0 ? count / total : 1 / 24))
}

function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}
