import { describe, expect, it } from 'vitest'
import type { NewPublication } from '../../src/store/query-feeds.ts'
import { NOON } from '../support/published-items.ts'
import { storeItems } from '../support/publishing.ts'
import { saveFeed } from '../support/query-publishing.ts'
import { type Adapter, addOne } from './store.fixture.ts'

/** An item is in a feed once, whatever its way (docs/decisions/0123-provenance.md). */
export function describeOrigins(adapter: Adapter): void {
  describe(`origins: ${adapter.name}`, () => {
    const given = { direct: { id: 'o', isClaimed: false }, claim: { id: 'o', isClaimed: true } }
    it.each<readonly [string, NewPublication['origin'], string, NewPublication['origin'], string, number]>([
      ['a claim after the item itself', given.direct, 'T', given.claim, 'T', 1],
      ['a claim under another title', given.direct, 'T', given.claim, 'U', 1],
      ['the item itself after a claim', given.claim, 'T', given.direct, 'T', 1],
      ['the item itself after a claim that is not true', given.claim, 'Forged', given.direct, 'T', 2],
      ['a claim after a claim', given.claim, 'T', given.claim, 'T', 1],
      ['another origin', given.direct, 'T', { id: 'p', isClaimed: true }, 'T', 2],
      ['items whose origin is not known', undefined, 'T', undefined, 'T', 2],
    ])('%s', async (_, before, titleBefore, after, titleAfter, count) => {
      const { store, end } = await adapter.open()
      try {
        const source = await addOne(store, 'http://a/')
        const feed = await saveFeed(store, 'f')
        const other = await saveFeed(store, 'g')
        const publish = async (title: string, origin: NewPublication['origin'], { id: feedId, version } = feed) => {
          await storeItems(store, source.id, [{ title }])
          const itemSeq = await store.lastItemSeq()
          const publication = { feedId, version, itemSeq, joined: [], ...(origin && { origin }) }
          const record = { cursor: 0, publications: [publication], itemCounts: new Map(), matches: [], at: NOON }
          const { added } = await store.publish(record)
          expect((await store.publish(record)).added).toBe(0)
          return added
        }
        expect(await publish(titleBefore, before)).toBe(1)
        expect(await publish(titleAfter, after)).toBe(count - 1)
        expect((await store.publicationState(feed.id)).count).toBe(count)
        expect(await publish(titleBefore, before, other)).toBe(1)
      } finally {
        await end()
      }
    })
  })
}
