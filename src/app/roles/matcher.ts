import { runDividedQueries } from '../../query/divided-queries.ts'
import { runQueries } from '../../query/query-pipeline.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { ShardLeases } from '../../store/shard-leases.ts'
import { rulesLayer } from '../rules/run-rules.ts'
import { reviewOf } from '../users/access.ts'
import { leasedLayers, whileLeased } from './leased-layers.ts'
import type { NodeRole, RoleContext } from './role.ts'

/** Asks the queries about every item, and publishes it in their feeds. */
export function matcherRole(ground: RoleContext): NodeRole {
  const { data, environment, access } = ground
  const { clock, logger } = environment
  const { store, buffer, notifier, cluster } = data
  const deps = {
    store,
    buffer,
    notifier,
    clock,
    review: reviewOf(access),
    // Else they are looked for every other second.
    onPublished: () => notifier.notify('deliveries'),
    onUnreadable: ({ name, text }: { readonly name: string; readonly text: string }) =>
      logger.warn({ feed: name, text }, 'query cannot be read; its feed stays as it is'),
  }
  const layerWith = (leases: ShardLeases | null): Layer => ({
    name: 'queries',
    run: (end) =>
      leases === null || cluster === null
        ? runQueries(deps, end)
        : runDividedQueries({ ...deps, queryShards: cluster.queryShards, leases }, end),
  })
  const rules = rulesLayer({ store, access }, clock)
  const layersWith = (leases: ShardLeases | null) => [
    layerWith(leases),
    leases === null ? rules : whileLeased(leases, 0, rules),
  ]
  return { layers: leasedLayers('matcher', ground, layersWith), close: async () => {} }
}
