import { type DiskSpace, ENDLESS_DISK } from '../../crawler/disk-space.ts'
import type { SourceRefresh } from '../../crawler/pipeline.ts'
import { SECOND_MS, type SourceId } from '../../model/index.ts'
import { createAlarms } from '../../runtime/alarms.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { steady } from '../../runtime/steady-clock.ts'
import { createDiskSpaceWatch } from '../data/disk-watch.ts'
import type { Data, OpenedData } from '../data/opened-data.ts'
import type { Environment } from '../environment.ts'
import type { Config } from '../settings/config.ts'
import { crawlerFor, fetcherFor } from './crawling.ts'
import { openPoliteness } from './politeness.ts'

export interface RefreshProgress {
  readonly done: number
  readonly total: number
}

/** Polled so often while refreshes are under way or waited for. */
const LOOK_EVERY_MS = 2 * SECOND_MS
const READ_AT_ONCE = 500

/** Whether what is fetched can be stored, for callers that fetch without a node or wait for one. */
interface DiskCheck {
  readonly disk: DiskSpace
  /** Throws FETCHING_PAUSED where it cannot. */
  demand(): Promise<void>
}

function openDiskCheck(config: Config, { disk }: Pick<OpenedData, 'disk'>, { clock }: Environment): DiskCheck {
  if (disk === null) return { disk: ENDLESS_DISK, demand: async () => {} }
  const alarms = createAlarms({ clock })
  const room = createDiskSpaceWatch({ disk, maxBytes: () => config.maxData, alarms, clock, onWritable: null })
  const demand = async () => {
    await room.look()
    const [alarm] = alarms.list()
    if (!room.hasSpace() && alarm !== undefined)
      throw new HeadwaterError('FETCHING_PAUSED', `${alarm.summary} (${alarm.detail})`)
  }
  return { disk: room, demand }
}

/**
 * Refreshes some sources at once, within politeness. A running crawler does it (and counts it against its budget);
 * without one this process crawls them itself, holding its lock, so that never two fetch at a time. When the signal
 * aborts, requests under way are dropped and INTERRUPTED is thrown; a node that was asked goes on. FETCHING_PAUSED is thrown where there is no disk space to keep anything,
 * also when that comes to pass meanwhile.
 */
export async function refreshNow(
  ids: readonly SourceId[],
  config: Config,
  data: OpenedData,
  environment: Environment,
  onProgress: (progress: RefreshProgress) => void,
  signal: AbortSignal = new AbortController().signal,
): Promise<'by the node' | 'here'> {
  const check = openDiskCheck(config, data, environment)
  await check.demand()
  if (await data.locks.isTaken('crawler')) {
    await askNode(ids, data, environment, check, onProgress, signal)
    return 'by the node'
  }
  const lock = data.locks.take(['crawler'])
  try {
    await crawlHere(ids, config, data, environment, check, onProgress, signal)
  } finally {
    lock.release()
  }
  return 'here'
}

async function askNode(
  ids: readonly SourceId[],
  data: Data,
  { clock }: Environment,
  check: DiskCheck,
  onProgress: (progress: RefreshProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const askedAt = clock.now()
  await data.store.requestRefresh(ids, askedAt)
  const waiting = new Set(ids)
  let lookedAt = clock.monotonicMs()
  while (waiting.size > 0) {
    const left = [...waiting]
    for (let from = 0; from < left.length; from += READ_AT_ONCE) {
      const some = left.slice(from, from + READ_AT_ONCE)
      const sources = await data.store.sourcesById(some)
      for (const id of some) {
        const source = sources.get(id)
        if (source === undefined || (source.state.lastCheckAt ?? 0) >= askedAt) waiting.delete(id)
      }
    }
    onProgress({ done: ids.length - waiting.size, total: ids.length })
    if (waiting.size === 0) return
    if (clock.monotonicMs() - lookedAt > LOOK_EVERY_MS) {
      await check.demand()
      lookedAt = clock.monotonicMs()
    }
    await clock.sleep(SECOND_MS / 4, signal)
    if (signal.aborted) throw interrupted(ids.length - waiting.size, ids.length)
  }
}

async function crawlHere(
  ids: readonly SourceId[],
  config: Config,
  data: Data,
  environment: Environment,
  check: DiskCheck,
  onProgress: (progress: RefreshProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const stopping = new AbortController()
  const waiting = new Set(ids)
  const steadily = { ...environment, clock: steady(environment.clock) }
  const politeness = await openPoliteness(config, data.store, steadily.clock)
  const fetcher = fetcherFor(config, steadily.clock, politeness.resolve)
  const onRefreshed = ({ record }: SourceRefresh) => {
    waiting.delete(record.sourceId)
    onProgress({ done: ids.length - waiting.size, total: ids.length })
    if (waiting.size === 0) stopping.abort()
  }
  const crawler = crawlerFor(config, data, fetcher, steadily, {
    only: new Set(ids),
    onRefreshed,
    limits: politeness.limits,
    disk: check.disk,
  })
  await crawler.sync()
  crawler.requestRefresh(ids)
  const end = AbortSignal.any([stopping.signal, signal])
  const watching = watchDisk(check, steadily.clock, end).finally(() => stopping.abort())
  if (ids.length > 0) await crawler.run(end)
  stopping.abort()
  await politeness.save()
  await fetcher.close()
  await watching
  if (waiting.size > 0 && signal.aborted) throw interrupted(ids.length - waiting.size, ids.length)
}

/** Until the signal aborts; throws when there is no disk space any more. */
async function watchDisk(check: DiskCheck, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal)
    if (!signal.aborted) await check.demand()
  }
}

/** What was refreshed before is stored. */
function interrupted(done: number, total: number): HeadwaterError {
  return new HeadwaterError('INTERRUPTED', `${done} of ${total} sources were refreshed`)
}
