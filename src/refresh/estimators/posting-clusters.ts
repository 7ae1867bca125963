import type { Random } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import {
  type HistoryOptions,
  type HistoryState,
  historyLearning,
  historyRate,
  hourlyPattern,
  patterned,
} from './history.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { kMeans, nearest } from './kmeans.ts'

/** Share of a day's items in each of its 24 hours; sums to 1. */
export type PostingPattern = readonly number[]

/** Patterns found beyond 12 clusters "tend to be similar to others" (SCC07 4.3.1). */
export const CLUSTERS = 12

/** The representative patterns of a collection: the centroids of its sources' patterns (SCC07 4.3.1). */
export function learnPatterns(patterns: readonly PostingPattern[], random: Random, k = CLUSTERS): PostingPattern[] {
  return kMeans(patterns, { k, random }).centroids.map(normalised)
}

/**
 * SCC07 4.3.1: the rate is the source's own, the pattern that of the cluster nearest to it, so that a source of few
 * items borrows the day of the many that post like it.
 */
export function postingClusters(
  options: HistoryOptions & { readonly patterns?: readonly PostingPattern[] } = {},
): IntensityEstimator<HistoryState> {
  const patterns = options.patterns ?? usualPatterns()
  return intensityEstimator<HistoryState>({
    ...historyLearning(options),
    id: options.id ?? 'posting-clusters',
    intensity: (state) => patterned(historyRate(state), patterns[nearest(hourlyPattern(state), patterns)]!),
  })
}

/**
 * For a node that has not yet seen enough sources to learn patterns from: one that posts around the clock, and eleven
 * human days (a raised cosine of 16 hours) that begin at hours evenly spread over the day, one for each part of the world.
 */
export function usualPatterns(): PostingPattern[] {
  const around = normalised(new Array<number>(24).fill(1))
  const days = Array.from({ length: CLUSTERS - 1 }, (_, index) => {
    const noon = (index * 24) / (CLUSTERS - 1)
    return normalised(Array.from({ length: 24 }, (_unused, hour) => 0.1 + awake(hour + 0.5 - noon)))
  })
  return [around, ...days]
}

function awake(hoursFromNoon: number): number {
  const distance = Math.abs(((((hoursFromNoon + 12) % 24) + 24) % 24) - 12)
  return distance < 8 ? (1 + Math.cos((Math.PI * distance) / 8)) / 2 : 0
}

function normalised(pattern: readonly number[]): number[] {
  let sum = 0
  for (const share of pattern) sum += share
  return pattern.map((share) => (sum > 0 ? share / sum : 1 / pattern.length))
}
