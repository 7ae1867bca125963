import { DAY_MS } from '../../src/model/index.ts'
import { kMeans } from '../../src/refresh/estimators/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { type CollectedSource, countWithin, hoursOfDay, postingPattern, type WatchedSpan } from './index.ts'

const LEAST_ITEMS = 10

export interface PatternCluster {
  readonly sources: number
  readonly share: number
  /** Share of a day's items in each hour that is not masked. */
  readonly pattern: readonly { readonly hour: number; readonly share: number }[]
}

/**
 * Posting-pattern clusters (SCC07 4.3.1): K-means over the 24 shares of each source in the first two weeks, K = 12,
 * largest cluster first. Sources with fewer than ten items in these weeks are left out: 24 shares of so few are mostly
 * chance, and each makes a cluster of its own. The seed is fixed.
 */
export function patternClusters(
  collection: readonly CollectedSource[],
  span: WatchedSpan,
  maskedHours: readonly number[] = [],
  k = 12,
): readonly PatternCluster[] {
  const from = Math.ceil(span.from / DAY_MS) * DAY_MS
  const weeks = { from, to: from + 14 * DAY_MS }
  const hours = hoursOfDay([], weeks, maskedHours).map(({ hour }) => hour)
  const patterns = collection
    .filter(({ times }) => countWithin(times, weeks) >= LEAST_ITEMS)
    .map(({ times }) => postingPattern(hoursOfDay(times, weeks, maskedHours)))
    .filter((pattern) => pattern !== null)
  if (patterns.length === 0) return []
  const { centroids, assignment } = kMeans(patterns, { k, random: seededRandom(1) })
  return centroids
    .map((centroid, cluster) => {
      const sources = assignment.filter((assigned) => assigned === cluster).length
      const pattern = hours.map((hour, index) => ({ hour, share: centroid[index] ?? 0 }))
      return { sources, share: sources / patterns.length, pattern }
    })
    .filter(({ sources }) => sources > 0)
    .sort((a, b) => b.sources - a.sources)
}
