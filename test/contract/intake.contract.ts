import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, dayOf, type Source } from '../../src/model/index.ts'
import type { Store } from '../../src/store/store.ts'
import { type Adapter, addOne, observation, record, START } from './store.fixture.ts'

const TODAY = dayOf(START)
const EVER = { from: 0, to: TODAY + 1_000 }
const POLICY = { maxAgeMs: null, maxItemsPerSource: null, maxObservationAgeMs: null }

/** What was taken and refused of each source, by day: added with the refresh it belongs to, once. */
export function describeIntake(adapter: Adapter): void {
  describe(`intake by day: ${adapter.name}`, () => {
    let opening: Awaited<ReturnType<Adapter['open']>>
    let store: Store
    let source: Source
    beforeEach(async () => {
      opening = await adapter.open()
      store = opening.store
      source = await addOne(store, 'http://a/')
    })
    afterEach(() => opening.end())

    const add = (day: number, taken: number, refused = 0, one = source) => {
      const at = day * DAY_MS + taken
      const intake = { day, taken, repaired: 2, refused }
      return store.recordRefresh(record(one, { observation: observation(one.id, at), intake }))
    }

    it('adds up the refreshes of a day and separates days and sources', async () => {
      const other = await addOne(store, 'http://b/')
      await add(TODAY, 3)
      await add(TODAY, 4, 5)
      await add(TODAY - 1, 1)
      await add(TODAY, 9, 0, other)
      expect(await store.intake(source.id, EVER)).toEqual([
        { day: TODAY - 1, taken: 1, repaired: 2, refused: 0 },
        { day: TODAY, taken: 7, repaired: 4, refused: 5 },
      ])
      expect(await store.intake(source.id, { from: TODAY - 5, to: TODAY - 1 })).toHaveLength(1)
      expect(await store.intake(other.id, EVER)).toHaveLength(1)
    })

    it('counts a repeated record once, and nothing where there is nothing to count', async () => {
      await add(TODAY, 3)
      await add(TODAY, 3)
      await store.recordRefresh(record(source, { observation: observation(source.id, START + 77), intake: null }))
      expect(await store.intake(source.id, EVER)).toEqual([{ day: TODAY, taken: 3, repaired: 2, refused: 0 }])
    })

    it('lists the sources of which something was refused on a day', async () => {
      const other = await addOne(store, 'http://b/')
      await add(TODAY, 3, 6, other)
      await add(TODAY, 3, 4)
      await add(TODAY, 5, 1)
      await add(TODAY - 1, 3, 9)
      expect(await store.refusals(TODAY)).toEqual([
        { sourceId: source.id, refused: 5 },
        { sourceId: other.id, refused: 6 },
      ])
      expect(await store.refusals(TODAY - 2)).toEqual([])
    })

    it('forgets days by the time of retention alone, and all of them with the source', async () => {
      for (const day of [TODAY - 40, TODAY - 28, TODAY, TODAY + 400]) await add(day, 1)
      const days = async () => (await store.intake(source.id, EVER)).map(({ day }) => day - TODAY)
      expect(await days()).toEqual([-40, -28, 0, 400])
      await store.prune(POLICY, START)
      expect(await days()).toEqual([-28, 0, 400])
      await store.removeSource(source.id)
      expect(await days()).toEqual([])
      expect(await store.refusals(TODAY)).toEqual([])
    })

    it('keeps what a person allows', async () => {
      for (const dailyAllowance of ['off', 7_000, null] as const) {
        expect(await store.updateSource(source.id, { dailyAllowance })).toMatchObject({ dailyAllowance })
        expect(await store.source(source.id)).toMatchObject({ dailyAllowance })
      }
    })

    it('says in summaries whose items were refused at the last refresh', async () => {
      const isRefused = async () => (await store.sourceSummaries({ afterId: 0, limit: 9 }))[0]!.isRefused
      expect(await isRefused()).toBe(false)
      const refusal = { at: START, items: 4, allowance: 5, until: null }
      await store.recordRefresh(record(source, { state: { ...source.state, refusal } }))
      expect(await isRefused()).toBe(true)
    })
  })
}
