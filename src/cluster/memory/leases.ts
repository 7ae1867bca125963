import type { InstantMs, LeaseToken, Shard } from '../../model/index.ts'
import {
  FORGET_MEMBER_AFTER_MS,
  type Lease,
  type LeasedRole,
  type LeaseOwner,
  type LeaseStore,
  type Member,
  type ProcessId,
} from '../lease-store.ts'

/** For the lab and tests, and the model that the form in a database is compared with. */
export interface MemoryLeaseStore extends LeaseStore {
  /** For a store in memory: whether who shows this token still has the shard. */
  isCurrent(role: LeasedRole, shard: Shard, token: LeaseToken): boolean
}

/** `now`: the clock that decides. */
export function createMemoryLeases(now: () => InstantMs): MemoryLeaseStore {
  const members = new Map<ProcessId, Member>()
  const roles = new Map<LeasedRole, Map<Shard, Lease>>()
  const leasesOf = (role: LeasedRole): Map<Shard, Lease> => {
    const known = roles.get(role) ?? new Map<Shard, Lease>()
    roles.set(role, known)
    return known
  }
  // The clock is read once a call, as a database's is once a transaction: what a call tells is of one instant.
  const view = (role: LeasedRole, at: InstantMs) => ({
    now: at,
    members: [...members.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    leases: [...leasesOf(role).values()].sort((a, b) => a.shard - b.shard),
  })
  /** Those that are the owner's under these tokens. */
  const owned = ({ role, owner }: LeaseOwner, tokens: ReadonlyMap<Shard, LeaseToken>): Lease[] =>
    [...tokens].flatMap(([shard, token]) => {
      const lease = leasesOf(role).get(shard)
      return lease?.owner === owner && lease.token === token ? [lease] : []
    })
  return {
    async beat(member, role) {
      const at = now()
      for (const [id, { lastSeenAt }] of members) if (lastSeenAt < at - FORGET_MEMBER_AFTER_MS) members.delete(id)
      members.set(member.id, { ...member, startedAt: members.get(member.id)?.startedAt ?? at, lastSeenAt: at })
      return view(role, at)
    },
    view: async (role) => view(role, now()),
    async claim({ role, owner }, shards, leaseMs) {
      const at = now()
      const leases = leasesOf(role)
      const free = [...new Set(shards)].filter((shard) => isFree(leases.get(shard), at))
      return new Map(
        free.map((shard) => {
          const token = (leases.get(shard)?.token ?? 0) + 1
          leases.set(shard, { shard, owner, token, until: at + leaseMs })
          return [shard, token]
        }),
      )
    },
    async renew(by, tokens, leaseMs) {
      const at = now()
      const still = owned(by, tokens)
      for (const lease of still) leasesOf(by.role).set(lease.shard, { ...lease, until: at + leaseMs })
      return new Set(still.map(({ shard }) => shard))
    },
    async release(by, tokens) {
      for (const lease of owned(by, tokens)) leasesOf(by.role).set(lease.shard, { ...lease, owner: null, until: now() })
    },
    async forget(member) {
      members.delete(member)
    },
    isCurrent(role, shard, token) {
      const lease = leasesOf(role).get(shard)
      return lease !== undefined && lease.owner !== null && lease.token === token
    },
  }
}

function isFree(lease: Lease | undefined, now: InstantMs): boolean {
  return lease === undefined || lease.owner === null || lease.until <= now
}
