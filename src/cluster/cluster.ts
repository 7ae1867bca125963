import type { GrantStore } from './grants.ts'
import type { PriceBoard } from './prices.ts'

/** What all processes over one database share, beside what the store holds. */
export interface Cluster {
  /** Given when its database was made. */
  readonly id: string
  /** What all of them may spend. */
  readonly grants: GrantStore
  /** And at which price. */
  readonly prices: PriceBoard
}
