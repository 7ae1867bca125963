import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, NO_COUNTS, type QualityTally, type Source } from '../../src/model/index.ts'
import type { Store } from '../../src/store/store.ts'
import { type Adapter, addOne, observation, record, START } from './store.fixture.ts'

const NOTHING: QualityTally = { ...NO_COUNTS, delays: [] }

function tally(more: Partial<QualityTally>): QualityTally {
  return { ...NOTHING, requests: 1, ...more }
}

/** Sums of quality: added with the refresh they belong to, once, and read per hour and scope. */
export function describeQuality(adapter: Adapter): void {
  describe(`quality sums: ${adapter.name}`, () => {
    let opening: Awaited<ReturnType<Adapter['open']>>
    let store: Store
    beforeEach(async () => {
      opening = await adapter.open()
      store = opening.store
    })
    afterEach(() => opening.end())

    it('has every sum, zero where nothing happened', async () => {
      expect(await store.quality({ kind: 'node' }, 0, START)).toEqual(NOTHING)
      expect(await store.qualityEver()).toEqual(NOTHING)
      const source = await addOne(store, 'http://a/')
      const counts = { ...NO_COUNTS }
      for (const [at, name] of Object.keys(counts).entries()) Object.assign(counts, { [name]: at + 1 })
      const quality = { ...counts, delays: [{ bucket: 3, items: 2 }] }
      await store.recordRefresh(record(source, { observation: observation(source.id, START), quality }))
      expect(await store.quality({ kind: 'node' }, 0, START + HOUR_MS)).toEqual(quality)
      expect(await store.quality({ kind: 'sources', ids: [source.id] }, 0, START + HOUR_MS)).toEqual(quality)
      expect(await store.qualityEver()).toEqual(quality)
    })

    it('adds up refreshes of one hour and separates hours', async () => {
      const source = await addOne(store, 'http://a/')
      for (const minutes of [0, 10, 59, 60, 150]) {
        const at = START + minutes * 60_000
        const quality = tally({ items: 2, delays: [{ bucket: minutes % 2, items: 1 }] })
        await store.recordRefresh(record(source, { observation: observation(source.id, at), quality }))
      }
      const requests = async (from: number, to: number) =>
        (await store.quality({ kind: 'node' }, START + from * HOUR_MS, START + to * HOUR_MS)).requests
      expect(await Promise.all([requests(0, 1), requests(1, 2), requests(0, 3), requests(3, 9)])).toEqual([3, 1, 5, 0])
      const all = await store.quality({ kind: 'sources', ids: [source.id, 99] }, START, START + DAY_MS)
      expect(all).toMatchObject({
        items: 10,
        delays: [
          { bucket: 0, items: 4 },
          { bucket: 1, items: 1 },
        ],
      })
    })

    it('belongs to the source, to its categories and their folders, and to the node', async () => {
      const science = await addOne(store, 'http://a/', { categories: ['News/Science'] })
      const news = await addOne(store, 'http://b/', { categories: ['News'] })
      const other = await addOne(store, 'http://c/')
      for (const [index, source] of [science, news, other].entries()) {
        const quality = tally({ bytes: 10 ** index })
        await store.recordRefresh(record(source, { observation: observation(source.id, START), quality }))
      }
      const bytes = async (scope: Parameters<Store['quality']>[0]) =>
        (await store.quality(scope, START, START + 1)).bytes
      expect(await bytes({ kind: 'category', category: 'News' })).toBe(11)
      expect(await bytes({ kind: 'category', category: 'News/Science' })).toBe(1)
      expect(await bytes({ kind: 'category', category: 'Nothing' })).toBe(0)
      expect(await bytes({ kind: 'sources', ids: [science.id, other.id] })).toBe(101)
      expect(await bytes({ kind: 'sources', ids: [] })).toBe(0)
      const groups = [[other.id], [], [news.id, science.id, 999]]
      const sums = await store.qualities(groups, START, START + 1)
      expect(sums.map((sum) => sum.bytes)).toEqual([100, 0, 11])
      expect(await bytes({ kind: 'node' })).toBe(111)
      await store.removeSource(news.id)
      expect(await bytes({ kind: 'category', category: 'News' })).toBe(1)
      expect(await bytes({ kind: 'node' })).toBe(111)
    })

    it('sums of a category follow what is written into hours long over, and who belongs to it', async () => {
      const inside = await addOne(store, 'http://a/', { categories: ['News'] })
      const outside = await addOne(store, 'http://b/')
      const add = (source: Source, hour: number, minute: number) => {
        const quality = tally({ items: 1, delays: [{ bucket: minute, items: 1 }] })
        const at = START + hour * HOUR_MS + minute * 60_000
        return store.recordRefresh(record(source, { observation: observation(source.id, at), quality }))
      }
      const news = () => store.quality({ kind: 'category', category: 'News' }, START, START + DAY_MS)
      for (const hour of [0, 1, 5]) for (const source of [inside, outside]) await add(source, hour, 1)
      expect(await news()).toMatchObject({ items: 3, delays: [{ bucket: 1, items: 3 }] })
      await add(inside, 1, 2)
      await add(inside, 3, 2)
      const delays = [
        { bucket: 1, items: 3 },
        { bucket: 2, items: 2 },
      ]
      for (const _ of [1, 2]) expect(await news()).toMatchObject({ items: 5, delays })
      await store.updateSource(outside.id, { categories: ['News/Local'] })
      expect((await news()).items).toBe(8)
      await store.updateSource(inside.id, { categories: [] })
      expect((await news()).items).toBe(3)
      await store.removeSource(outside.id)
      expect((await news()).items).toBe(0)
    })

    it('counts a repeated record once, of success and of failure', async () => {
      const source = await addOne(store, 'http://a/')
      const success = record(source, { observation: observation(source.id, START), quality: tally({}) })
      const failing = { ...source.state, status: 'failing' as const, lastCheckAt: START + 5, failureCount: 1 }
      const failure = record(source, { state: failing, quality: tally({ failures: 1 }) })
      for (const one of [success, success, failure, failure]) await store.recordRefresh(one)
      expect(await store.quality({ kind: 'node' }, START, START + 1)).toMatchObject({ requests: 2, failures: 1 })
      await store.recordRefresh({ ...success, sourceId: 99 })
      expect((await store.qualityEver()).requests).toBe(2)
    })

    it('keeps hours of sources for a week, those of the node for longer, and the whole for ever', async () => {
      const source = await addOne(store, 'http://a/')
      for (const days of [0, 300, 399, 401]) {
        const at = START + days * DAY_MS
        await store.recordRefresh(record(source, { observation: observation(source.id, at), quality: tally({}) }))
      }
      await store.prune({ maxAgeMs: null, maxItemsPerSource: null, maxObservationAgeMs: null }, START + 402 * DAY_MS)
      const end = START + 500 * DAY_MS
      expect((await store.quality({ kind: 'sources', ids: [source.id] }, START, end)).requests).toBe(2)
      expect((await store.quality({ kind: 'node' }, START, end)).requests).toBe(3)
      expect((await store.qualityEver()).requests).toBe(4)
    })
  })
}
