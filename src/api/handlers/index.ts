import type { Handlers } from '../routes.ts'
import { addressRuleHandlers } from './address-rules.ts'
import { alertHandlers } from './alerts.ts'
import { auditHandlers } from './audit.ts'
import { clusterHandlers } from './cluster.ts'
import type { HandlerDeps } from './deps.ts'
import { followHandlers } from './follows.ts'
import { hubHandlers } from './hub.ts'
import { iconHandlers } from './icons.ts'
import { itemHandlers } from './items.ts'
import { letterHandlers } from './letters.ts'
import { listingHandlers } from './listings.ts'
import { movingHandlers } from './moving.ts'
import { networkHandlers } from './network.ts'
import { nodeHandlers } from './node.ts'
import { queryHandlers } from './query-feeds.ts'
import { ruleHandlers } from './rules.ts'
import { sessionHandlers, userHandlers } from './session.ts'
import { siteRuleHandlers } from './site-rules.ts'
import { sourceHandlers } from './sources.ts'
import { subscriptionHandlers } from './subscriptions.ts'
import { tokenHandlers } from './tokens.ts'

export function createHandlers(deps: HandlerDeps): Handlers {
  return {
    ...sessionHandlers(deps),
    ...userHandlers(deps),
    ...tokenHandlers(deps),
    ...sourceHandlers(deps),
    ...iconHandlers(deps),
    ...listingHandlers(deps),
    ...letterHandlers(deps),
    ...addressRuleHandlers(deps),
    ...movingHandlers(deps),
    ...ruleHandlers(deps),
    ...itemHandlers(deps),
    ...siteRuleHandlers(deps),
    ...queryHandlers(deps),
    ...followHandlers(deps),
    ...subscriptionHandlers(deps),
    ...hubHandlers(deps),
    ...nodeHandlers(deps),
    ...clusterHandlers(deps),
    ...networkHandlers(deps),
    ...auditHandlers(deps),
    ...alertHandlers(deps),
  }
}
