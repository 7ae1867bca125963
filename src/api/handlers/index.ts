import type { Handlers } from '../routes.ts'
import { auditHandlers } from './audit.ts'
import type { HandlerDeps } from './deps.ts'
import { followHandlers } from './follows.ts'
import { itemHandlers } from './items.ts'
import { nodeHandlers } from './node.ts'
import { queryHandlers } from './query-feeds.ts'
import { sessionHandlers, userHandlers } from './session.ts'
import { sourceHandlers } from './sources.ts'
import { subscriptionHandlers } from './subscriptions.ts'
import { tokenHandlers } from './tokens.ts'

export function createHandlers(deps: HandlerDeps): Handlers {
  return {
    ...sessionHandlers(deps),
    ...userHandlers(deps),
    ...tokenHandlers(deps),
    ...sourceHandlers(deps),
    ...itemHandlers(deps),
    ...queryHandlers(deps),
    ...followHandlers(deps),
    ...subscriptionHandlers(deps),
    ...nodeHandlers(deps),
    ...auditHandlers(deps),
  }
}
