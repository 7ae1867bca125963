import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../model/index.ts'
import {
  hourlyCounts,
  PATTERN_MS,
  type PostingClusters,
  readClusters,
  type SharedClusters,
} from '../../refresh/estimators/posting-clusters.ts'
import { jsonState, type NamedState } from '../../store/node-state.ts'
import type { History } from './history.ts'
import type { SharedLearning } from './shared-model-store.ts'

export interface ClustersLearningDeps {
  /** Where the estimator finds them. */
  readonly shared: SharedClusters
  /** Works them out of items by hour of the day, in another thread where there is one. */
  readonly learn: (counts: readonly (readonly number[])[]) => Promise<PostingClusters>
}

/** Of a source that is refreshed every five minutes 14 days have 4,032. */
const MOST_OBSERVATIONS = 4_100

interface SavedClusters {
  readonly learntAt: InstantMs
  readonly clusters: PostingClusters
}

/** null: none yet, or of another form. */
export const POSTING_CLUSTERS: NamedState<SavedClusters | null> = jsonState('posting-clusters', null, readSaved)

/**
 * SCC07's posting clusters, "at the beginning of each day" (4.2) from the last 14 days of the node's own sources. A younger
 * node takes what it has: a source counts from its first whole day on, or at once where its first window reaches back for
 * three days; with fewer than twelve that have shown a day every day is even.
 */
export function clustersLearning({ shared, learn }: ClustersLearningDeps): SharedLearning {
  // What the store refused, until it takes it.
  let unsaved: SavedClusters | null = null
  return {
    historyRange: (now) => ({ limit: MOST_OBSERVATIONS, since: now - PATTERN_MS }),
    async learn(histories, now) {
      shared.clusters = await learn(histories.map((history) => daysOf(history, now)))
      unsaved = { learntAt: now, clusters: shared.clusters }
    },
    async resume(store) {
      const saved = await store.state(POSTING_CLUSTERS)
      if (saved !== null) shared.clusters = saved.clusters
      return saved?.learntAt ?? null
    },
    async save(store) {
      if (unsaved !== null) await store.saveState(POSTING_CLUSTERS, unsaved)
      unsaved = null
    },
    // A node that has run with another strategy knows enough at once.
    firstMs: [0, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS],
    nextAt: (learntAt) => (Math.floor(learntAt / DAY_MS) + 1) * DAY_MS,
  }
}

/** Whole days laid over each other: hours of a day that is not over would count more than the others. */
function daysOf({ times, shownFrom }: Pick<History, 'times' | 'shownFrom'>, now: InstantMs): number[] {
  const days = Math.floor(Math.min(PATTERN_MS, now - shownFrom) / DAY_MS)
  return hourlyCounts(times, now - days * DAY_MS, now)
}

function readSaved(stored: unknown): SavedClusters | undefined {
  const { learntAt, clusters } = (stored ?? {}) as Partial<SavedClusters>
  const read = readClusters(clusters)
  return read !== null && learntAt !== undefined && Number.isFinite(learntAt) ? { learntAt, clusters: read } : undefined
}
