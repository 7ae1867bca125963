import { runQueries } from '../../query/query-pipeline.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Data, OpenedData } from '../data/opened-data.ts'
import { createAccessReader, reviewOf } from '../users/access.ts'

const LOOK_EVERY_MS = 50

/** Fills new query feeds from the archive. A running matcher does it by itself; without one it is done here, under its lock. */
export async function catchUpNow(
  data: OpenedData,
  clock: Clock,
  onProgress: (share: number) => void = () => {},
): Promise<'by the node' | 'here'> {
  if (await data.locks.isTaken('matcher')) return 'by the node'
  const lock = data.locks.take(['matcher'])
  const stopping = new AbortController()
  try {
    const running = runQueries({ ...data, clock, review: reviewOf(createAccessReader(data.store)) }, stopping.signal)
    await Promise.race([running, caughtUp(data, clock, stopping.signal, onProgress)])
    stopping.abort()
    await running
  } finally {
    stopping.abort()
    lock.release()
  }
  return 'here'
}

async function caughtUp(
  { store }: Data,
  clock: Clock,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  let first: number | null = null
  while (!signal.aborted) {
    const waiting = (await store.queryFeeds()).flatMap(({ catchUpAfter }) => catchUpAfter ?? [])
    if (waiting.length === 0) return
    const reached = waiting.reduce((least, after) => Math.min(least, after))
    first ??= reached
    onProgress((reached - first) / Math.max(1, (await store.lastItemSeq()) - first))
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
}
