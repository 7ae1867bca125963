import { gunzipSync } from 'node:zlib'
import { parseAtomFeed } from 'feedsmith'
import { beforeEach, describe, expect, it } from 'vitest'
import { NOON } from '../../test/support/published-items.ts'
import { addSource, handClock, storeItems } from '../../test/support/publishing.ts'
import type { ItemBuffer } from '../buffer/buffer.ts'
import { HOUR_MS, MINUTE_MS } from '../model/index.ts'
import { createMemoryStore } from '../store/memory/index.ts'
import type { Store } from '../store/store.ts'
import { MOST_TEXT_CHARS } from '../store/text-limit.ts'
import type { FeedAddress } from './addresses.ts'
import { createFeedService, type FeedService } from './feeds.ts'
import { runPublisher } from './publisher-pipeline.ts'

const ALL = { kind: 'all' } as const

let store: Store
let buffer: ItemBuffer
let clock: ReturnType<typeof handClock>
let feeds: FeedService

beforeEach(() => {
  clock = handClock()
  ;({ store, buffer } = createMemoryStore({ clock }))
  feeds = createFeedService({ store, clock, baseUrl: 'http://127.0.0.1:8080/' })
})

async function titles(address: FeedAddress): Promise<(string | undefined)[] | null> {
  const feed = await feeds.get(address, 'atom')
  return feed && (parseAtomFeed(feed.body.toString()).entries ?? []).map((entry) => entry.title?.value)
}

/** Runs the pipeline until it has nothing left to do. */
async function publish(): Promise<void> {
  const stop = new AbortController()
  const ending = { ...buffer, waitForEntries: async () => stop.abort() }
  await runPublisher({ buffer: ending, store, feeds }, stop.signal)
}

describe('the published feeds', () => {
  it('are everything, each source, and each category with its subfolders', async () => {
    const a = await addSource(store, 'https://a.example/feed', { categories: ['News/Science'] })
    const b = await addSource(store, 'https://b.example/feed', { categories: ['News'] })
    await storeItems(store, a.id, [{ title: 'from a', sortAt: NOON }])
    await storeItems(store, b.id, [{ title: 'from b', sortAt: NOON + 1 }])
    expect(await titles(ALL)).toEqual(['from b', 'from a'])
    expect(await titles({ kind: 'source', sourceId: a.id })).toEqual(['from a'])
    expect(await titles({ kind: 'category', category: 'News' })).toEqual(['from b', 'from a'])
    expect(await titles({ kind: 'category', category: 'News/Science' })).toEqual(['from a'])
    expect(await titles({ kind: 'category', category: 'Sport' })).toBeNull()
    expect(await titles({ kind: 'source', sourceId: 99 })).toBeNull()
  })

  it('show the newest items up to the limit', async () => {
    feeds = createFeedService({ store, clock, baseUrl: 'http://127.0.0.1:8080', limit: 2 })
    const a = await addSource(store, 'https://a.example/feed')
    await storeItems(
      store,
      a.id,
      [1, 2, 3].map((n) => ({ title: `t${n}`, sortAt: NOON + n })),
    )
    expect(await titles(ALL)).toEqual(['t3', 't2'])
  })

  it('show all of very long items, with the texts for which there is room; another feed shows its own', async () => {
    const a = await addSource(store, 'https://a.example/feed')
    const b = await addSource(store, 'https://b.example/feed')
    const long = (title: string, sortAt: number) => ({
      title,
      sortAt,
      summary: null,
      content: 'word '.repeat(MOST_TEXT_CHARS / 5 + 1),
    })
    await storeItems(store, a.id, [long('older', NOON)])
    await storeItems(store, b.id, [long('newer', NOON + 1)])
    const idsOf = async (address: FeedAddress) => {
      const { items } = JSON.parse((await feeds.get(address, 'json'))!.body.toString()) as {
        items: { title: string; content_html?: string }[]
      }
      return items.map(({ title, content_html }) => [title, (content_html ?? '').includes('word word')])
    }
    expect(await idsOf(ALL)).toEqual([
      ['newer', true],
      ['older', false],
    ])
    expect(await idsOf({ kind: 'source', sourceId: a.id })).toEqual([['older', true]])
  })

  it('keep body and ETag while nothing changes, also over a restart', async () => {
    const a = await addSource(store, 'https://a.example/feed')
    await storeItems(store, a.id, [{ title: 'one', id: 'no uri' }])
    const first = await feeds.get(ALL, 'rss')
    expect(await feeds.get(ALL, 'rss')).toBe(first)
    clock.pass(3_600_000)
    expect((await feeds.get(ALL, 'rss'))?.etag).toBe(first?.etag)
    const restarted = createFeedService({ store, clock, baseUrl: feeds.baseUrl })
    expect((await restarted.get(ALL, 'rss'))?.body.equals(first!.body)).toBe(true)
  })

  it('show a new item once the pipeline has seen it', async () => {
    const a = await addSource(store, 'https://a.example/feed', { categories: ['News/Science'] })
    await storeItems(store, a.id, [{ title: 'one' }])
    const addresses: FeedAddress[] = [
      ALL,
      { kind: 'source', sourceId: a.id },
      { kind: 'category', category: 'News' },
      { kind: 'category', category: 'News/Science' },
    ]
    for (const address of addresses) expect(await titles(address)).toEqual(['one'])
    await storeItems(store, a.id, [{ title: 'two', sortAt: NOON + 1 }])
    await publish()
    for (const address of addresses) expect(await titles(address)).toEqual(['two', 'one'])
  })

  it('show a renamed, refiled or removed source within a second', async () => {
    const a = await addSource(store, 'https://a.example/feed', { categories: ['Old'] })
    await storeItems(store, a.id, [{ title: 'one' }])
    const before = await feeds.get(ALL, 'rss')
    await store.updateSource(a.id, { name: 'My <own> name', categories: ['New'] })
    clock.pass(1_000)
    const renamed = await feeds.get(ALL, 'rss')
    expect(renamed?.body.toString()).toContain('My <own> name')
    expect(renamed?.lastModified).toBeGreaterThan(before!.lastModified)
    expect(await titles({ kind: 'category', category: 'Old' })).toBeNull()
    expect(await titles({ kind: 'category', category: 'New' })).toEqual(['one'])
    await store.removeSource(a.id)
    clock.pass(1_000)
    expect(await titles(ALL)).toEqual([])
    expect(await titles({ kind: 'source', sourceId: a.id })).toBeNull()
  })

  it('are dated by the newest item shown, in whole seconds', async () => {
    const a = await addSource(store, 'https://a.example/feed')
    await storeItems(store, a.id, [{ firstSeenAt: NOON + 5_678 }, { firstSeenAt: NOON + 1 }])
    expect((await feeds.get(ALL, 'json'))?.lastModified).toBe(NOON + 5_000)
  })

  it('come compressed, under an ETag of their own', async () => {
    await addSource(store, 'https://a.example/feed')
    const feed = (await feeds.get(ALL, 'json'))!
    expect(gunzipSync(await feed.gzip()).equals(feed.body)).toBe(true)
    expect(feed.gzipEtag).not.toBe(feed.etag)
    expect(feed.etag).toMatch(/^"[\w-]+"$/)
  })

  it('are rendered once for any number of readers at the same time', async () => {
    const a = await addSource(store, 'https://a.example/feed')
    await storeItems(store, a.id, [{ title: 'one' }])
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => feeds.get(ALL, 'rss')))
    for (const other of others) expect(other).toBe(first)
  })

  it('never hold back an item that came while they were being rendered', async () => {
    const a = await addSource(store, 'https://a.example/feed')
    await storeItems(store, a.id, [{ title: 'one' }])
    const arrivals = store.mixedArrivals
    let arrive = async () => {}
    store.mixedArrivals = async (scope, limit) => {
      const found = await arrivals(scope, limit)
      await arrive()
      return found
    }
    arrive = async () => {
      arrive = async () => {}
      await storeItems(store, a.id, [{ title: 'two', sortAt: NOON + 1 }])
      await publish()
    }
    expect(await titles(ALL)).toEqual(['one'])
    expect(await titles(ALL)).toEqual(['two', 'one'])
  })

  it('give no secret of a source away', async () => {
    const a = await addSource(store, 'https://user:secret@a.example/feed')
    await storeItems(store, a.id, [{ title: 'one' }])
    for (const format of ['rss', 'atom', 'json'] as const) {
      const body = (await feeds.get({ kind: 'source', sourceId: a.id }, format))!.body.toString()
      expect(body).toContain('a.example/feed')
      expect(body).not.toContain('secret')
    }
  })
})

describe('the pipeline', () => {
  it('goes on where it stopped, and repeats what was not acknowledged', async () => {
    const a = await addSource(store, 'https://a.example/feed')
    await storeItems(store, a.id, [{ title: 'one' }, { title: 'two' }])
    const acknowledge = buffer.acknowledge
    buffer.acknowledge = async () => {
      throw new Error('power cut')
    }
    await expect(publish()).rejects.toThrow('power cut')
    buffer.acknowledge = acknowledge
    expect(await buffer.read('publisher', 10)).toHaveLength(2)
    await publish()
    expect(await buffer.read('publisher', 10)).toEqual([])
  })

  it('passes over items of a source that is gone', async () => {
    const a = await addSource(store, 'https://a.example/feed')
    await storeItems(store, a.id, [{ title: 'one' }])
    await store.removeSource(a.id)
    await publish()
    expect(await buffer.read('publisher', 10)).toEqual([])
  })

  it('renders everything again when its reader was not waited for', async () => {
    ;({ store, buffer } = createMemoryStore({ clock, bufferCapacity: 1 }))
    feeds = createFeedService({ store, clock, baseUrl: 'http://127.0.0.1:8080/', maxAgeMs: HOUR_MS })
    const reader = { owner: 'm1', expiresAfterMs: MINUTE_MS }
    const publishAs = async () => {
      const stop = new AbortController()
      const ending = { ...buffer, waitForEntries: async () => stop.abort() }
      await runPublisher({ buffer: ending, store, feeds, reader }, stop.signal)
    }
    const a = await addSource(store, 'https://a.example/feed')
    const b = await addSource(store, 'https://b.example/feed')
    await storeItems(store, a.id, [{ title: 'one' }])
    await publishAs()
    const ofA = { kind: 'source', sourceId: a.id } as const
    expect([await titles(ALL), await titles(ofA)]).toEqual([['one'], ['one']])
    clock.pass(MINUTE_MS)
    await storeItems(store, a.id, [{ title: 'two' }])
    await storeItems(store, b.id, [{ title: 'three' }])
    // Of the entries that said so, the first is gone.
    expect(await titles(ofA)).toEqual(['one'])
    await publishAs()
    expect([await titles(ALL), await titles(ofA)]).toEqual([
      expect.arrayContaining(['one', 'two', 'three']),
      ['two', 'one'],
    ])
  })

  it('ends when stopped, also while it waits', async () => {
    const stop = new AbortController()
    const running = runPublisher({ buffer, store, feeds }, stop.signal)
    await new Promise((resolve) => setImmediate(resolve))
    stop.abort()
    await running
  })
})
