import { afterEach, describe, expect, it } from 'vitest'
import type { LeaseStore } from '../../src/cluster/lease-store.ts'
import { HOUR_MS, type LeaseToken } from '../../src/model/index.ts'
import type { SavedModel } from '../../src/store/scheduling.ts'
import { shardOf } from '../../src/store/shards.ts'
import { present } from '../support/present.ts'
import { type Adapter, ALL, changedItem, newItem, observation, record, START, settings } from './store.fixture.ts'

const OF = 1_024
const URLS = ['https://a.example/feed', 'https://b.example/feed'] as const
const SHARDS = URLS.map((url) => shardOf(url, OF))
const A = { role: 'crawler', owner: 'a' } as const
const B = { role: 'crawler', owner: 'b' } as const

/** What a crawler may still write when another has taken over its work: nothing. */
export function describeFence(adapter: Adapter): void {
  if (adapter.name === 'sqlite') return
  describe(`the fence of the ${adapter.name} store`, () => {
    const ends: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0)) await end()
    })
    /** Two sources of two shards, both of which A has. */
    const open = async () => {
      const opened = await adapter.open()
      ends.push(() => opened.end())
      const leases = present(opened.leases)
      const added = await opened.store.addSources(
        URLS.map((url) => settings(url)),
        START,
      )
      const [a, b] = added.map(({ source }) => source)
      await leases.claim(A, SHARDS, HOUR_MS)
      return { ...opened, leases, a: present(a), b: present(b) }
    }
    const takeOver = async (leases: LeaseStore, shard: number, token: LeaseToken) => {
      await leases.release(A, new Map([[shard, token]]))
      return present((await leases.claim(B, [shard], HOUR_MS)).get(shard))
    }
    const [ofA, ofB] = SHARDS as [number, number]

    it('lets through what is written under the lease, also when it is over and nobody has it', async () => {
      const { store, leases, a } = await open()
      const lease = { shard: ofA, token: 1 }
      expect(await store.recordRefresh(record(a, { newItems: [newItem('one')], lease }))).toEqual({
        added: 1,
        changed: 0,
      })
      await leases.renew(A, new Map([[ofA, 1]]), 0)
      expect(await store.recordRefresh(record(a, { newItems: [newItem('two')], lease }))).toMatchObject({ added: 1 })
    })

    it('refuses a late writer, writes nothing of his record, and all of the others', async () => {
      const { store, buffer, leases, a, b } = await open()
      await store.recordRefresh(record(a, { newItems: [newItem('old')], lease: { shard: ofA, token: 1 } }))
      await buffer.register('reader', { from: 'end', owner: 'x', expiresAfterMs: null })
      await takeOver(leases, ofA, 1)
      const before = { source: await store.source(a.id), counts: await store.counts(), ever: await store.qualityEver() }
      const late = record(a, {
        state: { ...a.state, status: 'active', title: 'late', lastCheckAt: START + 5 },
        movedTo: 'https://moved.example/',
        observation: observation(a.id, START + 5),
        newItems: [newItem('late')],
        changedItems: [changedItem('old')],
        renamedItems: [],
        intake: { day: 1, taken: 1, repaired: 0, refused: 0 },
        lease: { shard: ofA, token: 1 },
      })
      const results = await Promise.allSettled([
        store.recordRefresh(late),
        store.recordRefresh(record(b, { newItems: [newItem('in time')], lease: { shard: ofB, token: 1 } })),
      ])
      expect(results).toMatchObject([
        { status: 'rejected', reason: { code: 'LEASE_LOST' } },
        { status: 'fulfilled', value: { added: 1, changed: 0 } },
      ])
      expect(await store.source(a.id)).toEqual(before.source)
      expect(await store.qualityEver()).toEqual(before.ever)
      expect(await store.counts()).toEqual({ ...before.counts, items: before.counts.items + 1 })
      expect((await store.items({ scope: ALL, limit: 9 })).map(({ title }) => title).sort()).toEqual(['in time', 'old'])
      expect(await buffer.read('reader', 9)).toHaveLength(1)
    })

    it.each([
      ['given back', 'release'],
      ['of a shard that nobody ever had', 'unknown'],
    ])('refuses a lease that is %s', async (_, how) => {
      const { store, leases, a } = await open()
      if (how === 'release') await leases.release(A, new Map([[ofA, 1]]))
      const lease = { shard: how === 'release' ? ofA : 77, token: 1 }
      await expect(store.recordRefresh(record(a, { lease }))).rejects.toMatchObject({ code: 'LEASE_LOST' })
    })

    it('lets the new owner write', async () => {
      const { store, leases, a } = await open()
      const token = await takeOver(leases, ofA, 1)
      const lease = { shard: ofA, token }
      expect(await store.recordRefresh(record(a, { newItems: [newItem('one')], lease }))).toMatchObject({ added: 1 })
    })

    const part = (tokens: ReadonlyMap<number, LeaseToken>) => ({ shards: new Set(SHARDS), of: OF, tokens })
    const model = (sourceId: number, learntAt: number): SavedModel => ({
      sourceId,
      form: 'x/1',
      windowSize: 1,
      cost: 1,
      learntAt,
      relearntAt: null,
      state: Uint8Array.from([1]),
    })

    it('takes only the models of shards that are still the crawler’s', async () => {
      const { store, leases, a, b } = await open()
      const tokens = new Map(SHARDS.map((shard) => [shard, 1]))
      await store.saveModels([model(a.id, 1), model(b.id, 1)], { part: part(tokens) })
      await takeOver(leases, ofA, 1)
      await store.saveModels([model(a.id, 2), model(b.id, 2)], { part: part(tokens) })
      const stored = await store.models([a.id, b.id])
      expect([stored.get(a.id)?.learntAt, stored.get(b.id)?.learntAt]).toEqual([1, 2])
    })

    it('leaves requests to who has the shard now', async () => {
      const { store, leases, a, b } = await open()
      await store.requestRefresh([a.id, b.id], START)
      const token = await takeOver(leases, ofA, 1)
      const late = await store.takeRefreshRequests(part(new Map(SHARDS.map((shard) => [shard, 1]))))
      expect(late.map(({ sourceId }) => sourceId)).toEqual([b.id])
      const now = await store.takeRefreshRequests(part(new Map([[ofA, token]])))
      expect(now.map(({ sourceId }) => sourceId)).toEqual([a.id])
    })
  })
}
