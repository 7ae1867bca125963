import type { LeasedRole } from './lease-store.ts'

/** Sources are spread over so many (src/store/shards.ts). */
export const SHARDS = 1_024

/** Query feeds and subscriptions: enough for a dozen members, and a row for each is no burden. */
const FEW_SHARDS = 32

/** What is not divided is one. Members of two neighbouring versions must agree on them. */
export function shardsOf(role: LeasedRole): number {
  if (role === 'crawler') return SHARDS
  return role === 'controller' ? 1 : FEW_SHARDS
}
