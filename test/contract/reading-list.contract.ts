import { afterEach, describe, expect, it } from 'vitest'
import type { ReadingQuery, ReadingScope } from '../../src/store/reading.ts'
import { type Adapter, addOne, newItem, record, START } from './store.fixture.ts'

/** Numbers of items for reader apps. What is right is worked out from `marks`, item by item. */
export function describeReadingList(adapter: Adapter): void {
  describe(`numbers for reader apps in the ${adapter.name} store`, () => {
    const ends: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0)) await end()
    })

    async function openArchive() {
      const opened = await adapter.open()
      ends.push(() => opened.end())
      const { store } = opened
      const sources = [
        await addOne(store, 'http://a/', { categories: ['News/Science'] }),
        await addOne(store, 'http://b/', { categories: ['News'] }),
        await addOne(store, 'http://c/'),
      ] as const
      for (let round = 0; round < 4; round++) {
        for (const [index, source] of sources.entries()) {
          // The first is the busiest: the others are rare among all.
          const names = Array.from({ length: index === 0 ? 12 : 1 }, (_, number) => `${round} ${index} ${number}`)
          await store.recordRefresh(record(source, { newItems: names.map((name) => newItem(name)) }))
        }
      }
      const items = (await store.items({ scope: { kind: 'all' }, limit: 100 })).toSorted((x, y) => x.seq - y.seq)
      const saved = { kind: 'save-feed' as const, name: 'f', title: null, limit: null, text: 'x' }
      await store.changeQueries([{ ...saved, catchUp: { after: 0 } }], await store.queryRevision(), START)
      const feed = (await store.queryFeed('f'))!
      const published = items.filter((_, index) => index % 5 === 2).map(({ seq }) => seq)
      await store.publishCatchUp({
        feeds: [{ feedId: feed.id, version: feed.version }],
        after: 0,
        upTo: items.at(-1)!.seq,
        isEnd: true,
        publications: published.map((itemSeq) => ({
          feedId: feed.id,
          version: feed.version,
          itemSeq,
          joined: [],
        })),
        at: START,
      })
      const user = { name: 'ann', role: 'member' as const, passwordHash: 'p', invitation: null }
      const ann = (await store.addUser(user, START))!.id
      const seqs = items.map(({ seq }) => seq)
      return { store, sources, items, seqs, feed, published: new Set(published), ann }
    }

    type Archive = Awaited<ReturnType<typeof openArchive>>

    function scopesOf({ sources: [a, b, c], feed, items, published }: Archive) {
      const of = (...ids: number[]) => items.filter(({ sourceId }) => ids.includes(sourceId)).map(({ seq }) => seq)
      const inFeed = [...published]
      const scopes: readonly (readonly [ReadingScope, readonly number[]])[] = [
        [{ kind: 'all' }, of(a.id, b.id, c.id)],
        [{ kind: 'source', sourceId: b.id }, of(b.id)],
        [{ kind: 'source', sourceId: 999 }, []],
        [{ kind: 'category', category: 'News' }, of(a.id, b.id)],
        [{ kind: 'category', category: 'News/Science' }, of(a.id)],
        [{ kind: 'category', category: 'none' }, []],
        [{ kind: 'feed', id: feed.id }, inFeed],
        [{ kind: 'sources', ids: [b.id, c.id], feeds: [] }, of(b.id, c.id)],
        [{ kind: 'sources', ids: [], feeds: [] }, []],
        [{ kind: 'sources', ids: [c.id], feeds: [feed.id] }, [...new Set([...of(c.id), ...inFeed])]],
      ]
      return scopes
    }

    async function checkAll(archive: Archive): Promise<void> {
      const { store, ann, seqs } = archive
      const marks = await store.marks(ann, seqs)
      const bounds = [{}, { after: seqs[10]! }, { before: seqs[40]! }, { after: seqs[7]!, before: seqs[30]! }]
      const states: readonly Pick<ReadingQuery, 'isRead' | 'isStarred'>[] = [
        ...[{}, { isRead: false }, { isRead: true }, { isStarred: true }, { isStarred: false }],
        { isRead: false, isStarred: true },
      ]
      for (const [scope, members] of scopesOf(archive)) {
        for (const state of states) {
          for (const [index, bound] of bounds.entries()) {
            const oldestFirst = index % 2 === 1
            const limit = index === 3 ? 5 : 100
            const query: ReadingQuery = { scope, ...state, ...bound, oldestFirst, limit }
            const expected = members
              .filter((seq) => seq > (query.after ?? 0) && seq < (query.before ?? Number.POSITIVE_INFINITY))
              .filter((seq) => state.isRead === undefined || marks.get(seq)!.isRead === state.isRead)
              .filter((seq) => state.isStarred === undefined || marks.get(seq)!.isStarred === state.isStarred)
              .sort((x, y) => (oldestFirst ? x - y : y - x))
              .slice(0, limit)
            expect(await store.seqsToRead(ann, query), JSON.stringify(query)).toEqual(expected)
          }
        }
      }
    }

    it('are those of the scope, by what the user has read and starred, in both directions', async () => {
      const archive = await openArchive()
      const { store, seqs, ann, sources } = archive
      await store.markItems(ann, [seqs[3]!, seqs[12]!, seqs[55]!], { isRead: true })
      await store.markItems(ann, [seqs[12]!, seqs[20]!], { isStarred: true })
      await store.markAllRead(ann, { kind: 'source', sourceId: sources[1].id }, seqs[30]!)
      await store.markAllRead(ann, { kind: 'all' }, seqs[25]!)
      await store.markItems(ann, [seqs[4]!, seqs[5]!, seqs[12]!], { isRead: false })
      await checkAll(archive)
      expect(await store.seqsToRead(ann, { scope: { kind: 'all' }, limit: 0 })).toEqual([])
      expect(await store.seqsToRead(999, { scope: { kind: 'all' }, isRead: true, limit: 9 })).toEqual([])
    })

    it('are paged by number: what arrives meanwhile is neither doubled nor skipped', async () => {
      const { store, seqs, ann, sources } = await openArchive()
      const got: number[] = []
      for (let before: number | undefined; ; ) {
        const query = { scope: { kind: 'all' as const }, isRead: false, limit: 7, ...(before && { before }) }
        const page = await store.seqsToRead(ann, query)
        got.push(...page)
        if (page.length < 7) break
        before = page.at(-1)!
        await store.recordRefresh(record(sources[2], { newItems: [newItem(`late ${before}`)] }))
      }
      expect(got).toEqual(seqs.toReversed())
    })
  })
}
