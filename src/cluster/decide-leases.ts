import type { DurationMs, LeaseToken, Shard } from '../model/index.ts'
import type { LeasedRole, LeaseView, ProcessId } from './lease-store.ts'
import { assignShards } from './rendezvous.ts'

/** A lease as its owner knows it. */
export interface HeldLease {
  readonly token: LeaseToken
  /** Until when it may be acted on, by the owner's monotonic clock: some time before others may take it. */
  readonly untilMs: DurationMs
  /** It is being given back: nothing new begins, and what is under way ends. */
  readonly isLeaving: boolean
}

export interface LeaseHolder {
  readonly id: ProcessId
  readonly role: LeasedRole
  /** How many shards the role has. */
  readonly shards: number
  readonly leaseMs: DurationMs
  readonly ownLeases: ReadonlyMap<Shard, HeldLease>
  /** Given back, as far as this member knows; the store may not have heard of it yet. */
  readonly released: ReadonlyMap<Shard, LeaseToken>
  /** Others have had the time to say that they are there. */
  readonly mayClaim: boolean
}

export interface LeaseDecisions {
  /** In one statement; none: it is not time for it yet. */
  readonly renew: ReadonlyMap<Shard, LeaseToken>
  readonly claim: readonly Shard[]
  /** To be given back when what is under way has ended. */
  readonly leave: readonly Shard[]
  /** To be given back at once: the store did not hear of it the last time. */
  readonly release: ReadonlyMap<Shard, LeaseToken>
  /** Another has them. */
  readonly lost: readonly Shard[]
}

/** Leases are renewed when so much of their length has passed: two more attempts fit before they are over. */
const RENEW_AFTER = 1 / 3
/** So much of a lease is left to others' clocks, and to end what is under way, before the store lets it go. */
const MARGIN = 1 / 5

/** Until when a lease may be acted on that was asked for at this moment of the monotonic clock. */
export function validUntilMs(askedAtMs: DurationMs, leaseMs: DurationMs): DurationMs {
  return askedAtMs + leaseMs - marginMs(leaseMs)
}

export function marginMs(leaseMs: DurationMs): DurationMs {
  return leaseMs * MARGIN
}

/** What a member does about its leases, from how things stand in the store. `nowMs`: of its monotonic clock. */
export function decideLeases(view: LeaseView, holder: LeaseHolder, nowMs: DurationMs): LeaseDecisions {
  const { id, ownLeases, released, mayClaim } = holder
  const wished = assignShards(liveMembers(view, holder), holder.shards)
  const leases = new Map(view.leases.map((lease) => [lease.shard, lease]))
  const renew = new Map<Shard, LeaseToken>()
  const release = new Map<Shard, LeaseToken>()
  const claim: Shard[] = []
  const leave: Shard[] = []
  const lost: Shard[] = []
  for (const [shard, owner] of wished.entries()) {
    const lease = leases.get(shard)
    const own = ownLeases.get(shard)
    if (own !== undefined && (lease?.owner !== id || lease.token !== own.token)) lost.push(shard)
    if (lease?.owner === id) {
      // Without `own` the answer to a claim was lost, or the store did not hear that the shard was given back.
      if (released.get(shard) === lease.token) release.set(shard, lease.token)
      else renew.set(shard, lease.token)
      if (own?.token === lease.token && owner !== id && !own.isLeaving) leave.push(shard)
    } else if (owner === id && mayClaim && (lease === undefined || lease.owner === null || lease.until <= view.now)) {
      claim.push(shard)
    }
  }
  return { renew: isRenewalDue(holder, renew, nowMs) ? renew : new Map(), claim, leave, release, lost }
}

/** Those with the role that were seen within the time of a lease; the member itself in any case. */
function liveMembers({ members, now }: LeaseView, { id, role, leaseMs }: LeaseHolder): Set<ProcessId> {
  const live = members.filter((one) => one.roles.includes(role) && now - one.lastSeenAt < leaseMs)
  return new Set([...live.map((one) => one.id), id])
}

/** All together, so that they stay together. */
function isRenewalDue(
  { ownLeases, leaseMs }: LeaseHolder,
  renew: ReadonlyMap<Shard, LeaseToken>,
  nowMs: DurationMs,
): boolean {
  const dueMs = nowMs + leaseMs * (1 - MARGIN - RENEW_AFTER)
  return [...renew].some(([shard, token]) => {
    const own = ownLeases.get(shard)
    return own?.token !== token || own.untilMs <= dueMs
  })
}
