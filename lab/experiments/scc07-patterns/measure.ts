import { entryAt } from '../../../src/model/entry-at.ts'
import type { Random } from '../../../src/model/index.ts'
import { type Clusters, kMeans } from '../../../src/refresh/estimators/index.ts'
import { countWithin, type HourOfDay, hoursOfDay, postingPattern, type WatchedSpan } from '../../analysis/index.ts'
import type { Trace } from '../../worlds/trace.ts'

/** Share of a source's items in each hour of the day; masked hours are absent. */
export type HourShares = readonly number[]

export interface Patterns {
  readonly hours: readonly number[]
  readonly patterns: readonly HourShares[]
}

/** The patterns of all sources with enough items in a span. */
export function sourcePatterns(
  trace: Trace,
  span: WatchedSpan,
  maskedHours: readonly number[],
  leastItems: number,
): Patterns {
  const patterns = trace.sources
    .filter(({ times }) => countWithin(times, span) >= leastItems)
    .map(({ times }) => postingPattern(hoursOfDay(times, span, maskedHours)))
    .filter((pattern) => pattern !== null)
  return { hours: hoursOfDay([], span, maskedHours).map(({ hour }) => hour), patterns }
}

/** Figure 10: the days of all sources laid over each other. */
export function pooledPattern(trace: Trace, span: WatchedSpan, maskedHours: readonly number[]): HourShares {
  const all = trace.sources.map(({ times }) => hoursOfDay(times, span, maskedHours))
  const sums = entryAt(all, 0).map(({ hour }, index): HourOfDay => {
    return { hour, mean: all.reduce((sum, hours) => sum + entryAt(hours, index).mean, 0), deviation: 0 }
  })
  return postingPattern(sums) ?? []
}

/** K-means from several seeds, the tightest kept: one start may end in a poor place. */
export function tightest(patterns: readonly HourShares[], k: number, starts: number, random: Random): Clusters {
  let best = kMeans(patterns, { k, random })
  for (let start = 1; start < starts; start++) {
    const next = kMeans(patterns, { k, random })
    if (next.inertia < best.inertia) best = next
  }
  return best
}

export interface SizedCluster {
  readonly sources: number
  readonly pattern: HourShares
}

/** Largest first. */
export function clustersBySize({ centroids, assignment }: Clusters): readonly SizedCluster[] {
  return centroids
    .map((pattern, cluster) => ({ sources: assignment.filter((assigned) => assigned === cluster).length, pattern }))
    .filter(({ sources }) => sources > 0)
    .sort((a, b) => b.sources - a.sources)
}

export function peakHour(hours: readonly number[], pattern: HourShares): number {
  return entryAt(hours, pattern.indexOf(Math.max(...pattern)))
}

/** Hours between two hours of the day, the short way round. */
export function hoursApart(a: number, b: number): number {
  const apart = Math.abs(a - b) % 24
  return Math.min(apart, 24 - apart)
}

/** The greatest share of a day's items in `width` hours one after the other; the day goes round. */
export function burst(pattern: HourShares, width: number): number {
  return Math.max(
    ...pattern.map((_, first) => {
      let share = 0
      for (let step = 0; step < width; step++) share += entryAt(pattern, (first + step) % pattern.length)
      return share
    }),
  )
}
