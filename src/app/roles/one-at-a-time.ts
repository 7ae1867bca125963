import { LeaseKeeper } from '../../cluster/lease-keeper.ts'
import type { LeasedRole } from '../../cluster/lease-store.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { RoleContext } from './role.ts'

/** A role that is not divided is one shard. */
const WHOLE = 0

/**
 * Layers of a role that several processes on the same data may have, and one of them runs at a time: two matchers would do
 * the same work, and two publishers send everything twice. The others wait, and one of them goes on when that one is gone.
 * Data that one process alone can have needs none of it.
 */
export function oneAtATime(role: LeasedRole, layers: readonly Layer[], ground: RoleContext): readonly Layer[] {
  const { config, data, member, environment, health } = ground
  if (data.cluster === null) return layers
  const { clock, logger } = environment
  const { leases } = data.cluster
  const keeper = new LeaseKeeper({ leases, member, role, clock, logger, leaseMs: config.lease })
  const work = (signal: AbortSignal) => Promise.all(layers.map((layer) => health.supervisor.run(layer, signal)))
  return [
    { name: `${role} lease`, healthyAfterMs: null, run: (end, succeeded) => runLeased(keeper, work, end, succeeded) },
  ]
}

type Work = (signal: AbortSignal) => Promise<unknown>

async function runLeased(keeper: LeaseKeeper, work: Work, end: AbortSignal, succeeded: () => void): Promise<void> {
  const leasing = new AbortController()
  const keeping = keeper.run(leasing.signal)
  let working: Promise<unknown> = Promise.resolve()
  const leaveAlone = keeper.onLeave(async () => void (await working))
  try {
    while (!end.aborted) {
      const lost = new AbortController()
      await untilHeld(keeper, end)
      if (end.aborted) break
      const stopWatching = keeper.onChange(() => keeper.current().has(WHOLE) || lost.abort())
      succeeded()
      if (!keeper.current().has(WHOLE)) lost.abort()
      working = work(AbortSignal.any([end, lost.signal]))
      await working
      stopWatching()
    }
  } finally {
    leaveAlone()
    leasing.abort()
    await keeping
  }
}

function untilHeld(keeper: LeaseKeeper, end: AbortSignal): Promise<void> {
  if (keeper.current().has(WHOLE) || end.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      stopWatching()
      end.removeEventListener('abort', done)
      resolve()
    }
    const stopWatching = keeper.onChange(() => void (keeper.current().has(WHOLE) && done()))
    end.addEventListener('abort', done, { once: true })
  })
}
