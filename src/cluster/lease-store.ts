import type { DurationMs, InstantMs, LeaseToken, Shard } from '../model/index.ts'

/** Work that is spread over members by leases. */
export type LeasedRole = 'crawler' | 'matcher' | 'publisher' | 'controller'

/** A process, from its start to its end; another start is another member. */
export type ProcessId = string

/** What a member says of itself. */
export interface MemberBeat {
  readonly id: ProcessId
  /** For people. */
  readonly name: string
  readonly roles: readonly string[]
  readonly version: string
}

/** Times are those of the store's clock. */
export interface Member extends MemberBeat {
  readonly startedAt: InstantMs
  readonly lastSeenAt: InstantMs
}

export interface Lease {
  readonly shard: Shard
  /** null: it was given back. */
  readonly owner: ProcessId | null
  readonly token: LeaseToken
  /** Then others may take it, by the store's clock. */
  readonly until: InstantMs
}

/** How things stand at one moment. Shards that nobody ever had are not listed. */
export interface LeaseView {
  readonly now: InstantMs
  readonly members: readonly Member[]
  /** By shard. */
  readonly leases: readonly Lease[]
}

/** Whose leases, of which role. */
export interface LeaseOwner {
  readonly role: LeasedRole
  readonly owner: ProcessId
}

/**
 * Who is there, and who has which shard of which role. The clock of the store decides alone; every call is one statement,
 * however many shards it is about.
 */
export interface LeaseStore {
  /** Says that a member lives, and tells how things stand. Members that were not seen for a day are forgotten. */
  beat(member: MemberBeat, role: LeasedRole): Promise<LeaseView>
  /** How things stand, for somebody who only looks. */
  view(role: LeasedRole): Promise<LeaseView>
  /**
   * Those of the shards that nobody has, or whose lease is over, belong to the owner for so long; each gets a new token. Of
   * those who claim at once one gets it.
   */
  claim(by: LeaseOwner, shards: readonly Shard[], leaseMs: DurationMs): Promise<ReadonlyMap<Shard, LeaseToken>>
  /**
   * So long from now on; also where a lease is over, if nobody has taken it. Returns those that are still the owner's under
   * these tokens.
   */
  renew(by: LeaseOwner, tokens: ReadonlyMap<Shard, LeaseToken>, leaseMs: DurationMs): Promise<ReadonlySet<Shard>>
  /** Anybody may claim them at once. What is not the owner's under these tokens stays as it is. */
  release(by: LeaseOwner, tokens: ReadonlyMap<Shard, LeaseToken>): Promise<void>
  /** It is no longer there; its leases must have been given back before. */
  forget(member: ProcessId): Promise<void>
}

/** Members that were not seen for so long. */
export const FORGET_MEMBER_AFTER_MS: DurationMs = 24 * 60 * 60 * 1_000
