import { LeaseKeeper } from '../../cluster/lease-keeper.ts'
import type { DurationMs } from '../../model/index.ts'
import { runDividedQueries } from '../../query/divided-queries.ts'
import { type QueryDeps, runQueries } from '../../query/query-pipeline.ts'
import type { Clock } from '../../runtime/clock.ts'
import { silentLogger } from '../../runtime/logger.ts'
import type { Data, DataCluster, OpenedData } from '../data/opened-data.ts'
import { newMember } from '../member.ts'
import { createAccessReader, reviewOf } from '../users/access.ts'

const LOOK_EVERY_MS = 50

/** Fills new query feeds from the archive. A running matcher does it by itself; without one it is done here, under its lock. */
export async function catchUpNow(
  data: OpenedData,
  clock: Clock,
  leaseMs: DurationMs,
  onProgress: (share: number) => void = () => {},
): Promise<'by the node' | 'here'> {
  if (await data.locks.isTaken('matcher')) return 'by the node'
  const lock = data.locks.take(['matcher'])
  const stopping = new AbortController()
  try {
    const deps = { ...data, clock, review: reviewOf(createAccessReader(data.store)) }
    const running =
      data.cluster === null
        ? runQueries(deps, stopping.signal)
        : runAsMember(deps, data.cluster, leaseMs, stopping.signal)
    await Promise.race([running, caughtUp(data, clock, stopping.signal, onProgress)])
    stopping.abort()
    await running
  } finally {
    stopping.abort()
    lock.release()
  }
  return 'here'
}

/** A matcher may be started meanwhile: they share the work. */
async function runAsMember(
  deps: QueryDeps & Pick<Data, 'buffer'>,
  { leases: store, queryShards }: DataCluster,
  leaseMs: DurationMs,
  end: AbortSignal,
): Promise<void> {
  const { clock } = deps
  const member = newMember(['matcher'])
  const leases = new LeaseKeeper({ leases: store, member, role: 'matcher', clock, logger: silentLogger, leaseMs })
  const leasing = new AbortController()
  const keeping = leases.run(leasing.signal)
  try {
    await runDividedQueries({ ...deps, queryShards, leases }, end)
  } finally {
    leasing.abort()
    await keeping
  }
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
