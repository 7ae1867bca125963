import { Worker } from 'node:worker_threads'
import type { LearntTables } from '../../crawler/shared/foresight-tables.ts'
import type { History } from '../../crawler/shared/history.ts'
import { entryAt } from '../../model/entry-at.ts'
import { DAY_MS, type SourceId } from '../../model/index.ts'
import { learnPostingClusters, type PostingClusters } from '../../refresh/estimators/posting-clusters.ts'
import { findSiblings, learnTables } from '../../refresh/strategies/foresight/index.ts'
import { seededRandom } from '../../runtime/random.ts'

/** Comparing all pairs of thousands would take minutes and gigabytes. */
const MOST_COMPARED = 500
const SOURCES_PER_SHAPE = 15
/** Before that, chance finds siblings everywhere. */
const LEAST_WATCHED_MS = 3 * DAY_MS

/** What is computed beside the node. */
export type SharedTask =
  | { readonly kind: 'tables'; readonly histories: readonly History[] }
  | { readonly kind: 'clusters'; readonly counts: readonly (readonly number[])[] }

/** The seed is always the same: the same histories give the same answer. */
export function runSharedTask(task: SharedTask): LearntTables | PostingClusters {
  return task.kind === 'tables' ? learnSharedTables(task.histories) : learnClusters(task.counts)
}

export function learnClusters(counts: readonly (readonly number[])[]): PostingClusters {
  return learnPostingClusters(counts, seededRandom(1))
}

/** Tables and siblings of some sources. */
export function learnSharedTables(histories: readonly History[]): LearntTables {
  const tables = learnTables(
    histories.map(({ habits }) => habits),
    seededRandom(1),
    {
      weekClusters: clustersOf(histories.length, 12),
      minuteClusters: clustersOf(histories.length, 8),
    },
  )
  return { tables, siblings: siblingsOf(histories) }
}

/** A shape that few sources stand behind is their chance, not their habit. */
function clustersOf(sources: number, most: number): number {
  return Math.max(1, Math.min(most, Math.floor(sources / SOURCES_PER_SHAPE)))
}

export async function learnSharedBeside(histories: readonly History[]): Promise<LearntTables> {
  return (await beside({ kind: 'tables', histories })) as LearntTables
}

export async function learnClustersBeside(counts: readonly (readonly number[])[]): Promise<PostingClusters> {
  return (await beside({ kind: 'clusters', counts })) as PostingClusters
}

/** In a thread of its own, so that nothing waits for it; threads load compiled files, from sources (tests) it runs here. */
async function beside(task: SharedTask): Promise<LearntTables | PostingClusters> {
  if (!import.meta.url.endsWith('.js')) return runSharedTask(task)
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./learn-shared-worker.js', import.meta.url), { workerData: task })
    worker.once('message', (learnt: LearntTables | PostingClusters) => resolve(learnt))
    worker.once('error', reject)
    worker.once('exit', (code) => code !== 0 && reject(new Error(`the thread for shared tables ended with ${code}`)))
  })
}

/**
 * Over days that all of them were watched: an item seen in one feed and not looked for in another says nothing. The busiest
 * are the ones whose common bursts can be distinguished from chance.
 */
function siblingsOf(histories: readonly History[]): { source: SourceId; by: SourceId }[] {
  const begins = histories.map(({ watchedFrom }) => watchedFrom).sort((a, b) => a - b)
  const since = begins[Math.floor(0.75 * begins.length)]
  const until = Math.max(...histories.map(({ times }) => times.at(-1) ?? 0))
  if (since === undefined || until - since < LEAST_WATCHED_MS) return []
  const compared = histories
    .filter(({ watchedFrom }) => watchedFrom <= since)
    .map(({ id, times }) => ({ id, times: times.filter((time) => time >= since) }))
    .sort((a, b) => b.times.length - a.times.length)
    .slice(0, MOST_COMPARED)
  const found = findSiblings(compared.map(({ times }) => times))
  return found.map(({ source, by }) => ({ source: entryAt(compared, source).id, by: entryAt(compared, by).id }))
}
