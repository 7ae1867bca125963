import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HubOutput, QueryFeed, Source } from '../../src/model/index.ts'
import { builtInFeedId } from '../../src/store/hub.ts'
import type { Store } from '../../src/store/store.ts'
import { publishItems, saveFeed } from '../support/query-publishing.ts'
import { type Adapter, addOne, START } from './store.fixture.ts'

const HERE: HubOutput = { kind: 'websub', url: 'https://reader.example/cb?a=1', format: 'rss' }
const ALL = { afterId: 0, limit: 100 }
const LEASE_MS = 1_000

/** Subscribers at the hub: one for each feed, callback and format, until their leases end. */
export function describeHub(adapter: Adapter): void {
  describe(`subscribers at the hub: ${adapter.name}`, () => {
    let opening: Awaited<ReturnType<Adapter['open']>>
    let store: Store
    let source: Source
    let feed: QueryFeed
    beforeEach(async () => {
      opening = await adapter.open()
      store = opening.store
      source = await addOne(store, 'http://feeds.a.example/')
      feed = await saveFeed(store, 'news')
    })
    afterEach(() => opening.end())

    const save = (output = HERE, secret = 's', leaseEndsAt = START + LEASE_MS) =>
      store.saveHubSubscription({ feedId: feed.id, output, secret, leaseEndsAt }, START)
    const publish = () => publishItems(store, feed, source.id, [{}])
    const behind = (now = START + 1) => store.hubSubscriptionsBehind(now, ALL)

    it('begin with what is published after them, and are behind until it is delivered', async () => {
      await publish()
      await save()
      expect(await behind()).toEqual([])
      await publish()
      const [one] = await behind()
      expect(one).toMatchObject({ feedId: feed.id, output: HERE, secret: 's', leaseEndsAt: START + LEASE_MS })
      expect(one).toMatchObject({ everyMs: null, createdAt: START, failureCount: 0, lastError: null })
      const { lastSeq } = await store.publicationState(feed.id)
      await store.recordHubDelivery(one?.id ?? 0, { kind: 'delivered', upTo: lastSeq, edits: 0, at: START + 2 })
      expect(await behind()).toEqual([])
      expect(await store.subscriptions()).toEqual([])
    })

    it('are behind for edits of their feed until these are delivered, whatever was published', async () => {
      await publish()
      await save()
      await save({ ...HERE, format: 'atom' })
      await store.noteHubEdits([feed.id + 9])
      expect(await behind()).toEqual([])
      await store.noteHubEdits([feed.id])
      const [one, other] = await behind()
      expect([one, other]).toMatchObject([
        { edits: 1, deliveredEdits: 0 },
        { edits: 1, deliveredEdits: 0 },
      ])
      await store.noteHubEdits([feed.id])
      const delivered = { kind: 'delivered', upTo: 0, at: START + 2 } as const
      await store.recordHubDelivery(one?.id ?? 0, { ...delivered, edits: 1 })
      await store.recordHubDelivery(other?.id ?? 0, { ...delivered, edits: 2 })
      expect(await behind()).toMatchObject([{ id: one?.id, edits: 2, deliveredEdits: 1 }])
    })

    it('pause after a failure, and are told of it', async () => {
      await save()
      await publish()
      const [first] = await behind()
      await store.recordHubDelivery(first?.id ?? 0, { kind: 'failed', error: 'no', nextAttemptAt: START + 9 })
      expect(await behind(START + 8)).toEqual([])
      expect(await behind(START + 9)).toMatchObject([{ failureCount: 1, lastError: 'no', nextAttemptAt: START + 9 }])
    })

    it('renew with another secret and lease, and keep their cursor', async () => {
      await save()
      await publish()
      const before = await behind()
      await save(HERE, 'other', START + 5 * LEASE_MS)
      expect(await behind()).toEqual(
        before.map((one) => ({ ...one, secret: 'other', leaseEndsAt: START + 5 * LEASE_MS })),
      )
    })

    it('get nothing when their lease is over, and are removed then', async () => {
      await save()
      await save({ ...HERE, format: 'atom' }, 's', START + 2 * LEASE_MS)
      await publish()
      expect(await behind(START + LEASE_MS)).toHaveLength(1)
      expect(await store.endLapsedHubSubscriptions(START + LEASE_MS)).toBe(1)
      expect(await behind()).toMatchObject([{ output: { format: 'atom' } }])
    })

    it('are counted by feed and by host, end one by one, and go with their feed', async () => {
      const other = { ...HERE, url: 'https://other.example/cb' }
      await save()
      await save({ ...HERE, format: 'atom' })
      await save(other)
      expect(await store.hubCrowd(feed.id, HERE)).toEqual({ ofFeed: 3, ofHost: 2, isKnown: true })
      expect(await store.hubCrowd(feed.id + 9, HERE)).toEqual({ ofFeed: 0, ofHost: 2, isKnown: false })
      await store.endHubSubscription(feed.id, HERE)
      expect(await store.hubCrowd(feed.id, HERE)).toEqual({ ofFeed: 2, ofHost: 1, isKnown: false })
      await store.changeQueries([{ kind: 'drop-feed', name: 'news' }], await store.queryRevision(), START)
      expect(await store.hubCrowd(feed.id, other)).toEqual({ ofFeed: 0, ofHost: 0, isKnown: false })
      await save()
      expect((await store.hubCrowd(feed.id, HERE)).isKnown).toBe(false)
    })

    it('are shown by feed, with those whose last message failed', async () => {
      const other = await saveFeed(store, 'other')
      await save()
      await save({ ...HERE, format: 'atom' })
      await store.saveHubSubscription({ feedId: other.id, output: HERE, secret: 's', leaseEndsAt: START + 9 }, START)
      const [first] = await store.hubSubscriptions({ feedIds: [feed.id], afterId: 0, limit: 9 })
      await store.recordHubDelivery(first?.id ?? 0, { kind: 'failed', error: 'no', nextAttemptAt: START })
      expect(await store.hubSubscribers([other.id, feed.id, 99])).toEqual([
        { feedId: feed.id, subscribers: 2, failing: 1 },
        { feedId: other.id, subscribers: 1, failing: 0 },
      ])
      const query = { feedIds: [feed.id], afterId: first?.id ?? 0, limit: 9 }
      expect(await store.hubSubscriptions(query)).toMatchObject([{ output: { format: 'atom' } }])
      expect(await store.hubSubscriptions({ ...query, feedIds: [] })).toEqual([])
    })

    describe('of built-in feeds', () => {
      const ALL_FEED = '/feeds/all'
      const subscribe = (path = ALL_FEED, output = HERE) => {
        const feedId = builtInFeedId(path)
        return store.saveHubSubscription(
          { feedId, path, output, secret: 's', leaseEndsAt: START + 9 * LEASE_MS },
          START,
        )
      }
      const deliver = (id = 0, upTo = 0) =>
        store.recordHubDelivery(id, { kind: 'delivered', upTo, edits: 0, at: START + 2 })

      it('have numbers that no query feed has, and are known by them', async () => {
        const paths = [ALL_FEED, '/feeds/source/1', '/feeds/category/News']
        const ids = paths.map(builtInFeedId)
        expect(ids.every((id) => Number.isSafeInteger(id) && id < 0)).toBe(true)
        expect(new Set(ids).size).toBe(paths.length)
        expect(await store.hubCrowd(builtInFeedId(ALL_FEED), HERE)).toEqual({ ofFeed: 0, ofHost: 0, isKnown: false })
        await save()
        await subscribe()
        await subscribe('/feeds/source/1')
        expect(await store.hubCrowd(builtInFeedId(ALL_FEED), HERE)).toEqual({ ofFeed: 1, ofHost: 3, isKnown: true })
        expect((await store.hubTopics()).map(({ path }) => path)).toEqual([ALL_FEED, '/feeds/source/1'])
      })

      it('are behind once an edition with what was noted begins, until they have it', async () => {
        await save()
        await subscribe()
        await subscribe('/feeds/source/1')
        expect(await store.noteHubNews(['/feeds/source/2', ALL_FEED])).toBe(1)
        expect(await store.noteHubNews([ALL_FEED])).toBe(0)
        expect(await behind()).toEqual([])
        await store.beginHubEditions(START + 5, 2)
        const [one, ...others] = await behind()
        expect(others).toEqual([])
        expect(one).toMatchObject({ output: HERE, secret: 's', builtIn: { path: ALL_FEED, edition: START + 5 } })
        // Noted while a message is on its way: the next edition has it.
        expect(await store.noteHubNews([ALL_FEED])).toBe(1)
        await deliver(one?.id, one?.builtIn?.edition)
        expect(await behind()).toEqual([])
        await store.beginHubEditions(START + 6, 2)
        expect(await behind()).toEqual([])
        await store.beginHubEditions(START + 7, 2)
        expect(await behind()).toMatchObject([{ id: one?.id, builtIn: { edition: START + 7 } }])
      })

      it('are all behind where nobody knows what has changed', async () => {
        await subscribe()
        await subscribe('/feeds/source/1')
        expect(await store.noteHubNews(null)).toBe(2)
        await store.beginHubEditions(START, 2)
        expect(await behind()).toHaveLength(2)
      })

      it('begin with the edition that is there, and keep their place when they renew', async () => {
        await subscribe()
        await store.noteHubNews([ALL_FEED])
        await store.beginHubEditions(START, 2)
        await subscribe(ALL_FEED, { ...HERE, format: 'atom' })
        await subscribe()
        expect((await behind()).map(({ output }) => output.format)).toEqual(['rss'])
      })

      it('get every edition, also where the clock was set back', async () => {
        await subscribe()
        const last: number[] = []
        for (const now of [START + 100, START + 50, START + 52]) {
          await store.noteHubNews([ALL_FEED])
          await store.beginHubEditions(now, 2)
          const [one] = await behind(START + 200)
          last.push(one?.builtIn?.edition ?? 0)
          await deliver(one?.id, one?.builtIn?.edition)
        }
        expect(last).toEqual([START + 100, START + 101, START + 102])
      })

      it('cost nothing once nobody is left', async () => {
        await subscribe()
        await subscribe('/feeds/source/1')
        await store.endHubSubscription(builtInFeedId(ALL_FEED), HERE)
        expect(await store.endLapsedHubSubscriptions(START)).toBe(0)
        expect((await store.hubTopics()).map(({ path }) => path)).toEqual(['/feeds/source/1'])
        expect(await store.noteHubNews([ALL_FEED])).toBe(0)
      })
    })

    it('are read in pages', async () => {
      for (const format of ['rss', 'atom', 'json'] as const) await save({ ...HERE, format })
      await publish()
      const first = await store.hubSubscriptionsBehind(START + 1, { afterId: 0, limit: 2 })
      const second = await store.hubSubscriptionsBehind(START + 1, { afterId: first.at(-1)?.id ?? 0, limit: 2 })
      expect([...first, ...second].map(({ output }) => output.format)).toEqual(['rss', 'atom', 'json'])
    })
  })
}
