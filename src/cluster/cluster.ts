import type { ServerDurability } from './durability.ts'
import type { GrantStore } from './grants.ts'
import type { JobBoard } from './job-board.ts'
import type { LeaseStore } from './lease-store.ts'
import type { LogInLimits } from './log-in-limits.ts'
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
  /** How often passwords were tried at any of its APIs. */
  readonly logIns: LogInLimits
  /** What its APIs are about. */
  readonly jobs: JobBoard
  /** What the database may lose. */
  durability(): Promise<ServerDurability>
}
