import type { LeaseStore } from './lease-store.ts'

/** What the processes on one store share. */
export interface Cluster {
  readonly id: string
  readonly leases: LeaseStore
}
