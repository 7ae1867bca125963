import type { QueryDeps } from '../../query/query-pipeline.ts'
import { runQueries } from '../../query/query-pipeline.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { reviewOf } from '../users/access.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { NodeRole, RoleContext } from './role.ts'

/** Asks the queries about every item, and publishes it in their feeds. */
export function matcherRole(ground: RoleContext): NodeRole {
  const { data, environment, access } = ground
  const { clock, logger } = environment
  const { store, buffer, notifier } = data
  const deps: QueryDeps = {
    store,
    buffer,
    notifier,
    clock,
    review: reviewOf(access),
    // Else they are looked for every other second.
    onPublished: () => notifier.notify('deliveries'),
    onUnreadable: ({ name, text }) =>
      logger.warn({ feed: name, text }, 'query cannot be read; its feed stays as it is'),
  }
  const queries: Layer = { name: 'queries', run: (end) => runQueries(deps, end) }
  return { layers: oneAtATime('matcher', [queries], ground), close: async () => {} }
}
