import type { Refreshed } from '../crawler/pipeline.ts'
import { SECOND_MS, type SourceId } from '../model/index.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import { steady } from '../runtime/steady-clock.ts'
import { isLocked, lockDataFolder } from '../store/sqlite/lock.ts'
import type { Config } from './config.ts'
import { crawlerFor, type Environment, fetcherFor } from './crawling.ts'
import type { Data } from './data.ts'
import { openPoliteness } from './politeness.ts'

export interface RefreshProgress {
  readonly done: number
  readonly total: number
}

/**
 * Refreshes some sources at once, within politeness. A running node does it (and counts it against its budget);
 * without one this process crawls them itself, holding the same lock, so that never two fetch at a time. When the signal
 * aborts, requests under way are dropped and INTERRUPTED is thrown; a node that was asked goes on.
 */
export async function refreshNow(
  ids: readonly SourceId[],
  config: Config,
  data: Data,
  environment: Environment,
  onProgress: (progress: RefreshProgress) => void,
  signal: AbortSignal = new AbortController().signal,
): Promise<'by the node' | 'here'> {
  if (isLocked(config.dataDir)) {
    await askNode(ids, data, environment, onProgress, signal)
    return 'by the node'
  }
  const lock = lockDataFolder(config.dataDir)
  try {
    await crawlHere(ids, config, data, environment, onProgress, signal)
  } finally {
    lock.release()
  }
  return 'here'
}

async function askNode(
  ids: readonly SourceId[],
  data: Data,
  { clock }: Environment,
  onProgress: (progress: RefreshProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const askedAt = clock.now()
  await data.store.requestRefresh(ids, askedAt)
  const waiting = new Set(ids)
  while (waiting.size > 0) {
    for (const id of waiting) {
      const source = await data.store.source(id)
      if (source === null || (source.state.lastCheckAt ?? 0) >= askedAt) waiting.delete(id)
    }
    onProgress({ done: ids.length - waiting.size, total: ids.length })
    if (waiting.size === 0) return
    await clock.sleep(SECOND_MS / 4, signal)
    if (signal.aborted) throw interrupted(ids.length - waiting.size, ids.length)
  }
}

async function crawlHere(
  ids: readonly SourceId[],
  config: Config,
  data: Data,
  environment: Environment,
  onProgress: (progress: RefreshProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const stopping = new AbortController()
  const waiting = new Set(ids)
  const steadily = { ...environment, clock: steady(environment.clock) }
  const politeness = await openPoliteness(config, data.store, steadily.clock)
  const fetcher = fetcherFor(config, steadily.clock, politeness.resolve)
  const onRefreshed = ({ record }: Refreshed) => {
    waiting.delete(record.sourceId)
    onProgress({ done: ids.length - waiting.size, total: ids.length })
    if (waiting.size === 0) stopping.abort()
  }
  const crawler = crawlerFor(config, data, fetcher, steadily, {
    only: new Set(ids),
    onRefreshed,
    limits: politeness.limits,
  })
  await crawler.sync()
  crawler.askFor(ids)
  if (ids.length > 0) await crawler.run(AbortSignal.any([stopping.signal, signal]))
  await politeness.save()
  await fetcher.close()
  if (waiting.size > 0 && signal.aborted) throw interrupted(ids.length - waiting.size, ids.length)
}

/** What was refreshed before is stored. */
function interrupted(done: number, total: number): HeadwaterError {
  return new HeadwaterError('INTERRUPTED', `${done} of ${total} sources were refreshed`)
}
