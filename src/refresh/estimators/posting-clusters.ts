import { DAY_MS, HOUR_MS, type InstantMs, type Observation, type Random, type SourceId } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import type { Intensity } from '../intensity.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { kMeans } from './kmeans.ts'
import { observeRolling, ROLLING_DAYS, type RollingRate, rollingPerHour, startRolling } from './rolling-rate.ts'

/** Share of a day's items in each of its 24 hours (UTC); sums to 1. */
export type DayShares = readonly number[]

/** The days that sources have in common (SCC07 4.3.1). Plain values, so that they can be stored. */
export interface PostingClusters {
  readonly v: 1
  /** The even day first, for sources that fit no other. */
  readonly patterns: readonly DayShares[]
}

/** Where an estimator finds the clusters in force: the learner replaces `clusters`. */
export interface SharedClusters {
  clusters: PostingClusters
}

/** Patterns found beyond 12 clusters "tend to be similar to others" (SCC07 4.3.1). */
const CLUSTERS = 12
/** Items of so many days are laid over each other: more does not help (SCC07 4.3). */
export const PATTERN_MS = ROLLING_DAYS * DAY_MS
// Fewer items than hours say nothing about a day.
const CLUSTERED_FROM = 24

const HOURS = 24
const EVEN_DAY: DayShares = new Array<number>(HOURS).fill(1 / HOURS)

/** Until sources have shown some: every hour alike. */
export const NO_CLUSTERS: PostingClusters = { v: 1, patterns: [EVEN_DAY] }

/**
 * The representative days of a collection: the centroids of its sources' days, each given as items by hour. With fewer than
 * twelve sources that have shown a day there are none but the even one.
 */
export function learnPostingClusters(counts: readonly (readonly number[])[], random: Random): PostingClusters {
  const shares = counts.filter((hours) => sum(hours) >= CLUSTERED_FROM).map(sharesOf)
  if (shares.length < CLUSTERS) return NO_CLUSTERS
  const centroids = kMeans(shares, { k: CLUSTERS, random }).centroids.map(sharesOf)
  // A twentieth of an even day keeps hours that a cluster never saw from being impossible.
  return { v: 1, patterns: [EVEN_DAY, ...centroids.map((day) => day.map((share) => 0.95 * share + 0.05 / HOURS))] }
}

/** Items by hour of the day (UTC), of dates in [from, to), which ascend or not. */
export function hourlyCounts(times: Iterable<InstantMs>, from: InstantMs, to: InstantMs): number[] {
  const counts = new Array<number>(HOURS).fill(0)
  for (const time of times) if (time >= from && time < to) counts[hourOf(time)]! += 1
  return counts
}

export interface PostingClustersState {
  readonly v: 1
  readonly recent: RollingRate
  /** Recent items by hour of the day, older ones counting less; null where the pattern stays. */
  readonly hours: readonly number[] | null
  readonly pattern: DayShares
}

export interface PostingClustersOptions {
  /** Items by hour of the day that are known of a source beforehand. */
  readonly knownOf?: (id: SourceId) => readonly number[] | undefined
  /** `daily`: chosen again each day. `stays`: what was known beforehand decides for good. */
  readonly choice?: 'daily' | 'stays'
}

/**
 * SCC07 as its section 4 runs it, in the lab and in a node: the rate is the source's own, of the last 14 days (4.2); the
 * pattern is that of the cluster under which its hours are likeliest (4.3.1), so that a source of few items borrows the day
 * of the many that post like it. It is chosen "at the beginning of each day", from the clusters in force then.
 */
export function postingClusters(
  shared: Readonly<SharedClusters> = { clusters: NO_CLUSTERS },
  { knownOf = () => undefined, choice = 'daily' }: PostingClustersOptions = {},
): IntensityEstimator<PostingClustersState> {
  const choose = (hours: readonly number[]) => likeliest(shared.clusters, hours)
  return {
    ...intensityEstimator<PostingClustersState>({
      id: 'posting-clusters',
      start({ at, ratePerHour, sourceId }) {
        const hours = knownOf(sourceId ?? -1) ?? NO_ITEMS
        const recent = startRolling(at, ratePerHour)
        return { v: 1, recent, hours: choice === 'daily' ? hours : null, pattern: choose(hours) }
      },
      observe(state, observation) {
        const recent = observeRolling(state.recent, observation)
        const { hours: before, pattern } = state
        if (before === null || observation.previousAt === null) return { v: 1, recent, hours: before, pattern }
        const days = recent.day - state.recent.day
        if (days === 0 && observation.itemTimes.length === 0) return { v: 1, recent, hours: before, pattern }
        const hours = withItems(before, days, observation)
        return { v: 1, recent, hours, pattern: days === 0 ? pattern : choose(hours) }
      },
      intensity: ({ recent, pattern }) => new DayOf(rollingPerHour(recent), pattern),
    }),
    stateForm: '2',
    describe: ({ pattern }) => ({ cluster: clusterName(shared.clusters, pattern) }),
  }
}

/** Many ask for the mean rate alone: the rates of the hours are computed when somebody reads them. */
class DayOf implements Intensity {
  readonly periodMs = DAY_MS
  readonly meanPerHour: number
  readonly shape: DayShares
  private rates: Float64Array | null = null

  constructor(meanPerHour: number, pattern: DayShares) {
    this.meanPerHour = meanPerHour
    this.shape = pattern
  }

  get ratesPerHour(): Float64Array {
    if (this.rates !== null) return this.rates
    const perDay = HOURS * this.meanPerHour
    const rates = new Float64Array(HOURS)
    for (let hour = 0; hour < HOURS; hour++) rates[hour] = perDay * this.shape[hour]!
    this.rates = rates
    return rates
  }
}

const NO_ITEMS: readonly number[] = new Array<number>(HOURS).fill(0)

// Counts fade to half in about 14 days.
const FADE_PER_DAY = 0.95

function withItems(hours: readonly number[], days: number, { itemTimes }: Observation): number[] {
  const fade = days > 0 ? FADE_PER_DAY ** days : 1
  const counts = hours.slice()
  if (days > 0) for (let hour = 0; hour < HOURS; hour++) counts[hour]! *= fade
  for (let index = 0; index < itemTimes.length; index++) counts[hourOf(itemTimes[index]!)]! += 1
  return counts
}

/** Logarithms are taken once: sources choose daily. */
const logarithms = new WeakMap<PostingClusters, readonly Float64Array[]>()

function likeliest(clusters: PostingClusters, counts: readonly number[]): DayShares {
  const { patterns } = clusters
  let logs = logarithms.get(clusters)
  if (logs === undefined) {
    logs = patterns.map((pattern) => Float64Array.from(pattern, Math.log))
    logarithms.set(clusters, logs)
  }
  let best = 0
  let most = Number.NEGATIVE_INFINITY
  for (let index = 0; index < logs.length; index++) {
    const log = logs[index]!
    let likelihood = 0
    for (let hour = 0; hour < HOURS; hour++) likelihood += counts[hour]! * log[hour]!
    if (likelihood > most) {
      most = likelihood
      best = index
    }
  }
  return patterns[best]!
}

/** For people. A source that was not refreshed today still has the day it chose before. */
function clusterName({ patterns }: PostingClusters, pattern: DayShares): string {
  const index = patterns.findIndex((one) => one.every((share, hour) => share === pattern[hour]))
  if (index < 0) return 'of an earlier night'
  return index === 0 ? 'none: an even day' : `${index} of ${patterns.length - 1}`
}

/** As they were stored; null: none, or of another form. */
export function readClusters(value: unknown): PostingClusters | null {
  const { v, patterns } = (value ?? {}) as Partial<PostingClusters>
  const isDay = (day: unknown) => Array.isArray(day) && day.length === HOURS && day.every((share) => share > 0)
  return v === 1 && Array.isArray(patterns) && patterns.length > 0 && patterns.every(isDay) ? { v, patterns } : null
}

function hourOf(time: InstantMs): number {
  const hours = Math.floor(time / HOUR_MS)
  return hours - HOURS * Math.floor(hours / HOURS)
}

function sharesOf(counts: readonly number[]): number[] {
  const total = sum(counts)
  return counts.map((count) => (total > 0 ? count / total : 1 / counts.length))
}

function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}
