import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ItemBuffer } from '../../src/buffer/buffer.ts'
import { NODE_READER } from '../../src/buffer/buffer.ts'
import { DAY_MS, type Item, type QueryFeed, type Source } from '../../src/model/index.ts'
import { type CatchUpStart, QUERY_READER, type QueryChange } from '../../src/store/query-feeds.ts'
import type { Store } from '../../src/store/store.ts'
import { MOST_TEXT_CHARS } from '../../src/store/text-limit.ts'
import { type Adapter, addOne, newItem, type Opening, record, START } from './store.fixture.ts'

/** Every word of src/store/query-feeds.ts that can be tried. */
export function describeQueryFeeds(adapter: Adapter): void {
  describe(`query feeds: ${adapter.name}`, () => {
    let opening: Opening
    let store: Store
    let buffer: ItemBuffer
    let source: Source
    beforeEach(async () => {
      opening = await adapter.open()
      ;({ store, buffer } = opening)
      source = await addOne(store, 'http://a/')
    })
    afterEach(() => opening.end())

    const change = async (...changes: QueryChange[]) => store.changeQueries(changes, await store.queryRevision(), START)
    const save = async (name: string, catchUp: CatchUpStart = 'from now', limit: number | null = null) => {
      await change({ kind: 'save-feed', name, title: null, limit, text: `CREATE FEED ${name} AS RETURN ALL`, catchUp })
      return (await store.queryFeed(name))!
    }
    /** Items with consecutive numbers, the first is returned. */
    const arrive = async (count: number, of = source, at = START) => {
      const before = await store.lastItemSeq()
      const newItems = Array.from({ length: count }, (_, i) => newItem(`${of.id}-${before + i}`, { firstSeenAt: at }))
      await store.recordRefresh(record(of, { newItems }))
      return before + 1
    }
    const publish = (feed: QueryFeed, itemSeqs: readonly number[], cursor = 0, more = {}) =>
      store.publish({
        cursor,
        publications: itemSeqs.map((itemSeq) => ({ feedId: feed.id, version: feed.version, itemSeq, joined: [] })),
        itemCounts: new Map(),
        matches: [],
        at: START,
        ...more,
      })
    const publishedSeqs = async ({ id }: QueryFeed) =>
      (await store.publications(id, { limit: 100 })).map(({ itemSeq }) => itemSeq)

    describe('items that are very long', () => {
      const half = 'x'.repeat(MOST_TEXT_CHARS / 2 + 1)
      const lengths = (items: readonly Item[]) => items.map(({ content }) => (content === null ? null : content.length))
      const HALF = half.length
      let feed: QueryFeed

      beforeEach(async () => {
        feed = await save('f')
        await buffer.register('reader', { from: 'start', ...NODE_READER })
        const newItems = ['a', 'b', 'c', 'd', 'e'].map((name) => newItem(name, { content: half, firstSeenAt: START }))
        await store.recordRefresh(record(source, { newItems }))
        await publish(feed, [1, 2, 3, 4, 5])
      })

      it('come as titles all at once', async () => {
        const titles = await store.titlesAfter(1, 3)
        expect(titles.map(({ seq }) => seq)).toEqual([2, 3, 4])
        const { seq, sourceId, firstSeenAt, sortAt, title } = (await store.itemsBySeq([2]))[0]!
        expect(titles[0]).toEqual({ seq, sourceId, firstSeenAt, sortAt, title })
        expect([await store.titlesAfter(5, 3), await store.titlesAfter(0, 0)]).toEqual([[], []])
      })

      it('come a few at a time, all of them in their turn, to a caller that walks through them', async () => {
        expect(lengths(await store.itemsAfter(0, 5))).toEqual([HALF, HALF])
        expect(lengths(await store.itemsAfter(4, 5))).toEqual([HALF])
        const read: number[][] = []
        for (let after = 0; ; ) {
          const entries = await buffer.read('reader', 5, { after })
          if (entries.length === 0) break
          read.push(entries.map(({ item }) => item.seq))
          after = entries.at(-1)!.cursor
        }
        expect(read).toEqual([[1, 2], [3, 4], [5]])
        const { items, count } = await store.firstBySeq([5, 99, 3, 1])
        expect([items.map(({ seq }) => seq), count]).toEqual([[5, 3], 3])
        const pending = await store.publicationsAfter(feed.id, { after: 0, limit: 5, whole: true })
        expect(lengths(pending.map(({ item }) => item))).toEqual([HALF, HALF])
      })

      it('all come where only their labels are asked for', async () => {
        expect(lengths(await store.itemsAfter(0, 5, 'labels'))).toEqual([null, null, null, null, null])
        const entries = await buffer.read('reader', 5, { parts: 'labels' })
        expect(entries.map(({ item }) => [item.title, item.content])).toEqual(
          ['a', 'b', 'c', 'd', 'e'].map((title) => [title, null]),
        )
      })

      it('all are in a document, the later ones without their texts', async () => {
        const some = [HALF, HALF, null, null, null]
        expect(lengths(await store.arrivals({ kind: 'source', sourceId: source.id }, 5))).toEqual(some)
        expect(lengths(await store.mixedArrivals({ kind: 'all' }, 5))).toEqual(some)
        const newest = await store.publications(feed.id, { limit: 5 })
        expect(newest.map(({ item }) => item.title)).toEqual(['e', 'd', 'c', 'b', 'a'])
        expect(lengths(newest.map(({ item }) => item))).toEqual(some)
        const oldest = await store.publicationsAfter(feed.id, { after: 0, limit: 4 })
        expect(oldest.map(({ item }) => item.title)).toEqual(['a', 'b', 'c', 'd'])
        expect(lengths(oldest.map(({ item }) => item))).toEqual(some.slice(0, 4))
      })
    })

    describe('queries', () => {
      it('saves a feed, and gives it back as it was', async () => {
        const text = 'CREATE FEED f TITLE "Ä" LIMIT 5 AS RETURN ALL'
        await change({ kind: 'save-feed', name: 'f', title: 'Ä', limit: 5, text, catchUp: 'from now' })
        const feed = (await store.queryFeed('f'))!
        expect(feed).toMatchObject({ name: 'f', title: 'Ä', limit: 5, text, isPrivate: false, createdAt: START })
        expect(feed).toMatchObject({ alteredAt: START, catchUpAfter: 0, historyUpTo: 0 })
        expect(await store.queryFeeds()).toEqual([feed])
        expect(await store.queryFeed('g')).toBeNull()
      })

      it('lists feeds by name', async () => {
        for (const name of ['b', 'c', 'a']) await save(name)
        expect((await store.queryFeeds()).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
      })

      it('keeps id and publications of a feed that is saved again', async () => {
        const before = await save('f')
        const first = await arrive(2)
        await publish(before, [first])
        const after = await save('f', 'from now')
        expect(after.id).toBe(before.id)
        expect(after.version).toBeGreaterThan(before.version)
        expect(await publishedSeqs(after)).toEqual([first])
      })

      it('a feed that asks the same as before goes on where it is', async () => {
        const before = await save('f', { after: 0 })
        const after = await save('f', 'no', 7)
        expect(after).toEqual({ ...before, limit: 7 })
      })

      it('changes nothing if the queries are not those that the changes were checked against', async () => {
        const revision = await store.queryRevision()
        await save('f')
        expect(await store.changeQueries([{ kind: 'drop-feed', name: 'f' }], revision, START)).toBe(false)
        expect(await store.queryFeed('f')).not.toBeNull()
      })

      it('changes all or nothing', async () => {
        await save('f')
        await expect(change({ kind: 'drop-feed', name: 'f' }, { kind: 'drop-feed', name: 'g' })).rejects.toMatchObject({
          code: 'FEED_NOT_FOUND',
        })
        expect(await store.queryFeed('f')).not.toBeNull()
      })

      it('adds, changes and removes sources with the feeds that read them', async () => {
        const { id, addedAt, state, ...settings } = source
        await change(
          { kind: 'add-source', settings: { ...settings, url: 'http://b/', name: 'b' }, by: 7 },
          { kind: 'add-source', settings: { ...settings, url: 'http://c/', name: 'c' }, by: null },
          { kind: 'alter-source', sourceId: id, patch: { name: 'a' } },
        )
        expect((await store.sources()).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
        const b = await store.sourceByUrl('http://b/')
        expect([...(await store.sourceAdders())]).toEqual([[b!.id, 7]])
        await change({ kind: 'remove-source', sourceId: id })
        expect((await store.sources()).map(({ name }) => name)).toEqual(['b', 'c'])
      })

      it('a dropped feed goes with all that belongs to it, and its id is not given again', async () => {
        const feed = await save('f')
        await publish(feed, [await arrive(1)])
        await store.addFeedToken(feed.id, { hash: 'h', label: null }, START)
        await change(subscription('f'), { kind: 'drop-feed', name: 'f' })
        const next = await save('f')
        expect(next.id).not.toBe(feed.id)
        expect(await publishedSeqs(next)).toEqual([])
        expect(await store.subscriptions()).toEqual([])
        expect(await store.feedTokens(feed.id)).toEqual([])
      })

      it.runIf(adapter.persistent)('are seen by another process', async () => {
        const other = await opening.again()
        const revision = await other.store.queryRevision()
        await save('f')
        expect(await other.store.queryRevision()).toBeGreaterThan(revision)
        expect(await other.store.queryFeed('f')).toEqual(await store.queryFeed('f'))
      })
    })

    describe('publishing', () => {
      it('publishes in the order given, newest first to readers, once for each feed and item', async () => {
        const [f, g] = [await save('f'), await save('g')]
        const first = await arrive(3)
        expect(await publish(f, [first, first + 1])).toEqual({ feedIds: [f.id], added: 2 })
        expect(await publish(f, [first, first + 1, first + 2])).toEqual({ feedIds: [f.id], added: 1 })
        expect(await publish(f, [first])).toEqual({ feedIds: [], added: 0 })
        await publish(g, [first])
        expect(await publishedSeqs(f)).toEqual([first + 2, first + 1, first])
        expect(await publishedSeqs(g)).toEqual([first])
        expect(await store.publishedIn([first, first + 1, 99])).toEqual(
          new Map([
            [first, [f.id, g.id]],
            [first + 1, [f.id]],
          ]),
        )
        const { lastSeq, count } = await store.publicationState(g.id)
        expect(count).toBe(1)
        expect(lastSeq).toBeGreaterThan((await store.publicationState(f.id)).lastSeq)
      })

      it('acknowledges the entries together with what was made of them', async () => {
        await buffer.register(QUERY_READER, { from: 'start', ...NODE_READER })
        const feed = await save('f')
        const first = await arrive(3)
        const entries = await buffer.read(QUERY_READER, 2)
        await publish(feed, [first], entries[1]!.cursor)
        expect((await buffer.read(QUERY_READER, 9)).map(({ item }) => item.seq)).toEqual([first + 2])
      })

      it('leaves out what another version of the query decided, items that are gone, and feeds that are gone', async () => {
        const old = await save('f')
        const feed = await save('f', 'from now')
        const first = await arrive(1)
        await publish(old, [first])
        await publish(feed, [first + 7])
        await publish({ ...feed, id: 99 }, [first])
        expect(await publishedSeqs(feed)).toEqual([])
        expect(await store.publicationState(99)).toEqual({ count: 0, lastSeq: 0 })
      })

      it('keeps the items that an item was joined with', async () => {
        const feed = await save('f')
        const first = await arrive(2)
        const joined = [first]
        const publications = [{ feedId: feed.id, version: feed.version, itemSeq: first + 1, joined }]
        await publish(feed, [], 0, { publications })
        const [entry] = await store.publications(feed.id, { limit: 1 })
        expect(entry).toMatchObject({ feedId: feed.id, publishedAt: START, isHistory: false, joined })
        expect(entry!.item).toEqual((await store.itemsBySeq([first + 1]))[0])
      })

      it('reads in pages, both ways', async () => {
        const feed = await save('f')
        const first = await arrive(5)
        await publish(
          feed,
          [0, 1, 2, 3, 4].map((i) => first + i),
        )
        const page = await store.publications(feed.id, { limit: 2 })
        const next = await store.publications(feed.id, { limit: 2, before: page[1]!.seq })
        expect([...page, ...next].map(({ itemSeq }) => itemSeq - first)).toEqual([4, 3, 2, 1])
        const after = await store.publicationsAfter(feed.id, { after: next[1]!.seq, limit: 2 })
        expect(after.map(({ itemSeq }) => itemSeq - first)).toEqual([2, 3])
      })
    })

    describe('catching up', () => {
      const catchUp = (feed: QueryFeed, after: number, upTo: number, itemSeqs: readonly number[], isEnd = false) =>
        store.publishCatchUp({
          feeds: [{ feedId: feed.id, version: feed.version }],
          after,
          upTo,
          isEnd,
          publications: itemSeqs.map((itemSeq) => ({ feedId: feed.id, version: feed.version, itemSeq, joined: [] })),
          at: START,
        })

      it('a new feed begins after the items that queries were evaluated on, and a source that waits is news', async () => {
        await buffer.register(QUERY_READER, { from: 'start', ...NODE_READER })
        const first = await arrive(4)
        const [, second] = await buffer.read(QUERY_READER, 2)
        await buffer.acknowledge(QUERY_READER, second!.cursor)
        expect(await save('f', 'from now')).toMatchObject({ catchUpAfter: first + 1, historyUpTo: first + 1 })
        expect(await save('g', { after: first })).toMatchObject({ catchUpAfter: first, historyUpTo: first + 1 })
        expect(await save('h', { after: 99 })).toMatchObject({ catchUpAfter: first + 1 })
      })

      it('goes on from where it stood, and follows the buffer in the end', async () => {
        const first = await arrive(4)
        const feed = await save('f', { after: 0 })
        await catchUp(feed, 0, first + 1, [first])
        expect(await store.queryFeed('f')).toMatchObject({ catchUpAfter: first + 1 })
        await catchUp(feed, first + 1, first + 3, [first + 3], true)
        expect(await store.queryFeed('f')).toMatchObject({ catchUpAfter: null })
        expect(await publishedSeqs(feed)).toEqual([first + 3, first])
      })

      it('of a feed that showed nothing meanwhile is a change of queries when it is done', async () => {
        const first = await arrive(2)
        await catchUp(await save('f', { after: 0 }), 0, first + 1, [first], true)
        await change({ kind: 'clear-feed', name: 'f', without: ['f x'] })
        const cleared = (await store.queryFeed('f'))!
        expect(cleared.isClearing).toBe(true)
        const before = await store.queryRevision()
        await catchUp(cleared, cleared.catchUpAfter!, first + 1, [], true)
        expect((await store.queryFeed('f'))!.isClearing ?? false).toBe(false)
        expect(await store.queryRevision()).toBeGreaterThan(before)
      })

      it('a stretch that was done already, or belongs to another version, changes nothing', async () => {
        const first = await arrive(2)
        const old = await save('f', { after: 0 })
        await catchUp(old, 0, first, [first])
        await catchUp(old, 0, first, [])
        expect(await publishedSeqs(old)).toEqual([first])
        const feed = await save('f', { after: 0 })
        await catchUp(old, 0, first, [])
        expect(await publishedSeqs(feed)).toEqual([first])
        expect(await store.queryFeed('f')).toMatchObject({ catchUpAfter: 0 })
      })

      it('withdraws what an altered query no longer keeps; the rest keeps its number', async () => {
        const first = await arrive(4)
        const old = await save('f', { after: 0 })
        await catchUp(old, 0, first + 3, [first, first + 1, first + 3], true)
        const before = await store.publications(old.id, { limit: 9 })
        const feed = await save('f', { after: first })
        const result = await catchUp(feed, first, first + 3, [first + 2, first + 3], true)
        expect(result).toEqual({ feedIds: [feed.id], added: 1 })
        expect(await publishedSeqs(feed)).toEqual([first + 2, first + 3, first])
        expect(await store.publications(feed.id, { limit: 9 })).toContainEqual(before[0])
      })

      it('is history as far as the items were there before the query', async () => {
        const first = await arrive(2)
        const feed = await save('f', { after: 0 })
        await arrive(1)
        await catchUp(feed, 0, first + 2, [first, first + 1, first + 2], true)
        const page = { after: 0, limit: 9 }
        const news = await store.publicationsAfter(feed.id, page)
        expect(news.map(({ itemSeq, isHistory }) => [itemSeq, isHistory])).toEqual([[first + 2, false]])
        expect(await store.publicationsAfter(feed.id, { ...page, withHistory: true })).toHaveLength(3)
      })
    })

    it('reads the archive in the order of arrival', async () => {
      const first = await arrive(2, source, START)
      await arrive(2, source, START + DAY_MS)
      const seqs = async (after: number, limit = 9) => (await store.itemsAfter(after, limit)).map(({ seq }) => seq)
      expect(await seqs(first, 2)).toEqual([first + 1, first + 2])
      expect(await seqs(await store.itemSeqBefore(START + DAY_MS))).toEqual([first + 2, first + 3])
      expect(await seqs(await store.itemSeqBefore(START + DAY_MS + 1))).toEqual([])
      expect(await seqs(await store.itemSeqBeforeLast(3))).toEqual([first + 1, first + 2, first + 3])
      expect(await seqs(await store.itemSeqBeforeLast(9))).toHaveLength(4)
      expect(await seqs(await store.itemSeqBeforeLast(0))).toEqual([])
      expect(await store.lastItemSeq()).toBe(first + 3)
      expect(await store.arrivedSeqs({ kind: 'all' }, { upTo: first + 2, limit: 2 })).toEqual([first + 1, first + 2])
      const scope = { kind: 'source', sourceId: source.id } as const
      expect(await store.arrivedSeqs(scope, { upTo: first, limit: 2 })).toEqual([first])
      const feed = await save('f')
      await publish(feed, [first + 3, first, first + 1])
      const page = { after: 0, upTo: 99, limit: 9 }
      expect(await store.publishedSeqs(feed.id, page)).toEqual([first, first + 1, first + 3])
      expect(await store.publishedSeqs(feed.id, { ...page, limit: 2 })).toEqual([first + 1, first + 3])
      expect(await store.publishedSeqs(feed.id, { ...page, after: first, upTo: first + 2 })).toEqual([first + 1])
    })

    describe('retention', () => {
      const policy = { maxAgeMs: DAY_MS, maxItemsPerSource: null, maxObservationAgeMs: null }
      const later = START + 10 * DAY_MS

      it('keeps what is in the window of a query feed; older publications go with their item', async () => {
        const feed = await save('f', 'from now', 2)
        const first = await arrive(4)
        await publish(feed, [first, first + 1, first + 2])
        expect(await store.prune(policy, later)).toMatchObject({ items: 2 })
        expect(await publishedSeqs(feed)).toEqual([first + 2, first + 1])
        expect(await store.itemsBySeq([first, first + 3])).toEqual([])
      })

      it('uses the window of the node for a feed without LIMIT', async () => {
        const feed = await save('f')
        const first = await arrive(3)
        await publish(feed, [first, first + 1, first + 2])
        expect(await store.prune({ ...policy, feedWindow: 1 }, later)).toMatchObject({ items: 2 })
        expect(await publishedSeqs(feed)).toEqual([first + 2])
      })

      it('keeps what a subscription has still to deliver', async () => {
        const feed = await save('f', 'from now', 1)
        await change(subscription('f'))
        const first = await arrive(3)
        await publish(feed, [first, first + 1, first + 2])
        const [subscribed] = await store.subscriptions()
        const [entry] = await store.publicationsAfter(feed.id, { after: 0, limit: 1 })
        await store.recordDelivery(subscribed!.id, { kind: 'delivered', upTo: entry!.seq, at: START })
        await store.prune(policy, later)
        expect(await publishedSeqs(feed)).toEqual([first + 2, first + 1])
      })

      it('items of a removed source leave all query feeds', async () => {
        const feed = await save('f')
        const other = await addOne(store, 'http://b/')
        const [one, two] = [await arrive(1), await arrive(1, other)]
        await publish(feed, [one, two])
        await store.removeSource(source.id)
        expect(await publishedSeqs(feed)).toEqual([two])
        expect(await store.publicationState(feed.id)).toMatchObject({ count: 1 })
      })
    })

    it('counts what was published in a while, without history', async () => {
      const old = await arrive(2)
      const feed = await save('f', { after: 0 })
      const other = await save('g', { after: 0 })
      const seq = await arrive(5)
      await publish(feed, [old, old + 1, seq], 0, { at: START + 1_000 })
      await publish(other, [seq], 0, { at: START + 1_500 })
      await publish(feed, [seq + 1, seq + 2], 0, { at: START + 2_000 })
      await publish(feed, [seq + 3], 0, { at: START + 3_000 })
      const counts = [
        [0, 9_000],
        [1_000, 2_000],
        [1_001, 3_000],
        [3_000, 9_000],
        [4_000, 9_000],
      ].map(([since, until]) => store.publishedBetween(feed.id, START + since!, START + until!))
      expect(await Promise.all(counts)).toEqual([4, 1, 2, 1, 0])
    })

    describe('selectivity', () => {
      const publishRecord = (feed: QueryFeed, items: number, matches: number) =>
        publish(feed, [], 0, {
          itemCounts: new Map([[source.id, items]]),
          matches:
            matches === 0 ? [] : [{ feedId: feed.id, version: feed.version, sourceId: source.id, items: matches }],
        })

      it('tends to the share that a query keeps of a source, and follows it', async () => {
        const feed = await save('f')
        for (let i = 0; i < 100; i++) await publishRecord(feed, 20, 10)
        const [half] = await store.selectivities()
        expect(half).toMatchObject({ feedId: feed.id, sourceId: source.id })
        expect(half!.share).toBeGreaterThan(0.45)
        expect(half!.share).toBeLessThan(0.52)
        for (let i = 0; i < 400; i++) await publishRecord(feed, 20, 1)
        expect((await store.selectivities())[0]!.share).toBeCloseTo(0.05, 1)
      })

      it('is 1 from the first item on where everything matches', async () => {
        const feed = await save('f')
        for (let i = 1; i <= 5; i++) {
          await publishRecord(feed, i, i)
          expect((await store.selectivities())[0]!.share).toBe(1)
        }
      })

      it('starts over when a query asks something new, and leaves out what the one before matched', async () => {
        const before = await save('f')
        await publishRecord(before, 10, 5)
        expect(await store.selectivities()).toMatchObject([{ share: 0.5, items: 10 }])
        const after = await save('f', 'no', 7)
        expect(await store.selectivities()).toMatchObject([{ share: 0.5, items: 10 }])
        const altered = await save('f', 'from now')
        expect(await store.selectivities()).toEqual([])
        await publishRecord(after, 10, 10)
        expect(await store.selectivities()).toEqual([])
        await publishRecord(altered, 4, 1)
        expect(await store.selectivities()).toMatchObject([{ share: 0.25, items: 4 }])
      })

      it('begins with what a query finds in the archive, before the first new item', async () => {
        const first = await arrive(4)
        const other = await addOne(store, 'http://other.example/')
        await arrive(2, other)
        const { id: feedId, version } = await save('f', { after: first })
        const at = { feeds: [{ feedId, version }], after: first, upTo: first + 5, isEnd: true, at: START }
        const publications = [{ feedId, version, itemSeq: first + 1, joined: [] }]
        await store.publishCatchUp({ ...at, publications })
        expect(await store.selectivities()).toEqual([{ feedId, sourceId: source.id, share: 1 / 3, items: 3 }])
        const [seq] = [await arrive(1)]
        await publish((await store.queryFeed('f'))!, [seq], 0, {
          itemCounts: new Map([[source.id, 1]]),
          matches: [{ feedId, version, sourceId: source.id, items: 1 }],
        })
        expect(await store.selectivities()).toEqual([{ feedId, sourceId: source.id, share: 0.5, items: 4 }])
      })

      it('forgets with the source and with the feed', async () => {
        const [f, g] = [await save('f'), await save('g')]
        await publishRecord(f, 5, 1)
        await publishRecord(g, 5, 1)
        await change({ kind: 'drop-feed', name: 'f' })
        expect((await store.selectivities()).map(({ feedId }) => feedId)).toEqual([g.id])
        await store.removeSource(source.id)
        expect(await store.selectivities()).toEqual([])
      })
    })

    describe('subscriptions', () => {
      const subscribed = async () => (await store.subscriptions())[0]!

      it('begin with what is published after them; the same output is there once', async () => {
        const feed = await save('f')
        const first = await arrive(2)
        await publish(feed, [first])
        await change(subscription('f'))
        await publish(feed, [first + 1])
        await change({ ...subscription('f'), everyMs: 5 })
        expect(await store.subscriptions()).toHaveLength(1)
        const one = await subscribed()
        expect(one).toMatchObject({ feedId: feed.id, everyMs: 5, secret: 's', createdAt: START, failureCount: 0 })
        const after = await store.publicationsAfter(feed.id, { after: one.deliveredSeq, limit: 9 })
        expect(after.map(({ itemSeq }) => itemSeq)).toEqual([first + 1])
      })

      it('end one by one or together', async () => {
        await save('f')
        const mail = { kind: 'mail', address: 'a@b' } as const
        await change(subscription('f'), { ...subscription('f'), output: mail })
        await change({ kind: 'unsubscribe', feed: 'f', output: mail })
        expect((await store.subscriptions()).map(({ output }) => output.kind)).toEqual(['webhook'])
        await change({ kind: 'unsubscribe', feed: 'f', output: null })
        expect(await store.subscriptions()).toEqual([])
      })

      it('count failures, start over after a delivery, and never go back', async () => {
        await save('f')
        await change(subscription('f'))
        const { id } = await subscribed()
        await store.recordDelivery(id, { kind: 'failed', error: 'no answer', nextAttemptAt: START + 1 })
        await store.recordDelivery(id, { kind: 'failed', error: 'no answer', nextAttemptAt: START + 2 })
        expect(await subscribed()).toMatchObject({ failureCount: 2, lastError: 'no answer', nextAttemptAt: START + 2 })
        await store.recordDelivery(id, { kind: 'delivered', upTo: 5, at: START + 3 })
        await store.recordDelivery(id, { kind: 'delivered', upTo: 4, at: START + 4 })
        const calm = { deliveredSeq: 5, deliveredAt: START + 4, failureCount: 0, nextAttemptAt: null, lastError: null }
        expect(await subscribed()).toMatchObject(calm)
        await store.recordDelivery(99, { kind: 'delivered', upTo: 4, at: START + 4 })
      })

      it('what is given up stays to be seen', async () => {
        const feed = await save('f')
        await change(subscription('f'))
        const first = await arrive(2)
        await publish(feed, [first, first + 1])
        const { id } = await subscribed()
        const [entry] = await store.publicationsAfter(feed.id, { after: 0, limit: 1 })
        const dead = { kind: 'dead', publications: [entry!.seq], reason: 'refused', at: START } as const
        await store.recordDelivery(id, dead)
        await store.recordDelivery(id, dead)
        const letters = await store.deadLetters({ limit: 9 })
        expect(letters).toMatchObject([{ subscriptionId: id, publicationSeq: entry!.seq, itemSeq: first, at: START }])
        expect(await store.deadLetters({ subscriptionId: 99, limit: 9 })).toEqual([])
        expect((await subscribed()).deliveredSeq).toBe(entry!.seq)
      })
    })

    it('keeps what a feed counts when its query is altered, apart from who may read it', async () => {
      const feed = await save('f')
      expect(feed.weight).toBe(1)
      await store.updateQueryFeed(feed.id, { weight: 2.5 })
      await store.updateQueryFeed(feed.id, { isPrivate: true })
      expect(await save('f', 'no')).toMatchObject({ isPrivate: true, weight: 2.5 })
      const wish = { completeness: 0.95, meanDelayMs: 600_000 }
      await store.updateQueryFeed(feed.id, { wish })
      await store.updateQueryFeed(feed.id, { weight: 2.5 })
      expect(await save('f', 'no')).toMatchObject({ isPrivate: true, weight: 2.5, wish })
      await store.updateQueryFeed(feed.id, { wish: null })
      expect(await store.queryFeed('f')).toMatchObject({ wish: null })
      expect(await save('g')).toMatchObject({ isPrivate: false, weight: 1, wish: null })
      await store.changeQueries([{ kind: 'weigh-feed', name: 'g', weight: 4 }], await store.queryRevision(), START)
      expect((await store.queryFeeds()).map(({ weight }) => weight)).toEqual([2.5, 4])
      const wrong = [{ kind: 'weigh-feed' as const, name: 'nobody', weight: 4 }]
      await expect(store.changeQueries(wrong, await store.queryRevision(), START)).rejects.toThrow('nobody')
    })

    it('keeps feeds private, with tokens that can be taken back', async () => {
      const feed = await save('f')
      const revision = await store.queryRevision()
      await store.updateQueryFeed(feed.id, { isPrivate: true })
      expect(await store.queryRevision()).toBeGreaterThan(revision)
      expect(await save('f', 'no')).toMatchObject({ isPrivate: true })
      const token = await store.addFeedToken(feed.id, { hash: 'abc', label: 'phone' }, START)
      expect(token).toMatchObject({ feedId: feed.id, hash: 'abc', label: 'phone', createdAt: START })
      expect(await store.feedTokens(feed.id)).toEqual([token])
      expect(await store.removeFeedToken(token.id)).toBe(true)
      expect(await store.removeFeedToken(token.id)).toBe(false)
      expect(await store.feedTokens(feed.id)).toEqual([])
    })
  })
}

function subscription(feed: string): Extract<QueryChange, { kind: 'subscribe' }> {
  return { kind: 'subscribe', feed, output: { kind: 'webhook', url: 'http://hook/' }, everyMs: null, secret: 's' }
}
