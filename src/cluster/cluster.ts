import type { LeaseStore } from './lease-store.ts'

/** What all processes over one database share, beside what the store holds. */
export interface Cluster {
  /** Given when its database was made. */
  readonly id: string
  /** Which of its members this process is, over restarts; null: a command beside them. */
  readonly memberId: string | null
  readonly leases: LeaseStore
}
