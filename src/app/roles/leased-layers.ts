import { LeaseKeeper } from '../../cluster/lease-keeper.ts'
import type { LeasedRole } from '../../cluster/lease-store.ts'
import type { Shard } from '../../model/index.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { ShardLeases } from '../../store/shard-leases.ts'
import type { RoleContext } from './role.ts'

/**
 * Layers of a role whose work several processes on the same data share by leases. Leases are kept up until the layers have
 * ended. Data that one process alone can have needs none: then `leases` is null, and the layers run as they are.
 */
export function leasedLayers(
  role: LeasedRole,
  ground: RoleContext,
  layersWith: (leases: ShardLeases | null) => readonly Layer[],
): readonly Layer[] {
  const { config, data, member, environment, health } = ground
  if (data.cluster === null) return layersWith(null)
  const { clock, logger } = environment
  const { leases } = data.cluster
  const keeper = new LeaseKeeper({ leases, member, role, clock, logger, leaseMs: config.lease })
  const layers = layersWith(keeper)
  const run = async (end: AbortSignal) => {
    const leasing = new AbortController()
    const keeping = keeper.run(leasing.signal)
    try {
      await Promise.all(layers.map((layer) => health.supervisor.run(layer, end)))
    } finally {
      leasing.abort()
      await keeping
    }
  }
  return [{ name: `${role} leases`, run }]
}

/** A layer that one process runs at a time: whoever has this shard. */
export function whileLeased(leases: ShardLeases, shard: Shard, layer: Layer): Layer {
  return { ...layer, run: (end, succeeded) => runWhileLeased(leases, shard, layer, end, succeeded) }
}

async function runWhileLeased(
  leases: ShardLeases,
  shard: Shard,
  { run }: Layer,
  end: AbortSignal,
  succeeded: () => void,
): Promise<void> {
  let work: Promise<unknown> = Promise.resolve()
  const leaveAlone = leases.onLeave(async (leaving) => void (leaving.has(shard) && (await work)))
  try {
    while (!end.aborted) {
      await untilOwned(leases, shard, end)
      if (end.aborted) break
      const lost = new AbortController()
      const stopWatching = leases.onChange(() => leases.current().has(shard) || lost.abort())
      if (!leases.current().has(shard)) lost.abort()
      const running = run(AbortSignal.any([end, lost.signal]), succeeded)
      work = running.catch(() => {})
      await running.finally(stopWatching)
    }
  } finally {
    leaveAlone()
  }
}

function untilOwned(leases: ShardLeases, shard: Shard, end: AbortSignal): Promise<void> {
  if (leases.current().has(shard) || end.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      stopWatching()
      end.removeEventListener('abort', done)
      resolve()
    }
    const stopWatching = leases.onChange(() => void (leases.current().has(shard) && done()))
    end.addEventListener('abort', done, { once: true })
  })
}
