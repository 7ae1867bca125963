import { afterEach, describe, expect, it } from 'vitest'
import { MOST_FETCHERS, type SavedModel } from '../../src/store/scheduling.ts'
import { shardOf } from '../../src/store/shards.ts'
import { rawState } from '../support/raw-state.ts'
import { type Adapter, observation, record, START, settings } from './store.fixture.ts'

const SCHEDULE = rawState('schedule')

const model = (sourceId: number, more: Partial<SavedModel> = {}): SavedModel => ({
  sourceId,
  form: 'hybrid/1',
  windowSize: 15,
  cost: 1.5,
  learntAt: START,
  relearntAt: null,
  state: Uint8Array.from([1, 2, 250, 0]),
  ...more,
})

/** What the scheduler must find again. */
export function describeScheduling(adapter: Adapter): void {
  describe(`scheduling in the ${adapter.name} store`, () => {
    const ends: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0)) await end()
    })
    const open = async () => {
      const opened = await adapter.open()
      ends.push(() => opened.end())
      const added = await opened.store.addSources([settings('http://a/'), settings('http://b/')], START)
      return { ...opened, ids: added.map(({ source }) => source.id) }
    }

    it('keeps models with the price of the same moment, and gives them with the schedule', async () => {
      const { store, again, ids } = await open()
      await store.saveModels([model(ids[0]!), model(999)], { also: { state: SCHEDULE, value: '{"price":3}' } })
      const { store: after } = await again()
      expect(await after.state(SCHEDULE)).toBe('{"price":3}')
      const { changed } = await after.scheduleChanges(0)
      expect(changed.map((entry) => entry.model?.form ?? null)).toEqual(['hybrid/1', null])
      const stored = changed[0]!.model!
      expect([...stored.state]).toEqual([1, 2, 250, 0])
      expect(stored).toMatchObject({ windowSize: 15, cost: 1.5, learntAt: START, relearntAt: null })
      expect([...(await after.models([999, ...ids])).keys()]).toEqual([ids[0]])
    })

    it('announces a model that was rebuilt elsewhere, and only that', async () => {
      const { store, ids } = await open()
      const { revision } = await store.scheduleChanges(0)
      await store.saveModels([model(ids[0]!)])
      expect((await store.scheduleChanges(revision)).changed).toEqual([])
      await store.saveModels([model(ids[0]!, { relearntAt: START + 5, learntAt: START + 4 })])
      const { changed } = await store.scheduleChanges(revision)
      expect(changed.map((entry) => entry.model?.relearntAt)).toEqual([START + 5])
      await store.saveModels([model(ids[0]!, { learntAt: START + 9 })])
      expect((await store.models(ids)).get(ids[0]!)).toMatchObject({ relearntAt: START + 5, learntAt: START + 9 })
    })

    describe('for a part of the sources', () => {
      const OF = 1_024
      const partOf = (url: string) => ({ shards: new Set([shardOf(url, OF)]), of: OF })
      const A = 'https://a.example/feed'
      const B = 'https://b.example/feed'
      const openTwo = async () => {
        const opened = await adapter.open()
        ends.push(() => opened.end())
        const added = await opened.store.addSources([settings(A), settings(B)], START)
        const [a, b] = added.map(({ source }) => source.id)
        return { store: opened.store, a: a!, b: b! }
      }

      it('gives the schedule of those alone', async () => {
        const { store, a, b } = await openTwo()
        const all = await store.scheduleChanges(0)
        const ofA = await store.scheduleChanges(0, partOf(A))
        expect(ofA).toEqual({ ...all, changed: all.changed.filter(({ id }) => id === a) })
        await store.updateSource(b, { weight: 2 })
        const later = await store.scheduleChanges(all.revision, partOf(A))
        expect(later.changed).toEqual([])
        expect(later.revision).toBeGreaterThan(all.revision)
      })

      it('says when one has moved away from it, or to it', async () => {
        const { store, a } = await openTwo()
        const { revision } = await store.scheduleChanges(0)
        await store.updateSource(a, { url: 'https://elsewhere.example/feed' })
        expect(await store.scheduleChanges(revision, partOf(A))).toMatchObject({ changed: [], removed: [a] })
        const there = await store.scheduleChanges(revision, partOf('https://elsewhere.example/'))
        expect(there).toMatchObject({ changed: [{ id: a }], removed: [] })
        await store.removeSource(a)
        expect((await store.scheduleChanges(revision, partOf(A))).removed).toContain(a)
      })

      it('takes their requests, and leaves the others to their owners', async () => {
        const { store, a, b } = await openTwo()
        await store.requestRefresh([a, b], START)
        await store.requestRefresh([b], START + 1, 7)
        expect(await store.takeRefreshRequests(partOf(A))).toEqual([{ sourceId: a, by: null, at: START }])
        expect(await store.takeRefreshRequests(partOf(A))).toEqual([])
        const ofB = [
          { sourceId: b, by: null, at: START },
          { sourceId: b, by: 7, at: START + 1 },
        ]
        expect(await store.takeRefreshRequests(partOf(B))).toEqual(ofB)
        expect(await store.takeRefreshRequests()).toEqual([])
      })

      it('saves their models, and not those that another has by now', async () => {
        const { store, a, b } = await openTwo()
        await store.saveModels([model(a), model(b)], { part: partOf(A) })
        expect([...(await store.models([a, b])).keys()]).toEqual([a])
      })
    })

    it('forgets the model of a removed source', async () => {
      const { store, ids } = await open()
      await store.saveModels([model(ids[0]!)])
      await store.removeSource(ids[0]!)
      expect((await store.models(ids)).size).toBe(0)
    })

    it('remembers why refreshes were made, newest first', async () => {
      const { store, ids } = await open()
      const source = (await store.source(ids[0]!))!
      for (const [index, cause] of (['new', 'worth', 'full'] as const).entries()) {
        const at = START + index * 1000
        const decision = { cause, at, price: 2.5, expected: index === 0 ? null : index }
        const observed = observation(source.id, at, { newItems: index })
        await store.recordRefresh(record(source, { observation: observed, decision }))
      }
      await store.recordRefresh(record(source, { observation: observation(source.id, START + 9000) }))
      expect(await store.decisions(source.id, 2)).toEqual([
        { cause: 'full', at: START + 2000, price: 2.5, expected: 2, newItems: 2 },
        { cause: 'worth', at: START + 1000, price: 2.5, expected: 1, newItems: 1 },
      ])
    })

    it('keeps limits on the interval of a source', async () => {
      const { store, ids } = await open()
      await store.updateSource(ids[1]!, { minIntervalMs: 60_000, maxIntervalMs: 3_600_000 })
      expect(await store.source(ids[1]!)).toMatchObject({ minIntervalMs: 60_000, maxIntervalMs: 3_600_000 })
      const { changed } = await store.scheduleChanges(0)
      expect(changed.map((entry) => entry.minIntervalMs)).toEqual([null, 60_000])
    })

    it('knows who fetched which published feed, and forgets who has not come for long', async () => {
      const { store } = await open()
      const fetch = (feed: string, reader: string, at: number, subscribers = 0) => ({ feed, reader, at, subscribers })
      await store.recordFetches(
        [fetch('/feeds/b', 'x.y', 5, 12), fetch('/feeds/a', 'x.y', 6), fetch('/feeds/a', 'v.w', 3)],
        0,
      )
      await store.recordFetches([fetch('/feeds/b', 'x.y', 4, 99), fetch('/feeds/a', 'x.y', 8, 2)], 0)
      expect(await store.fetches()).toEqual([
        fetch('/feeds/a', 'v.w', 3),
        fetch('/feeds/a', 'x.y', 8, 2),
        fetch('/feeds/b', 'x.y', 5, 12),
      ])
      await store.recordFetches([], 5)
      expect((await store.fetches()).map(({ at }) => at)).toEqual([8, 5])
    })

    it('keeps the latest fetchers of a feed, and no more than so many', async () => {
      const { store } = await open()
      const many = Array.from({ length: MOST_FETCHERS + 3 }, (_, k) => ({
        feed: '/feeds/a',
        reader: `r${k}.z`,
        at: 1_000 + k,
        subscribers: 0,
      }))
      await store.recordFetches([...many, { feed: '/feeds/b', reader: 'r.z', at: 1, subscribers: 0 }], 0)
      const fetches = await store.fetches()
      expect(fetches).toHaveLength(MOST_FETCHERS + 1)
      expect(Math.min(...fetches.filter(({ feed }) => feed === '/feeds/a').map(({ at }) => at))).toBe(1_003)
    })

    it('knows when each published feed was last read', async () => {
      const { store } = await open()
      await store.recordFeedReads([
        { feed: '/feeds/all', at: 5 },
        { feed: '/feeds/source/3', at: 7 },
      ])
      await store.recordFeedReads([{ feed: '/feeds/all', at: 3 }])
      expect(await store.feedReads()).toEqual([
        { feed: '/feeds/all', at: 5 },
        { feed: '/feeds/source/3', at: 7 },
      ])
    })
  })
}
