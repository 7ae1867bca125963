import fc from 'fast-check'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { beforeEach, describe, expect, it } from 'vitest'
import { present } from '../../test/support/present.ts'
import { NOON } from '../../test/support/published-items.ts'
import { addSource, handClock, storeItems } from '../../test/support/publishing.ts'
import { publishItems, saveFeed } from '../../test/support/query-publishing.ts'
import type { QueryFeed, Source } from '../model/index.ts'
import { createMemoryStore } from '../store/memory/index.ts'
import type { Store } from '../store/store.ts'
import { type FeedAddress, parseArchive } from './addresses.ts'
import { createFeedService, type FeedService } from './feeds.ts'

let store: Store
let clock: ReturnType<typeof handClock>
let feeds: FeedService
let source: Source

beforeEach(async () => {
  clock = handClock()
  ;({ store } = createMemoryStore({ clock }))
  feeds = createFeedService({ store, clock, baseUrl: 'http://node.example', settingsCheckMs: 0 })
  source = await addSource(store, 'https://a.example/feed', { name: 'Alpha', weight: 2 })
})

const query = (name: string): FeedAddress => ({ kind: 'query', name })
const item = (n: number) => ({ id: `urn:item:${n}`, title: `t${n}`, link: `https://a.example/${n}` })
const items = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => item(from + i))

async function atom(address: FeedAddress) {
  const feed = await feeds.get(address, 'atom')
  return feed && parseAtomFeed(feed.body.toString())
}

async function idsOf(address: FeedAddress): Promise<(string | undefined)[] | undefined> {
  return (await atom(address))?.entries?.map(({ id }) => id)
}

describe('a query feed', () => {
  it('shows its publications, the last first, up to its LIMIT and under its TITLE', async () => {
    const feed = await saveFeed(store, 'f', { title: 'My feed', limit: 3 })
    expect((await atom(query('f')))?.entries).toBeUndefined()
    await publishItems(store, feed, source.id, items(0, 5))
    expect(await idsOf(query('f'))).toEqual(['urn:item:4', 'urn:item:3', 'urn:item:2'])
    const rss = parseRssFeed((await feeds.get(query('f'), 'rss'))!.body.toString())
    expect(rss).toMatchObject({ title: 'My feed', items: [{ title: 't4', source: { title: 'Alpha' } }, {}, {}] })
    expect(await feeds.get(query('g'), 'rss')).toBeNull()
  })

  it.each([
    ['PUBLISHED', false, ['b', 'c', 'a']],
    ['PUBLISHED', true, ['a', 'c', 'b']],
    ['FETCHED', true, ['c', 'b', 'a']],
    ['SOURCE', false, ['b', 'c', 'a']],
    ['WEIGHT', true, ['c', 'a', 'b']],
  ] as const)('is ordered by %s (descending: %s)', async (by, descending, expected) => {
    const orderOf = () => ({ by, descending })
    feeds = createFeedService({ store, clock, baseUrl: 'http://node.example', orderOf })
    const feed = await saveFeed(store, 'f')
    const other = await addSource(store, 'https://b.example/feed', { name: 'aardvark', weight: 1 })
    await publishItems(store, feed, source.id, [{ id: 'urn:a', sortAt: NOON + 3, firstSeenAt: NOON + 1 }])
    await publishItems(store, feed, other.id, [{ id: 'urn:b', sortAt: NOON + 1, firstSeenAt: NOON + 2 }])
    await publishItems(store, feed, source.id, [{ id: 'urn:c', sortAt: NOON + 2, firstSeenAt: NOON + 3 }])
    expect(await idsOf(query('f'))).toEqual(expected.map((name) => `urn:${name}`))
  })

  it('is ordered by a stated score, which JSON Feed shows; order takes nothing out of the window, of pages or of deltas', async () => {
    const order = { by: 'SCORE', descending: true, reads: ['heavy'] } as const
    const terms = [
      { factor: 2, of: 'WEIGHT', halfLifeMs: null },
      { factor: 4, of: 'FRESHNESS', halfLifeMs: 60_000 },
      { factor: 8, of: 'SIMILARITY', halfLifeMs: null },
    ] as const
    const orderOf = ({ name }: QueryFeed) => (name === 'f' ? { ...order, terms } : null)
    feeds = createFeedService({ store, clock, baseUrl: 'http://node.example', orderOf })
    const [feed, heavy] = [await saveFeed(store, 'f', { limit: 4 }), await saveFeed(store, 'heavy')]
    await store.updateQueryFeed(heavy.id, { weight: 3 })
    const light = await addSource(store, 'https://b.example/feed', { weight: 1 })
    const publish = async (id: string, sourceId: number, sortAt: number, joined: number[] = []) =>
      (await publishItems(store, feed, sourceId, [{ id: `urn:${id}`, title: 'ash cloud', sortAt }], { joined }))[0]!
    const old = await publish('old', light.id, NOON - 120_000)
    await publish('new', light.id, NOON)
    await publish('alike', light.id, NOON - 600_000, [old])
    const known = (await feeds.get(query('f'), 'json'))!.etag
    const byHeavy = await publish('heavy', light.id, NOON - 600_000)
    const publication = { feedId: heavy.id, version: heavy.version, itemSeq: byHeavy, joined: [] }
    await store.publish({ cursor: 0, publications: [publication], itemCounts: new Map(), matches: [], at: NOON })
    const json = JSON.parse((await feeds.get(query('f'), 'json'))!.body.toString())
    const scores = json.items.map((one: { id: string; _headwater: { score: number } }) => [
      one.id,
      one._headwater.score,
    ])
    expect(scores).toEqual([
      ['urn:alike', 10.0039],
      ['urn:heavy', 6.00391],
      ['urn:new', 6],
      ['urn:old', 3],
    ])
    const delta = await feeds.delta({ kind: 'query', name: 'f' }, 'json', known)
    expect(JSON.parse(delta!.body.toString()).items.map(({ id }: { id: string }) => id)).toEqual(['urn:heavy'])
    // The oldest leaves the window, whatever its score; the archive is in the order of publication.
    await publish('last', source.id, NOON - 3_600_000)
    expect(await idsOf(query('f'))).toEqual(['urn:alike', 'urn:heavy', 'urn:new', 'urn:last'])
    const archived = await idsOf({ kind: 'query', name: 'f', archive: parseArchive('0-4')! })
    expect(archived).toEqual(['urn:heavy', 'urn:alike', 'urn:new', 'urn:old'])
  })

  it('is about what the sources of its items declare, the commonest first; folders are not shown', async () => {
    const feed = await saveFeed(store, 'f')
    const other = await addSource(store, 'https://b.example/feed', { categories: ['Job search'] })
    await storeItems(store, other.id, [], { feedCategories: ['Science', 'Space'] })
    await storeItems(store, source.id, [], { feedCategories: ['Technology', 'Science'] })
    await publishItems(store, feed, source.id, items(0, 2))
    await publishItems(store, feed, other.id, items(2, 3))
    expect((await atom(query('f')))?.categories).toEqual([
      { term: 'Science' },
      { term: 'Technology' },
      { term: 'Space' },
    ])
    const entries = (await atom(query('f')))?.entries
    expect(entries?.[0]?.source?.categories).toEqual([{ term: 'Science' }, { term: 'Space' }])
    const rss = parseRssFeed((await feeds.get(query('f'), 'rss'))!.body.toString())
    expect(rss.categories?.map(({ name }) => name)).toEqual(['Science', 'Technology', 'Space'])
    const json = JSON.parse((await feeds.get(query('f'), 'json'))!.body.toString())
    expect(json._headwater.categories).toEqual(['Science', 'Technology', 'Space'])
    expect(json.items[0]._headwater.source_categories).toEqual(['Science', 'Space'])
    const own = await atom({ kind: 'source', sourceId: source.id })
    expect(own?.categories).toEqual([{ term: 'Technology' }, { term: 'Science' }])
    for (const format of ['rss', 'atom', 'json'] as const) {
      expect((await feeds.get(query('f'), format))?.body.toString()).not.toContain('Job search')
    }
  })

  it('shows what is published or altered at once, and keeps its ETag while nothing is', async () => {
    const feed = await saveFeed(store, 'f')
    await publishItems(store, feed, source.id, [item(1)])
    const first = await feeds.get(query('f'), 'rss')
    expect(await feeds.get(query('f'), 'rss')).toBe(first)
    await publishItems(store, feed, source.id, [item(2)])
    const second = await feeds.get(query('f'), 'rss')
    expect(second?.etag).not.toBe(first?.etag)
    await saveFeed(store, 'f', { title: 'New' })
    expect((await feeds.get(query('f'), 'rss'))?.body.toString()).toContain('<title>New</title>')
    const restarted = createFeedService({ store, clock, baseUrl: 'http://node.example' })
    expect((await restarted.get(query('f'), 'rss'))?.etag).toBe((await feeds.get(query('f'), 'rss'))?.etag)
  })

  it('names the items that it was joined with, in every format', async () => {
    const feed = await saveFeed(store, 'f')
    const agency = await addSource(store, 'https://agency.example/feed', { name: 'Agency' })
    await storeItems(store, agency.id, [{ id: 'urn:r', title: 'Related & co', link: 'https://agency.example/r' }])
    await publishItems(store, feed, source.id, [item(1)], { joined: [await store.lastItemSeq(), 999] })
    expect((await atom(query('f')))?.entries?.[0]?.links).toContainEqual({
      href: 'https://agency.example/r',
      rel: 'related',
      title: 'Related & co',
    })
    const rss = parseRssFeed((await feeds.get(query('f'), 'rss'))!.body.toString())
    expect(rss.items?.[0]?.atom?.links).toMatchObject([{ href: 'https://agency.example/r', rel: 'related' }])
    const json = JSON.parse((await feeds.get(query('f'), 'json'))!.body.toString())
    expect(json.items[0]._headwater.related).toEqual([
      { id: 'urn:r', title: 'Related & co', url: 'https://agency.example/r', source_title: 'Agency' },
    ])
    expect(json.items[0].url).toBe('https://a.example/1')
  })
})

/** The link with a relation, as the address of the document. */
function linkOf(links: readonly { rel?: string; href?: string }[] | undefined, rel: string): string | null {
  return links?.find((link) => link.rel === rel)?.href ?? null
}

async function addressOf(url: string): Promise<FeedAddress> {
  const { searchParams, pathname } = new URL(url)
  const name = pathname.slice('/feeds/'.length).replace(/\.\w+$/, '')
  if (!searchParams.has('after')) {
    const archive = parseArchive(searchParams.get('archive') ?? '')
    return archive ? { kind: 'query', name, archive } : query(name)
  }
  return addressOf(`http://x/feeds/${name}.atom${await feeds.documentAfter(name, Number(searchParams.get('after')))}`)
}

/** From the feed back to its beginning; `between` happens before each step. */
async function walkBack(name: string, between: () => Promise<void> = async () => {}) {
  const documents: { url: string; ids: (string | undefined)[] }[] = []
  let url: string | null = `http://node.example/feeds/${name}.atom`
  while (url !== null) {
    const document: Awaited<ReturnType<typeof atom>> = await atom(await addressOf(url))
    documents.push({ url, ids: document!.entries?.map(({ id }) => id) ?? [] })
    url = linkOf(document!.links, 'prev-archive')
    await between()
  }
  return documents
}

describe('the archive of a query feed (RFC 5005 §4)', () => {
  it('gives every item exactly once when walked back, whatever is published meanwhile', async () => {
    const sizes = fc.record({ limit: fc.integer({ min: 1, max: 8 }), before: fc.nat(40), each: fc.nat(3) })
    let run = 0
    await fc.assert(
      fc.asyncProperty(sizes, async ({ limit, before, each }) => {
        const name = `f${++run}`
        const feed = await saveFeed(store, name, { limit })
        let count = 0
        const publish = async (more: number) => {
          await publishItems(store, feed, source.id, items(run * 1_000 + count, run * 1_000 + count + more))
          count += more
        }
        await publish(before)
        const expected = items(run * 1_000, run * 1_000 + before).map(({ id }) => id)
        const [newest, ...archives] = await walkBack(name, () => publish(each))
        const current = present(newest)
        const archived = archives.flatMap(({ ids }) => ids)
        expect(new Set(archived).size).toBe(archived.length)
        expect([...new Set([...current.ids, ...archived])].sort()).toEqual([...expected].sort())
        expect(current.ids).toEqual(expected.slice(-limit).reverse())
        for (const { ids } of archives) expect(ids).toHaveLength(Math.min(limit, 100))
      }),
      { numRuns: 40 },
    )
  })

  it('has documents that never change once they are full', async () => {
    const feed = await saveFeed(store, 'f', { limit: 4 })
    await publishItems(store, feed, source.id, items(0, 18))
    const bodies = new Map<string, string>()
    for (let n = 18; n < 30; n += 3) {
      for (const { url } of (await walkBack('f')).slice(1)) {
        for (const format of ['rss', 'atom', 'json'] as const) {
          const rendered = await createFeedService({ store, clock, baseUrl: 'http://node.example' }).get(
            await addressOf(url),
            format,
          )
          const key = `${url} ${format}`
          expect(rendered!.body.toString()).toBe(bodies.get(key) ?? rendered!.body.toString())
          bodies.set(key, rendered!.body.toString())
        }
      }
      await publishItems(store, feed, source.id, items(n, n + 3))
    }
    expect(bodies.size).toBeGreaterThanOrEqual(3 * 6)
  })

  it('leads forward again, to the feed in the end, and marks its documents', async () => {
    const feed = await saveFeed(store, 'f', { limit: 4 })
    await publishItems(store, feed, source.id, items(0, 13))
    const documents = await walkBack('f')
    const oldest = documents.at(-1)!
    const titles: string[] = []
    let url: string | null = oldest.url
    while (url !== null) {
      const address = await addressOf(url)
      const document: Awaited<ReturnType<typeof atom>> = await atom(address)
      titles.push(linkOf(document!.links, 'self')!)
      const isArchive = address.kind === 'query' && address.archive !== undefined
      const text = (await feeds.get(address, 'rss'))!.body.toString()
      expect(text.includes('<fh:archive xmlns:fh="http://purl.org/syndication/history/1.0"/>')).toBe(isArchive)
      if (isArchive) expect(linkOf(document!.links, 'current')).toBe('http://node.example/feeds/f.atom')
      url = linkOf(document!.links, 'next-archive')
    }
    expect(titles.at(-1)).toBe('http://node.example/feeds/f.atom')
    // Pieces of four: 12 of 13 items are archived, of which the feed still shows three.
    expect(titles).toHaveLength(4)
    expect(titles.slice(0, 3).reverse()).toEqual(expect.arrayContaining(documents.slice(1).map((one) => one.url)))
  })

  it('is paged by the same documents (§3), which JSON Feed calls next_url', async () => {
    const feed = await saveFeed(store, 'f', { limit: 2 })
    await publishItems(store, feed, source.id, items(0, 5))
    const { links } = (await atom(query('f')))!
    expect(linkOf(links, 'next')).toBe(linkOf(links, 'prev-archive'))
    expect(linkOf(links, 'first')).toBe('http://node.example/feeds/f.atom')
    expect(await idsOf(await addressOf(linkOf(links, 'last')!))).toEqual(['urn:item:1', 'urn:item:0'])
    const json = parseJsonFeed((await feeds.get(query('f'), 'json'))!.body.toString())
    expect(await addressOf(json.next_url!)).toEqual(await addressOf(linkOf(links, 'next')!))
  })

  it.each(['0-99', '5-5', '3-1', '1', '-', '0-1e3'])('has no document %s', async (range) => {
    const feed = await saveFeed(store, 'f', { limit: 2 })
    await publishItems(store, feed, source.id, items(0, 5))
    const archive = parseArchive(range)
    expect(archive && (await feeds.get({ kind: 'query', name: 'f', archive }, 'rss'))).toBeNull()
  })
})

describe('deltas (RFC 3229)', () => {
  type Step = { readonly publish: number; readonly edit: number | null; readonly poll: boolean }
  const step: fc.Arbitrary<Step> = fc.record({
    publish: fc.nat(4),
    edit: fc.option(fc.nat(20)),
    poll: fc.boolean(),
  })

  it('joined to what was there make the whole feed', async () => {
    let run = 0
    let deltas = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const name = `d${++run}`
        const feed = await saveFeed(store, name, { limit: 10 })
        const own = await addSource(store, `https://d.example/${run}`)
        const reader = newReader(name)
        await reader.poll()
        let count = 0
        for (const { publish, edit, poll } of steps) {
          clock.pass(1_000)
          const fresh = items(count, count + publish).map((one) => ({ ...one, id: `${one.id}:${run}` }))
          await publishItems(
            store,
            feed,
            own.id,
            fresh.map((one) => ({ ...one, key: keyOf(one.id) })),
          )
          count += publish
          if (edit !== null && edit < count) await editItem(own, `urn:item:${edit}:${run}`, `edited at ${clock.now()}`)
          if (poll) await reader.poll()
        }
        await reader.poll()
        const entries = (await atom(query(name)))!.entries ?? []
        for (const entry of entries) expect(reader.known.get(entry.id!)).toBe(entry.title?.value)
        const all = await store.publications(feed.id, { limit: 100 })
        if (reader.missed === 0) expect(reader.known.size).toBe(all.length)
        deltas += reader.deltas
      }),
      { numRuns: 40 },
    )
    expect(deltas).toBeGreaterThan(50)
  })

  it('hold only what is new, under the ETag of the whole', async () => {
    const feed = await saveFeed(store, 'f')
    await publishItems(store, feed, source.id, items(0, 5))
    const before = (await feeds.get(query('f'), 'rss'))!
    await publishItems(store, feed, source.id, items(5, 7))
    const delta = await feeds.delta({ kind: 'query', name: 'f' }, 'rss', `"x", W/${before.etag}`)
    const { items: entries } = parseRssFeed(delta!.body.toString())
    expect(entries?.map(({ guid }) => guid?.value)).toEqual(['urn:item:6', 'urn:item:5'])
    expect(delta?.etag).toBe((await feeds.get(query('f'), 'rss'))?.etag)
  })

  it('are not made of a version that is unknown, too old, or of another query', async () => {
    const feed = await saveFeed(store, 'f', { limit: 3 })
    await publishItems(store, feed, source.id, items(0, 3))
    const { etag } = (await feeds.get(query('f'), 'rss'))!
    const ask = (tag: string) => feeds.delta({ kind: 'query', name: 'f' }, 'rss', tag)
    expect(await ask(etag)).not.toBeNull()
    for (const tag of ['"nonsense"', '*', '"a.1.zzzzz.1"', '"a.99.1.1"']) expect(await ask(tag)).toBeNull()
    await publishItems(store, feed, source.id, items(3, 7))
    expect(await ask(etag)).toBeNull()
  })

  /** Polls as RFC 3229 has it, and keeps all that it ever saw. */
  function newReader(name: string) {
    const known = new Map<string, string | undefined>()
    let etag: string | null = null
    const reader = { known, poll, missed: 0, deltas: 0 }
    async function poll() {
      const address = { kind: 'query', name } as const
      const whole = (await feeds.get(address, 'atom'))!
      if (whole.etag === etag) return
      const delta: Awaited<ReturnType<FeedService['delta']>> = etag ? await feeds.delta(address, 'atom', etag) : null
      if (delta !== null) reader.deltas++
      else if (etag !== null) reader.missed++
      for (const { id, title } of parseAtomFeed((delta ?? whole).body.toString()).entries ?? []) {
        known.set(id!, title?.value)
      }
      etag = (delta ?? whole).etag
    }
    return reader
  }

  const keyOf = (id: string) => Buffer.from(id).toString('hex').padEnd(32, '0').slice(-32)

  async function editItem(of: Source, id: string, title: string) {
    const current = (await store.source(of.id))!
    const arrivals = await store.arrivals({ kind: 'source', sourceId: of.id }, 100)
    const known = present(arrivals.find((one) => one.id === id))
    await store.recordRefresh({
      sourceId: of.id,
      state: current.state,
      movedTo: null,
      observation: null,
      renamedItems: [],
      intake: null,
      newItems: [],
      changedItems: [{ ...known, title, contentHash: keyOf(title), changedAt: clock.now() }],
    })
    feeds.markQueryFeedsStale([...(await store.publishedIn([known.seq])).values()].flat())
  }
})

describe('attribution', () => {
  it('names the feed that an aggregator has an item from, and keeps its id', async () => {
    const feed: QueryFeed = await saveFeed(store, 'f')
    const extensions = { 'origin:title': 'Original', 'origin:url': 'https://user:pw@o.example/feed' }
    await publishItems(store, feed, source.id, [{ ...item(1), extensions }])
    const [entry] = (await atom(query('f')))!.entries!
    expect(entry).toMatchObject({ id: 'urn:item:1', source: { id: 'https://o.example/feed' } })
    const rss = parseRssFeed((await feeds.get(query('f'), 'rss'))!.body.toString())
    expect(rss.items?.[0]?.source).toEqual({ title: 'Original', url: 'https://o.example/feed' })
  })
})
