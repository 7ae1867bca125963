import type { InstantMs } from '../../src/model/index.ts'
import type { IntensityEstimator } from '../../src/refresh/estimator.ts'
import {
  hourlyCounts,
  learnPostingClusters,
  type PostingClusters,
  type PostingClustersState,
  postingClusters,
} from '../../src/refresh/estimators/posting-clusters.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import type { SimWorld } from '../simulator/world.ts'

/** The days that the sources of a world have in common, and what each of them published by hour. */
export interface DailyPatterns {
  readonly clusters: PostingClusters
  readonly counts: readonly (readonly number[])[]
}

/** SCC07 4.3.1 on the learning days, by what a node learns each night. */
export function learnDailyPatterns(world: SimWorld, untilMs: InstantMs, seed: number): DailyPatterns {
  const counts = world.sources.map(({ times }) => hourlyCounts(times, Number.NEGATIVE_INFINITY, untilMs))
  return { clusters: learnPostingClusters(counts, seededRandom(seed)), counts }
}

/**
 * The estimator of a node, with what the learning days said of each source: its pattern is chosen again each day, or
 * stays as the learning phase gave it (4.4).
 */
export function learntEstimator(
  { clusters, counts }: DailyPatterns,
  choice: 'daily' | 'stays',
): IntensityEstimator<PostingClustersState> {
  return postingClusters({ clusters }, { knownOf: (id) => counts[id], choice })
}
