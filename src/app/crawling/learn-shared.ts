import { Worker } from 'node:worker_threads'
import type { LearntTables } from '../../crawler/shared/foresight-tables.ts'
import type { History } from '../../crawler/shared/history.ts'
import { learnPostingClusters, type PostingClusters } from '../../refresh/estimators/posting-clusters.ts'
import { learnTables } from '../../refresh/strategies/foresight/index.ts'
import { seededRandom } from '../../runtime/random.ts'

const SOURCES_PER_SHAPE = 15

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

/** Tables of some sources. */
export function learnSharedTables(histories: readonly History[]): LearntTables {
  const tables = learnTables(
    histories.map(({ habits }) => habits),
    seededRandom(1),
    {
      weekClusters: clustersOf(histories.length, 12),
      minuteClusters: clustersOf(histories.length, 8),
    },
  )
  return { tables }
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
