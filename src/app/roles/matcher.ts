import type { QueryDeps } from '../../query/query-pipeline.ts'
import { runQueries } from '../../query/query-pipeline.ts'
import { reviewOf } from '../users/access.ts'
import type { NodeRole, RoleContext } from './role.ts'

/** Asks the queries about every item, and publishes it in their feeds. */
export function matcherRole({ data, environment, access }: RoleContext): NodeRole {
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
  return { layers: [{ name: 'queries', run: (end) => runQueries(deps, end) }], close: async () => {} }
}
