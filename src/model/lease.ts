/** Which of the shards of a role; from 0. */
export type Shard = number

/** Grows with every change of owner of a lease, and never comes again: a writer who shows an older one is late. */
export type LeaseToken = number

/** Under which lease something is written. */
export interface ShardLease {
  readonly shard: Shard
  readonly token: LeaseToken
}
