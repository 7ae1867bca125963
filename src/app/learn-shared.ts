import { Worker } from 'node:worker_threads'
import type { History, Learnt } from '../crawler/shared-tables.ts'
import { DAY_MS, type SourceId } from '../model/index.ts'
import { findSiblings, learnTables } from '../refresh/strategies/foresight/index.ts'
import { seededRandom } from '../runtime/random.ts'

/** Comparing all pairs of thousands would take minutes and gigabytes. */
const MOST_COMPARED = 500
const SOURCES_PER_SHAPE = 15
/** Before that, chance finds siblings everywhere. */
const LEAST_WATCHED_MS = 3 * DAY_MS

/** Tables and siblings of some sources. The seed is always the same: the same histories give the same tables. */
export function learnShared(histories: readonly History[]): Learnt {
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

/** In a thread of its own, so that nothing waits for it; threads load compiled files, from sources (tests) it runs here. */
export async function learnSharedBeside(histories: readonly History[]): Promise<Learnt> {
  if (!import.meta.url.endsWith('.js')) return learnShared(histories)
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./learn-shared-worker.js', import.meta.url), { workerData: histories })
    worker.once('message', (learnt: Learnt) => resolve(learnt))
    worker.once('error', reject)
    worker.once('exit', (code) => code !== 0 && reject(new Error(`the thread for shared tables ended with ${code}`)))
  })
}

/**
 * Over days that all of them were watched: an item seen in one feed and not looked for in another says nothing. The busiest
 * are the ones whose common bursts can be told from chance.
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
  return found.map(({ source, by }) => ({ source: compared[source]!.id, by: compared[by]!.id }))
}
