import { afterEach, describe, expect, it } from 'vitest'
import type { LeaseStore, MemberBeat } from '../../src/cluster/lease-store.ts'
import { HOUR_MS, type LeaseToken } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { present } from '../support/present.ts'
import type { Adapter } from './store.fixture.ts'

/** Longer than any test. */
const LONG_MS = HOUR_MS
/** Over as soon as it is given. */
const OVER_MS = 0

const A = { role: 'crawler', owner: 'a' } as const
const B = { role: 'crawler', owner: 'b' } as const
const beat = (id: string, more: Partial<MemberBeat> = {}): MemberBeat => ({
  id,
  name: `machine ${id}`,
  roles: ['crawler'],
  version: '1.0.0',
  ...more,
})
const range = (count: number) => Array.from({ length: count }, (_, shard) => shard)

/** Who is there, and who has which shard. */
export function describeLeases(adapter: Adapter): void {
  // One process has nobody to share with.
  if (adapter.name === 'sqlite') return
  describe(`leases in the ${adapter.name} store`, () => {
    const ends: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0)) await end()
    })
    const open = async () => {
      const opened = await adapter.open()
      ends.push(() => opened.end())
      return { leases: present(opened.leases), again: async () => present((await opened.again()).leases) }
    }
    const ownersOf = async (leases: LeaseStore) =>
      (await leases.view('crawler')).leases.map(({ shard, owner }) => [shard, owner])

    it('knows the members, since when they are there and when they were last seen', async () => {
      const { leases } = await open()
      const first = await leases.beat(beat('a'), 'crawler')
      expect(first.members).toEqual([{ ...beat('a'), startedAt: first.now, lastSeenAt: first.now }])
      await leases.beat(beat('b', { roles: ['api', 'matcher'], version: '2' }), 'crawler')
      const again = await leases.beat(beat('a', { name: 'another' }), 'crawler')
      expect(again.members).toMatchObject([
        { id: 'a', name: 'another', startedAt: first.now, lastSeenAt: again.now },
        { id: 'b', roles: ['api', 'matcher'], version: '2' },
      ])
      await leases.forget('a')
      const { members } = await leases.view('crawler')
      expect(members.map(({ id }) => id)).toEqual(['b'])
    })

    it('gives a shard that nobody has to who claims it, and to nobody else as long as it is his', async () => {
      const { leases } = await open()
      const claimed = await leases.claim(A, [3, 5], LONG_MS)
      expect([...claimed]).toEqual([
        [3, 1],
        [5, 1],
      ])
      expect((await leases.claim(B, [3, 4, 5], LONG_MS)).size).toBe(1)
      expect(await ownersOf(leases)).toEqual([
        [3, 'a'],
        [4, 'b'],
        [5, 'a'],
      ])
      const { now, leases: listed } = await leases.view('crawler')
      for (const { until } of listed) expect(until).toBeGreaterThan(now)
    })

    it('keeps roles apart', async () => {
      const { leases } = await open()
      await leases.claim(A, [0], LONG_MS)
      expect((await leases.claim({ role: 'controller', owner: 'b' }, [0], LONG_MS)).size).toBe(1)
      expect((await leases.view('controller')).leases).toMatchObject([{ shard: 0, owner: 'b' }])
      expect((await leases.view('matcher')).leases).toEqual([])
    })

    it('lets another have it when it is over, not before, with a greater token', async () => {
      const { leases } = await open()
      await leases.claim(A, [1], LONG_MS)
      await leases.claim(A, [2], OVER_MS)
      expect([...(await leases.claim(B, [1, 2], LONG_MS))]).toEqual([[2, 2]])
      expect(await leases.renew(A, new Map([[2, 1]]), LONG_MS)).toEqual(new Set())
      expect(await ownersOf(leases)).toEqual([
        [1, 'a'],
        [2, 'b'],
      ])
    })

    it('renews what is still the owner’s under the token, also when it was over', async () => {
      const { leases } = await open()
      const tokens = await leases.claim(A, [1, 2], OVER_MS)
      expect(await leases.renew(A, new Map([...tokens, [1, 7], [9, 1]]), LONG_MS)).toEqual(new Set([2]))
      expect(await leases.renew(B, tokens, LONG_MS)).toEqual(new Set())
      expect([...(await leases.claim(B, [1, 2], LONG_MS)).keys()]).toEqual([1])
    })

    it('is given back at once, and only by who has it', async () => {
      const { leases } = await open()
      const tokens = await leases.claim(A, [1, 2], LONG_MS)
      await leases.release(B, tokens)
      await leases.release(A, new Map([[2, 99]]))
      expect((await leases.claim(B, [1, 2], LONG_MS)).size).toBe(0)
      await leases.release(A, new Map([[1, present(tokens.get(1))]]))
      expect((await leases.view('crawler')).leases[0]).toMatchObject({ shard: 1, owner: null })
      expect(await leases.renew(A, tokens, LONG_MS)).toEqual(new Set([2]))
      expect([...(await leases.claim(B, [1, 2], LONG_MS))]).toEqual([[1, 2]])
    })

    it('never gives a token twice, however often a shard changes hands', async () => {
      const { leases } = await open()
      const given: LeaseToken[] = []
      for (const by of [A, B, A, A, B]) {
        const claimed = await leases.claim(by, [7], given.length % 2 === 0 ? LONG_MS : OVER_MS)
        given.push(present(claimed.get(7)))
        await leases.release(by, claimed)
        await leases.forget(by.owner)
      }
      expect(given).toEqual([...new Set(given)].sort((a, b) => a - b))
    })

    it('has one owner of each shard when many claim all of them at once', async () => {
      const { leases, again } = await open()
      const claimers = [leases, await again(), await again()].flatMap((store, k) => [
        { store, by: { role: 'crawler', owner: `m${k}` } as const },
        { store, by: { role: 'crawler', owner: `n${k}` } as const },
      ])
      const shards = range(64)
      for (let turn = 1; turn <= 4; turn++) {
        // Some in the other order: nobody may wait for another in a circle.
        const claimed = await Promise.all(
          claimers.map(({ store, by }, k) => store.claim(by, k % 2 === 0 ? shards : shards.toReversed(), OVER_MS + 1)),
        )
        const owners = new Map((await leases.view('crawler')).leases.map((lease) => [lease.shard, lease]))
        for (const shard of shards) {
          const { owner, token } = present(owners.get(shard))
          const given = claimed.flatMap((one) => one.get(shard) ?? [])
          expect(new Set(given).size).toBe(given.length)
          expect(Math.max(...given)).toBe(token)
          expect(claimers.map(({ by }) => by.owner)).toContain(owner)
        }
        await systemClock.sleep(2)
      }
      for (const { by } of claimers) await leases.release(by, await tokensNow(leases))
      const winners = await Promise.all(claimers.map(({ store, by }) => store.claim(by, shards, LONG_MS)))
      expect(winners.flatMap((one) => [...one.keys()]).sort((a, b) => a - b)).toEqual(shards)
    })

    it.each([256, 1_024])('claims, renews and releases %i at once', async (count) => {
      const { leases } = await open()
      const tokens = await leases.claim(A, range(count), OVER_MS)
      expect(tokens.size).toBe(count)
      expect((await leases.renew(A, tokens, LONG_MS)).size).toBe(count)
      expect((await leases.claim(B, range(count), LONG_MS)).size).toBe(0)
      await leases.release(A, tokens)
      expect((await leases.claim(B, range(count), LONG_MS)).size).toBe(count)
    })

    it('asks nothing of the clocks of its members', async () => {
      if (!adapter.persistent) return
      const ahead = { ...systemClock, now: () => systemClock.now() + 1_000 * LONG_MS }
      const opened = await adapter.open({ clock: ahead })
      ends.push(() => opened.end())
      const leases = present(opened.leases)
      await leases.claim(A, [1], LONG_MS)
      expect((await leases.claim(B, [1], LONG_MS)).size).toBe(0)
      expect((await leases.beat(beat('a'), 'crawler')).now).toBeLessThan(ahead.now() - LONG_MS)
    })
  })
}

async function tokensNow(leases: LeaseStore): Promise<Map<number, LeaseToken>> {
  return new Map((await leases.view('crawler')).leases.map(({ shard, token }) => [shard, token]))
}
