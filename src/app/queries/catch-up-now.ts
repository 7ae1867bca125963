import { runQueries } from '../../query/pipeline.ts'
import type { Clock } from '../../runtime/clock.ts'
import { isLocked, lockDataFolder } from '../../store/sqlite/lock.ts'
import type { Config } from '../config.ts'
import type { Data } from '../data.ts'

const LOOK_EVERY_MS = 50

/** Fills new query feeds from the archive. A running node does it by itself; without one it is done here, under its lock. */
export async function catchUpNow(config: Config, data: Data, clock: Clock): Promise<'by the node' | 'here'> {
  if (isLocked(config.dataDir)) return 'by the node'
  const lock = lockDataFolder(config.dataDir)
  const stopping = new AbortController()
  try {
    const running = runQueries({ ...data, clock }, stopping.signal)
    await Promise.race([running, caughtUp(data, clock, stopping.signal)])
    stopping.abort()
    await running
  } finally {
    stopping.abort()
    lock.release()
  }
  return 'here'
}

async function caughtUp({ store }: Data, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if ((await store.queryFeeds()).every(({ catchUpAfter }) => catchUpAfter === null)) return
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
}
