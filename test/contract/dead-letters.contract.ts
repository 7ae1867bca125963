import { describe, expect, it } from 'vitest'
import { present } from '../support/present.ts'
import { NOON } from '../support/published-items.ts'
import { publishItems, saveFeed, subscribeTo } from '../support/query-publishing.ts'
import { type Adapter, addOne } from './store.fixture.ts'

/** What a subscription has given up, and what becomes of it. */
export function describeDeadLetters(adapter: Adapter): void {
  describe(`dead letters: ${adapter.name}`, () => {
    it('are tried once more on request, in their old order, and then settled', async () => {
      const { store, end } = await adapter.open()
      try {
        const source = await addOne(store, 'http://a/')
        const feed = await saveFeed(store, 'f')
        const { id } = await subscribeTo(store, feed, { kind: 'webhook', url: 'http://hook/' })
        await publishItems(store, feed, source.id, [{}, {}, {}])
        const seqs = (await store.publicationsAfter(feed.id, { after: 0, limit: 9 })).map(({ seq }) => seq)
        await store.recordDelivery(id, { kind: 'dead', publications: seqs, reason: 'refused', at: NOON })
        const letters = [...(await store.deadLetters({ limit: 9 }))].reverse()
        const [oldest, middle, newest] = letters.map(({ id }) => id)
        expect(letters.map(({ isRequeued }) => isRequeued)).toEqual([false, false, false])
        expect(await store.requeuedDeadLetters(9)).toEqual([])

        expect(await store.requeueDeadLetters({ ids: [present(newest), present(oldest), 99] })).toBe(2)
        const again = await store.requeuedDeadLetters(9)
        expect(again.map(({ publicationSeq }) => publicationSeq)).toEqual([seqs[0], seqs[2]])
        expect(await store.requeuedDeadLetters(1)).toHaveLength(1)

        await store.settleDeadLetter(present(oldest), null)
        await store.settleDeadLetter(present(newest), { reason: 'again', at: NOON + 1 })
        expect(await store.requeuedDeadLetters(9)).toEqual([])
        expect(await store.deadLetters({ limit: 9 })).toMatchObject([
          { id: newest, reason: 'again', at: NOON + 1, isRequeued: false },
          { id: middle, reason: 'refused' },
        ])
        expect(await store.requeueDeadLetters({ subscriptionId: id })).toBe(2)
        expect(await store.requeueDeadLetters({ subscriptionId: 99 })).toBe(0)
      } finally {
        await end()
      }
    })
  })
}
