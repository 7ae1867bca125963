import type { LeasedRole } from './lease-store.ts'

/** Sources are spread over so many (src/store/shards.ts). */
export const SHARDS = 1_024

/** What is not divided is one. */
export function shardsOf(role: LeasedRole): number {
  return role === 'crawler' ? SHARDS : 1
}
