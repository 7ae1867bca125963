import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SHARDS } from '../../src/cluster/shards.ts'
import type { Source } from '../../src/model/index.ts'
import { shardOf } from '../../src/store/shards.ts'
import type { Store } from '../../src/store/store.ts'
import { type Adapter, addOne, START } from './store.fixture.ts'

/** Icons of sources: looked for where somebody wants them, once in a while, gone with the source. */
export function describeIcons(adapter: Adapter): void {
  describe(`icons: ${adapter.name}`, () => {
    let opening: Awaited<ReturnType<Adapter['open']>>
    let store: Store
    let one: Source
    let other: Source
    beforeEach(async () => {
      opening = await adapter.open()
      store = opening.store
      one = await addOne(store, 'http://feeds.a.example/')
      other = await addOne(store, 'http://feeds.b.example/')
    })
    afterEach(() => opening.end())

    const picture = (hash: string) => ({ type: 'image/png', hash, body: Buffer.from([0, 1, 255]) })
    const look = { at: START + 1, dueAt: START + 100, attempts: 0, failure: null }

    it('are due as soon as somebody wants them, and are wanted once', async () => {
      expect(await store.dueIcons(START + 9, { limit: 9 })).toEqual([])
      await store.wantIcons([other.id, 999], START)
      await store.wantIcons([one.id, other.id], START + 5)
      expect(await store.dueIcons(START + 4, { limit: 9 })).toEqual([{ sourceId: other.id, attempts: 0 }])
      const both = [other.id, one.id].map((sourceId) => ({ sourceId, attempts: 0 }))
      expect(await store.dueIcons(START + 5, { limit: 9 })).toEqual(both)
      expect(await store.dueIcons(START + 5, { limit: 1 })).toEqual(both.slice(0, 1))
      const part = { shards: new Set([shardOf(one.url, SHARDS)]), of: SHARDS }
      expect(await store.dueIcons(START + 5, { limit: 9, part })).toEqual(both.slice(1))
      expect(await store.iconHashes([one.id, other.id, 999])).toEqual(
        new Map([
          [one.id, null],
          [other.id, null],
        ]),
      )
    })

    it('are stored, stay through a failure, and go where the site has none any more', async () => {
      await store.wantIcons([one.id], START)
      expect(await store.recordIcon({ ...look, sourceId: one.id, found: picture('h1') })).toBe(true)
      expect(await store.dueIcons(START + 99, { limit: 9 })).toEqual([])
      const [icon] = await store.icons([other.id, one.id, one.id])
      expect({ ...icon, body: [...(icon?.body ?? [])] }).toEqual({
        sourceId: one.id,
        type: 'image/png',
        hash: 'h1',
        body: [0, 1, 255],
      })
      const failure = { ...look, sourceId: one.id, attempts: 3, failure: 'FETCH_TIMEOUT', found: null }
      await store.recordIcon(failure)
      expect(await store.dueIcons(START + 100, { limit: 9 })).toEqual([{ sourceId: one.id, attempts: 3 }])
      expect(await store.iconHashes([one.id])).toEqual(new Map([[one.id, 'h1']]))
      await store.recordIcon({ ...look, sourceId: one.id, failure: 'IMAGE_UNUSABLE', found: 'none' })
      expect(await store.icons([one.id])).toEqual([])
      expect(await store.iconHashes([one.id])).toEqual(new Map([[one.id, null]]))
    })

    it('go with their source, and nothing is written for one that is gone', async () => {
      await store.wantIcons([one.id, other.id], START)
      await store.recordIcon({ ...look, sourceId: one.id, found: picture('h1') })
      await store.removeSource(one.id)
      expect(await store.icons([one.id])).toEqual([])
      expect(await store.recordIcon({ ...look, sourceId: one.id, found: picture('h2') })).toBe(false)
      expect(await store.iconHashes([one.id, other.id])).toEqual(new Map([[other.id, null]]))
    })
  })
}
