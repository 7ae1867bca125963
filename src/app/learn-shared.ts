import { Worker } from 'node:worker_threads'
import type { History, Learnt } from '../crawler/shared-tables.ts'
import type { SourceId } from '../model/index.ts'
import { findSiblings, learnTables } from '../refresh/strategies/foresight/index.ts'
import { seededRandom } from '../runtime/random.ts'

/** Comparing all pairs of thousands would take minutes and gigabytes. */
const MOST_COMPARED = 500

/** Tables and siblings of some sources. The seed is always the same: the same histories give the same tables. */
export function learnShared(histories: readonly History[]): Learnt {
  const tables = learnTables(
    histories.map(({ times }) => times),
    seededRandom(1),
  )
  return { tables, siblings: siblingsOf(histories) }
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

/** The busiest are the ones whose common bursts can be told from chance. */
function siblingsOf(histories: readonly History[]): { source: SourceId; by: SourceId }[] {
  const compared = [...histories].sort((a, b) => b.times.length - a.times.length).slice(0, MOST_COMPARED)
  const found = findSiblings(compared.map(({ times }) => times))
  return found.map(({ source, by }) => ({ source: compared[source]!.id, by: compared[by]!.id }))
}
