import type { LeasedRole } from './lease-store.ts'

/** Sources are spread over so many (src/store/shards.ts), as are queries and subscriptions. */
export const SHARDS = 1_024

/** The controller is one for all. */
export function shardsOf(role: LeasedRole): number {
  return role === 'controller' ? 1 : SHARDS
}
