import { addressRuleOperations } from './address-rules.ts'
import { alertOperations } from './alerts.ts'
import { auditOperations } from './audit.ts'
import { clusterOperations } from './cluster.ts'
import { followOperations } from './follows.ts'
import { hubOperations } from './hub.ts'
import { iconOperations } from './icons.ts'
import { itemOperations } from './items.ts'
import { letterOperations } from './letters.ts'
import { listingOperations } from './listings.ts'
import { movingOperations } from './moving.ts'
import { networkOperations } from './network.ts'
import { labOperations, nodeOperations } from './node.ts'
import type { Operation } from './operation.ts'
import { queryOperations, subscriptionOperations } from './queries.ts'
import { ruleOperations } from './rules.ts'
import { sessionOperations, tokenOperations, userOperations } from './session.ts'
import { siteRuleOperations } from './site-rules.ts'
import { sourceOperations } from './sources.ts'

/** The whole wire contract: routes, `/api/openapi.json` and the contract tests are made from this table. */
export const OPERATIONS = {
  ...sessionOperations,
  ...userOperations,
  ...tokenOperations,
  ...sourceOperations,
  ...iconOperations,
  ...listingOperations,
  ...letterOperations,
  ...addressRuleOperations,
  ...movingOperations,
  ...ruleOperations,
  ...itemOperations,
  ...siteRuleOperations,
  ...queryOperations,
  ...followOperations,
  ...subscriptionOperations,
  ...hubOperations,
  ...nodeOperations,
  ...clusterOperations,
  ...networkOperations,
  ...labOperations,
  ...auditOperations,
  ...alertOperations,
}

export type OperationId = keyof typeof OPERATIONS

export const ALL_OPERATIONS = Object.values(OPERATIONS) as readonly Operation[]
