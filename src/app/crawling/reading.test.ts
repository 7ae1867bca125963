import { describe, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../model/index.ts'
import type { FeedService } from '../../publisher/feeds.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createMemoryStore } from '../../store/memory/index.ts'
import type { Store } from '../../store/store.ts'
import { withSourceDefaults } from '../sources/import-sources.ts'
import { noteReads, type ReaderSettings, readRelevance } from './reading.ts'
import { createShareReader } from './shares.ts'

const NOW = Date.UTC(2026, 0, 5)
const clock: Clock = { now: () => NOW, monotonicMs: () => 0, sleep: async () => {} }

async function node() {
  const { store } = createMemoryStore({ clock })
  const added = await store.addSources(
    [
      { url: 'http://a/', categories: ['News/Local'] },
      { url: 'http://b/', categories: ['News'] },
      { url: 'http://c/' },
    ].map(withSourceDefaults),
    NOW,
  )
  const ids = added.map(({ source }) => source.id)
  const shares = async (at = NOW) => {
    const { of, others } = await readRelevance(store, 0.1)(at)
    return ids.map((id) => of.get(id) ?? others)
  }
  return { store, ids, shares }
}

async function createFeed(store: Store, name: string, query: string): Promise<number> {
  const text = `CREATE FEED ${name} AS ${query}`
  const save = { kind: 'save-feed' as const, name, title: null, limit: null, text, catchUp: 'from now' as const }
  await store.changeQueries([save], await store.queryRevision(), NOW)
  return (await store.queryFeed(name))!.id
}

describe('what is read decides what counts', () => {
  it('everything counts alike until somebody reads something', async () => {
    expect(await (await node()).shares()).toEqual([1, 1, 1])
  })

  it('a category that is read counts with its subfolders, what nobody reads gets what archiving asks for', async () => {
    const { store, shares } = await node()
    await store.recordFeedReads([{ feed: '/feeds/category/News', at: NOW }])
    expect(await shares()).toEqual([1, 1, 0.1])
    await store.recordFeedReads([{ feed: '/feeds/source/3', at: NOW }])
    expect(await shares()).toEqual([1, 1, 1])
  })

  it('what users follow counts for as many as follow it, also where everything is read', async () => {
    const { store, shares } = await node()
    const member = { role: 'member' as const, passwordHash: null, invitation: null }
    const ann = (await store.addUser({ ...member, name: 'ann' }, NOW))!.id
    const bob = (await store.addUser({ ...member, name: 'bob' }, NOW))!.id
    await store.follow({ userId: ann, feed: '/feeds/category/News', since: NOW })
    expect(await shares()).toEqual([1, 1, 0.1])
    await store.follow({ userId: bob, feed: '/feeds/source/1', since: NOW })
    expect(await shares()).toEqual([2, 1, 0.1])
    await store.recordFeedReads([{ feed: '/feeds/all', at: NOW }])
    const [byThree, byTwo, byOne] = await shares()
    expect(byThree).toBeCloseTo(1 + Math.log2(3))
    expect([byTwo, byOne]).toEqual([2, 1])
  })

  it('the feed of everything makes everything count, and a reader who stays away is forgotten', async () => {
    const { store, shares } = await node()
    await store.recordFeedReads([{ feed: '/feeds/source/1', at: NOW }])
    await store.recordFeedReads([{ feed: '/feeds/all', at: NOW - 10 * DAY_MS }])
    expect(await shares()).toEqual([1, 1, 1])
    expect(await shares(NOW + 5 * DAY_MS)).toEqual([1, 0.1, 0.1])
  })

  it('a query feed counts by its measured selectivity, once somebody gets it', async () => {
    const { store, ids, shares } = await node()
    const feedId = await createFeed(store, 'rare', 'RETURN ALL WHERE ITEM CONTAINS ice')
    const itemCounts = new Map([
      [ids[0]!, 100],
      [ids[1]!, 100],
    ])
    const matches = [{ feedId, version: 1, sourceId: ids[0]!, items: 50 }]
    await store.publish({ cursor: 0, publications: [], itemCounts, matches, at: NOW })
    expect(await shares()).toEqual([1, 1, 1])
    await store.recordFeedReads([{ feed: '/feeds/rare', at: NOW }])
    const [first, ...others] = await shares()
    expect(first).toBe(0.5)
    expect(others).toEqual([0.1, 0.1])
  })

  it('five items of a source, all matched, weigh 1: few items widen the interval, not the share', async () => {
    const { store, ids, shares } = await node()
    const feedId = await createFeed(store, 'rare', 'RETURN ALL WHERE ITEM CONTAINS ice')
    const matches = [{ feedId, version: 1, sourceId: ids[0]!, items: 5 }]
    await store.publish({ cursor: 0, publications: [], itemCounts: new Map([[ids[0]!, 5]]), matches, at: NOW })
    await store.recordFeedReads([{ feed: '/feeds/rare', at: NOW }])
    expect(await shares()).toEqual([1, 0.1, 0.1])
    const [share] = await createShareReader(store).ofFeed(feedId)
    expect(share).toMatchObject({ share: 1, atLeast: expect.closeTo(0.5655, 3), atMost: 1, isByForm: false })
  })

  it.each([
    ['RETURN ALL', [1, 1, 1]],
    ['RETURN CATEGORY "News"', [1, 1, 0.1]],
    ['RETURN "http://b/" AS $b | ALL AS $a WHERE $a[ITEM CONTAINS ice]', [0.1, 1, 0.1]],
    ['RETURN ALL WHERE ITEM CONTAINS ice', [0.1, 0.1, 0.1]],
  ])('%s: what it keeps by its form weighs 1 before the first item, whatever was counted', async (query, weights) => {
    const { store, ids, shares } = await node()
    const feedId = await createFeed(store, 'q', query)
    await store.recordFeedReads([{ feed: '/feeds/q', at: NOW }])
    expect(await shares()).toEqual(weights)
    // Evaluated while the source was in no category yet.
    const matches = [{ feedId, version: 1, sourceId: ids[1]!, items: 1 }]
    await store.publish({ cursor: 0, publications: [], itemCounts: new Map([[ids[1]!, 10]]), matches, at: NOW })
    expect(await shares()).toEqual(weights)
    await store.addSources([withSourceDefaults({ url: 'http://d/', categories: ['News'] })], NOW)
    const added = (await readRelevance(store, 0.1)(NOW)).of.get(4) ?? (await readRelevance(store, 0.1)(NOW)).others
    expect(added).toBe(weights[0])
  })

  it('distinct fetchers are readers, by the logarithm of their number or each alike, for a fortnight', async () => {
    const { store, ids } = await node()
    const fetch = (reader: string, at = NOW, subscribers = 0) => ({ feed: '/feeds/source/1', reader, at, subscribers })
    const weightOf = async (settings: ReaderSettings, at = NOW) =>
      (await readRelevance(store, 0.1, createShareReader(store), settings)(at)).of.get(ids[0]!)
    const linear = { readerWeight: 'linear', believeSubscribers: 0 } as const
    await store.recordFetches([fetch('a.x'), fetch('a.y'), fetch('b.x'), fetch('c.z', NOW, 100)], 0)
    expect(await weightOf({ ...linear, readerWeight: 'logarithm' })).toBe(3)
    expect(await weightOf(linear)).toBe(4)
    expect(await weightOf({ ...linear, believeSubscribers: 30 })).toBe(33)
    expect(await weightOf(linear, NOW + 15 * DAY_MS)).toBeUndefined()
  })

  it('a query feed counts by its weight, its subscribers and whose it is', async () => {
    const { store, ids, shares } = await node()
    const feedId = await createFeed(store, 'q', 'RETURN ALL WHERE ITEM CONTAINS ice')
    const matches = [{ feedId, version: 1, sourceId: ids[0]!, items: 1e6 }]
    await store.publish({ cursor: 0, publications: [], itemCounts: new Map([[ids[0]!, 1e6]]), matches, at: NOW })
    expect(await shares()).toEqual([1, 1, 1])
    const user = { name: 'ann', role: 'owner' as const, passwordHash: null, invitation: null }
    await store.setQueryFeedOwner(feedId, (await store.addUser(user, NOW))!.id)
    const [ofOwner, ...others] = await shares()
    expect(ofOwner).toBeCloseTo(1)
    expect(others).toEqual([0.1, 0.1])
    await store.updateQueryFeed(feedId, { weight: 3 })
    expect((await shares())[0]).toBeCloseTo(3)
    const output = { kind: 'mail' as const, address: 'a@b.example' }
    const subscribe = { kind: 'subscribe' as const, feed: 'q', output, everyMs: null, secret: 's' }
    await store.changeQueries([subscribe], await store.queryRevision(), NOW)
    expect((await shares())[0]).toBeCloseTo(6)
  })

  it('fetches of published feeds are noted, and what is read in another way', async () => {
    const { store } = await node()
    const stopping = new AbortController()
    const feeds = { baseUrl: 'http://x', get: async () => ({}) } as unknown as FeedService
    const slow: Clock = { ...clock, sleep: async (ms) => void (ms >= MINUTE_MS && stopping.abort()) }
    const reading = noteReads(feeds, store, slow, 'key')
    const by = { address: '192.0.2.1', userAgent: 'Feedly (12 subscribers)' }
    await reading.feeds.get({ kind: 'category', category: 'News' }, 'rss', by)
    await reading.feeds.get({ kind: 'category', category: 'News' }, 'json', by)
    // A file that the node writes for a subscription is no reader beside it.
    await reading.feeds.get({ kind: 'all' }, 'rss')
    reading.note({ kind: 'query', name: 'ice' })
    await reading.run(stopping.signal)
    expect(await store.feedReads()).toEqual([{ feed: '/feeds/ice', at: NOW }])
    const fetches = await store.fetches()
    expect(fetches).toEqual([{ feed: '/feeds/category/News', reader: expect.any(String), at: NOW, subscribers: 12 }])
    expect(JSON.stringify(fetches)).not.toMatch(/192|Feedly/)
  })
})
