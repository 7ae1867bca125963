import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SHARDS } from '../../src/cluster/shards.ts'
import type { Source } from '../../src/model/index.ts'
import { shardOf } from '../../src/store/shards.ts'
import type { Store } from '../../src/store/store.ts'
import { type Adapter, addOne, START } from './store.fixture.ts'

/** Subscriptions to hubs: one for each source, found by an address that nobody guesses, gone with the source. */
export function describePushes(adapter: Adapter): void {
  describe(`push subscriptions: ${adapter.name}`, () => {
    let opening: Awaited<ReturnType<Adapter['open']>>
    let store: Store
    let source: Source
    beforeEach(async () => {
      opening = await adapter.open()
      store = opening.store
      source = await addOne(store, 'http://feeds.a.example/')
    })
    afterEach(() => opening.end())

    const save = (key: string, of = source, nextAt = START) =>
      store.savePush(
        { sourceId: of.id, kind: 'websub', hub: 'https://hub.example/', topic: of.url, key, secret: 's', nextAt },
        START,
      )
    const push = (digest: string | null, isGenuine = true, at = START + 1) => ({ at, digest, isGenuine })

    it('is stored with its secret, and replaced by another with nothing left of it', async () => {
      await save('k1')
      await store.recordPush('k1', push('d'))
      expect(await store.pushByKey('k1')).toEqual({
        sourceId: source.id,
        kind: 'websub',
        hub: 'https://hub.example/',
        topic: source.url,
        key: 'k1',
        secret: 's',
        status: 'new',
        leaseEndsAt: null,
        nextAt: START,
        failures: 0,
        lastError: null,
        pushedAt: START + 1,
        pushes: 1,
        refused: 0,
        repeated: 0,
        changedAt: START,
      })
      await save('k2')
      expect(await store.pushByKey('k1')).toBeNull()
      expect(await store.pushByKey('k2')).toMatchObject({ pushes: 0, pushedAt: null })
      expect(await store.recordPush('k2', push('d'))).toBe('taken')
    })

    it('changes by its key alone, so that nothing of a former one comes through', async () => {
      await save('k1')
      const patch = {
        status: 'active',
        leaseEndsAt: START + 9,
        nextAt: START + 5,
        failures: 2,
        lastError: 'x',
      } as const
      expect(await store.changePush('other', patch, START + 2)).toBe(false)
      expect(await store.changePush('k1', patch, START + 2)).toBe(true)
      expect(await store.pushByKey('k1')).toMatchObject({ ...patch, changedAt: START + 2 })
      await store.changePush('k1', { lastError: null }, START + 3)
      expect(await store.pushByKey('k1')).toMatchObject({ status: 'active', lastError: null, changedAt: START + 3 })
    })

    it('takes what is genuine and new, asks for a refresh with it, and counts the rest', async () => {
      await save('k')
      expect(await store.recordPush('unknown', push('a'))).toBe('unknown')
      expect(await store.recordPush('k', push('a', false))).toBe('refused')
      expect(await store.takeRefreshRequests()).toEqual([])
      expect(await store.recordPush('k', push('a'))).toBe('taken')
      expect(await store.recordPush('k', push('a', true, START + 2))).toBe('repeated')
      expect(await store.takeRefreshRequests()).toEqual([{ sourceId: source.id, by: 'push', at: START + 1 }])
      expect(await store.recordPush('k', push(null, true, START + 3))).toBe('taken')
      expect(await store.recordPush('k', push(null, true, START + 4))).toBe('taken')
      expect(await store.takeRefreshRequests()).toEqual([{ sourceId: source.id, by: 'push', at: START + 4 }])
      expect(await store.pushByKey('k')).toMatchObject({ pushes: 3, refused: 1, repeated: 1, pushedAt: START + 4 })
    })

    it('knows a repetition among the last sixteen', async () => {
      await save('k')
      for (let n = 0; n < 17; n++) await store.recordPush('k', push(`d${n}`))
      expect(await store.recordPush('k', push('d16'))).toBe('repeated')
      expect(await store.recordPush('k', push('d0'))).toBe('taken')
    })

    it('lists what is due, of a part or of all, and what has changed', async () => {
      const other = await addOne(store, 'http://b.example/')
      await save('k1', source, START + 5)
      await save('k2', other, START + 1)
      const due = async (now: number, part?: Parameters<Store['duePushes']>[1]['part']) =>
        (await store.duePushes(now, { limit: 9, part })).map(({ key }) => key)
      expect(await due(START)).toEqual([])
      expect(await due(START + 5)).toEqual(['k2', 'k1'])
      const [first] = await store.duePushes(START + 5, { limit: 1 })
      expect(first?.key).toBe('k2')
      expect(await store.duePushes(START + 5, { limit: 9, ...(first && { after: first }) })).toMatchObject([
        { key: 'k1' },
      ])
      const behind = { nextAt: START + 5, sourceId: source.id }
      expect(await store.duePushes(START + 5, { limit: 9, after: behind })).toEqual([])
      const part = { shards: new Set([shardOf(source.url, SHARDS)]), of: SHARDS }
      expect(await due(START + 5, part)).toEqual(['k1'])
      await store.changePush('k2', { status: 'active' }, START + 7)
      expect(await store.pushes({ changedSince: START + 7, limit: 9 })).toMatchObject([{ key: 'k2' }])
      expect(await store.pushes({ limit: 9 })).toMatchObject([{ key: 'k1' }, { key: 'k2' }])
      expect(await store.pushes({ afterId: source.id, limit: 9 })).toMatchObject([{ key: 'k2' }])
    })

    it('goes when nobody wants it, and with its source', async () => {
      await save('k')
      await store.removePush(source.id)
      expect(await store.pushByKey('k')).toBeNull()
      await save('k')
      await store.removeSource(source.id)
      expect(await store.pushByKey('k')).toBeNull()
      await save('k')
      expect(await store.pushByKey('k')).toBeNull()
    })
  })
}
