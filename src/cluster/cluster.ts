import type { GrantStore } from './grants.ts'
import type { LeaseStore } from './lease-store.ts'
import type { PriceBoard } from './prices.ts'

/** What all processes over one database share, beside what the store holds. */
export interface Cluster {
  /** Given when its database was made. */
  readonly id: string
  /** Which of its members this process is, over restarts; null: a command beside them. */
  readonly memberId: string | null
  readonly leases: LeaseStore
  /** What all of them may spend. */
  readonly grants: GrantStore
  /** And at which price. */
  readonly prices: PriceBoard
}
