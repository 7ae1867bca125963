import { describe, expect, it } from 'vitest'
import { decideLeases, type HeldLease, type LeaseHolder, validUntilMs } from './decide-leases.ts'
import type { Lease, LeaseView, Member } from './lease-store.ts'
import { assignShards } from './rendezvous.ts'

const NOW = 1_000_000
const LEASE_MS = 3_000
const SHARDS = 16

const member = (id: string, more: Partial<Member> = {}): Member => ({
  id,
  name: id,
  roles: ['crawler'],
  version: '1',
  startedAt: 0,
  lastSeenAt: NOW - 500,
  ...more,
})
const holder = (more: Partial<LeaseHolder> = {}): LeaseHolder => ({
  id: 'a',
  role: 'crawler',
  shards: SHARDS,
  leaseMs: LEASE_MS,
  ownLeases: new Map(),
  released: new Map(),
  mayClaim: true,
  ...more,
})
const lease = (shard: number, owner: string | null, more: Partial<Lease> = {}): Lease => ({
  shard,
  owner,
  token: 4,
  until: NOW + 1_000,
  ...more,
})
const ownLease = (more: Partial<HeldLease> = {}): HeldLease => ({ token: 4, untilMs: 2_400, isLeaving: false, ...more })
const view = (members: readonly Member[], leases: readonly Lease[] = []): LeaseView => ({ now: NOW, members, leases })
const all = Array.from({ length: SHARDS }, (_, shard) => shard)
const wishedOf = (id: string, members: readonly string[]) =>
  all.filter((shard) => assignShards(members, SHARDS)[shard] === id)
const [mine] = wishedOf('a', ['a', 'b'])
const [other] = wishedOf('b', ['a', 'b'])

describe('what a member does about its leases', () => {
  it('claims what nobody has and shall be its own, once others could say that they are there', () => {
    const two = view([member('a'), member('b')])
    expect(decideLeases(two, holder(), 0).claim).toEqual(wishedOf('a', ['a', 'b']))
    expect(decideLeases(two, holder({ mayClaim: false }), 0).claim).toEqual([])
    expect(decideLeases(view([]), holder(), 0).claim).toEqual(all)
  })

  it.each([
    ['was not seen for a lease', { lastSeenAt: NOW - LEASE_MS }],
    ['has other roles', { roles: ['api'] }],
  ])('takes over from one that %s', (_, more) => {
    expect(decideLeases(view([member('a'), member('b', more)]), holder(), 0).claim).toEqual(all)
  })

  it.each([
    ['another has it', { until: NOW + 1 }, []],
    ['the lease of another is over', { until: NOW }, [mine]],
    ['another gave it back', { owner: null }, [mine]],
  ])('where %s', (_, more, claimed) => {
    const leases = all.map((shard) => (shard === mine ? lease(shard, 'b', more) : lease(shard, 'b')))
    expect(decideLeases(view([member('a'), member('b')], leases), holder(), 0).claim).toEqual(claimed)
  })

  it('renews all it has as soon as one is a third over, and not before', () => {
    const shards = wishedOf('a', ['a', 'b']).slice(0, 2)
    const two = view(
      [member('a'), member('b')],
      shards.map((shard) => lease(shard, 'a')),
    )
    const until = validUntilMs(10_000, LEASE_MS)
    const own = holder({
      ownLeases: new Map(shards.map((shard, k) => [shard, ownLease({ untilMs: until + k * 900 })])),
    })
    expect(decideLeases(two, own, 10_999).renew.size).toBe(0)
    expect(decideLeases(two, own, 11_001).renew).toEqual(new Map(shards.map((shard) => [shard, 4])))
  })

  it('gives back what shall be another’s, and renews it meanwhile', () => {
    const two = view([member('a'), member('b')], [lease(other ?? 0, 'a')])
    const leaving = decideLeases(two, holder({ ownLeases: new Map([[other ?? 0, ownLease()]]) }), 2_000)
    expect(leaving).toMatchObject({ leave: [other], renew: new Map([[other, 4]]) })
    const again = holder({ ownLeases: new Map([[other ?? 0, ownLease({ isLeaving: true })]]) })
    expect(decideLeases(two, again, 2_000)).toMatchObject({ leave: [], renew: new Map([[other, 4]]) })
  })

  it('sees what it has lost', () => {
    const own = holder({ ownLeases: new Map([[mine ?? 0, ownLease()]]) })
    const taken = view([member('a'), member('b')], [lease(mine ?? 0, 'b', { token: 5 })])
    expect(decideLeases(taken, own, 0).lost).toEqual([mine])
    expect(decideLeases(view([member('a')], []), own, 0).lost).toEqual([mine])
  })

  it('takes up what a claim gave it whose answer was lost, but not what it has given back', () => {
    const two = view([member('a'), member('b')], [lease(mine ?? 0, 'a')])
    expect(decideLeases(two, holder(), 0)).toMatchObject({ renew: new Map([[mine, 4]]), release: new Map() })
    const gave = holder({ released: new Map([[mine ?? 0, 4]]) })
    expect(decideLeases(two, gave, 0)).toMatchObject({ renew: new Map(), release: new Map([[mine, 4]]) })
  })
})
