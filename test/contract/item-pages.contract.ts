import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NODE_READER } from '../../src/buffer/buffer.ts'
import { SHARDS } from '../../src/cluster/shards.ts'
import type { PageFacts, Source } from '../../src/model/index.ts'
import type { FoundPage, PageRecord } from '../../src/store/item-pages.ts'
import { shardOf } from '../../src/store/shards.ts'
import type { NewItem, Store } from '../../src/store/store.ts'
import { type Adapter, ALL, addOne, changedItem, newItem, observation, record, START } from './store.fixture.ts'

const FACTS: PageFacts = {
  canonicalUrl: 'https://a.example/one',
  title: 'One',
  author: 'Ann',
  published: START,
  language: 'en',
  languageIs: 'declared',
  categories: ['Ice', 'Sea'],
  category: 'Ice',
  categoryIs: 'page',
  leadImage: { url: 'https://a.example/one.jpg', width: 640, height: null },
  wall: null,
  by: 'readability',
  confidence: 0.75,
}
const KEEP_ALL = { maxAgeMs: null, maxItemsPerSource: null, maxObservationAgeMs: null }

/** Pages that items link to: queued with them, settled once, gone with them. */
export function describeItemPages(adapter: Adapter): void {
  describe(`pages of items: ${adapter.name}`, () => {
    let opening: Awaited<ReturnType<Adapter['open']>>
    let store: Store
    let source: Source
    beforeEach(async () => {
      opening = await adapter.open()
      store = opening.store
      source = await addOne(store, 'http://feeds.a.example/', { pages: 'fetch' })
    })
    afterEach(() => opening.end())

    const item = (name: string, link: string | null, fields: Partial<NewItem> = {}) =>
      newItem(name, { link, firstSeenAt: START, ...fields })
    const add = (items: readonly NewItem[], fetchesPages = true) =>
      store.recordRefresh(
        record(source, {
          observation: observation(source.id, START),
          newItems: items,
          ...(fetchesPages && { fetchesPages: true }),
        }),
      )
    const due = (now = START, query: Partial<Parameters<Store['duePages']>[1]> = {}) =>
      store.duePages(now, { limit: 10, ...query })
    const PAGE: FoundPage = {
      finalUrl: 'https://a.example/one?from=feed',
      contentType: 'text/html; charset=latin1',
      etag: '"one"',
      lastModified: null,
      facts: FACTS,
      body: Buffer.from('zipped'),
      article: '<p>glacier words</p>',
    }
    const found = (seq: number, fields: Partial<PageRecord & FoundPage> = {}): PageRecord => {
      const { finalUrl, contentType, etag, lastModified, facts, body, article, ...rest } = { ...PAGE, ...fields }
      const page = { finalUrl, contentType, etag, lastModified, facts, body, article }
      return { seq, attempts: 1, dueAt: null, fetchedAt: START + 5, status: 200, failure: null, found: page, ...rest }
    }

    it('keeps the setting', async () => {
      expect(source.pages).toBe('fetch')
      expect((await addOne(store, 'http://b/')).pages).toBe('off')
      expect(await store.updateSource(source.id, { pages: 'off' })).toMatchObject({ pages: 'off' })
      expect(await store.updateSource(source.id, { weight: 2, pages: 'fetch' })).toMatchObject({ pages: 'fetch' })
      expect(await store.source(source.id)).toMatchObject({ pages: 'fetch', weight: 2 })
    })

    it('queues one for each new item that links to one, once', async () => {
      const links = ['https://www.a.example/one#top', null, 'mailto:me@a.example', 'no address', 'http://b.example/']
      const items = links.map((link, k) => item(`item ${k}`, link))
      await add(items)
      await add(items)
      const [one, two, ...others] = await due()
      expect(others).toEqual([])
      expect(one).toEqual({
        seq: one!.seq,
        sourceId: source.id,
        url: 'https://www.a.example/one',
        shard: shardOf('https://a.example/', SHARDS),
        attempts: 0,
        known: null,
      })
      expect(two).toMatchObject({ url: 'http://b.example/' })
      expect(await store.itemPage(one!.seq)).toMatchObject({ dueAt: START, fetchedAt: null, facts: null, bodyBytes: 0 })
    })

    it('queues none where nobody asked for it', async () => {
      await add([item('one', 'https://a.example/1')], false)
      expect(await due()).toEqual([])
      expect(await store.itemPage(1)).toBeNull()
      expect(await store.pageBody(1)).toBeNull()
    })

    it('gives those that are due, the longest due first, of a part, without sites that are being visited', async () => {
      const at = [3, 1, 2]
      await add(at.map((k) => item(`item ${k}`, `https://site${k}.example/`, { firstSeenAt: START + k })))
      const urls = async (...query: Parameters<typeof due>) => (await due(...query)).map(({ url }) => url.slice(8, 13))
      expect(await urls(START)).toEqual([])
      expect(await urls(START + 2)).toEqual(['site1', 'site2'])
      expect(await urls(START + 9)).toEqual(['site1', 'site2', 'site3'])
      expect(await urls(START + 9, { limit: 1 })).toEqual(['site1'])
      const shards = new Set([1, 3].map((k) => shardOf(`https://site${k}.example/`, SHARDS)))
      expect(await urls(START + 9, { part: { shards, of: SHARDS } })).toEqual(['site1', 'site3'])
      expect(await urls(START + 9, { without: shards })).toEqual(['site2'])
    })

    it('lists an item with the picture of its page, where its feed names none', async () => {
      await add([
        item('none', 'https://a.example/1'),
        item('own', 'https://b.example/2', { image: 'https://b.example/own.png' }),
        item('waiting', 'https://c.example/3'),
      ])
      const pages = await due()
      for (const { seq, url } of pages) if (!url.startsWith('https://c.')) await store.recordPage(found(seq))
      const heads = await store.itemHeads(pages.map(({ seq }) => seq))
      expect(Object.fromEntries(heads.map(({ title, image }) => [title, image]))).toEqual({
        none: 'https://a.example/one.jpg',
        own: 'https://b.example/own.png',
        waiting: null,
      })
    })

    it('stores what was found, and hands the item out as edited', async () => {
      const { buffer } = opening
      await buffer.register('reader', { from: 'end', ...NODE_READER })
      await add([item('one', 'https://a.example/1', { content: 'teaser' })])
      const [page] = await due()
      const { seq } = page!
      expect(await store.recordPage(found(seq))).toBe(true)
      expect(await store.itemPage(seq)).toEqual({
        ...page,
        attempts: 1,
        dueAt: null,
        fetchedAt: START + 5,
        status: 200,
        finalUrl: 'https://a.example/one?from=feed',
        contentType: 'text/html; charset=latin1',
        known: { etag: '"one"', lastModified: null },
        failure: null,
        facts: FACTS,
        bodyBytes: 6,
      })
      expect(Buffer.from((await store.pageBody(seq))!).toString()).toBe('zipped')
      const [stored] = await store.itemsBySeq([seq])
      expect(stored).toMatchObject({ content: 'teaser', article: '<p>glacier words</p>', changedAt: START + 5 })
      const entries = await buffer.read('reader', 10)
      expect(entries.map(({ kind }) => kind)).toEqual(['new', 'changed'])
      expect(entries[1]!.item).toEqual(stored)
      expect((await buffer.read('reader', 10, { parts: 'labels' }))[1]!.item).not.toHaveProperty('article')
      expect(await store.arrivals(ALL, 5)).toEqual([stored])
      expect(await store.itemsAfter(0, 5)).toEqual([stored])
    })

    it('settles a page once, and says so', async () => {
      await add([item('one', 'https://a.example/1')])
      const [page] = await due()
      const again = START + 9_000
      const later = found(page!.seq, {
        dueAt: again,
        failure: 'HTTP_SERVER_ERROR',
        found: null,
      })
      expect(await store.recordPage(later)).toBe(true)
      expect(await due(START + 8_999)).toEqual([])
      expect(await due(again)).toEqual([{ ...page, attempts: 1 }])
      expect(await store.recordPage(found(page!.seq, { attempts: 2 }))).toBe(true)
      expect(await store.recordPage(found(page!.seq, { article: 'other' }))).toBe(false)
      expect(await store.recordPage(found(page!.seq + 1))).toBe(false)
      expect((await store.itemsBySeq([page!.seq]))[0]!.article).toBe('<p>glacier words</p>')
      expect(await due(again)).toEqual([])
    })

    it('leaves the item as its feed has it where the page says no more', async () => {
      await add([item('one', 'https://a.example/1')])
      const [{ seq } = { seq: 0 }] = await due()
      const [before] = await store.itemsBySeq([seq])
      expect(await store.recordPage(found(seq, { article: null }))).toBe(true)
      expect(await store.itemsBySeq([seq])).toEqual([before])
    })

    it('is searched with the item, before and after it was indexed, and stays when the feed edits the item', async () => {
      const seqs = async (text: string) => (await store.items({ scope: ALL, text, limit: 9 })).map(({ seq }) => seq)
      await add([item('one', 'https://a.example/1', { content: 'teaser' }), item('two', 'https://b.example/1')])
      const [one, two] = await due()
      await store.recordPage(found(one!.seq))
      expect(await seqs('glacier')).toEqual([one!.seq])
      await store.recordPage(found(two!.seq))
      expect((await seqs('"glacier words"')).sort()).toEqual([one!.seq, two!.seq])
      const word = { kind: 'word', word: 'glacier' } as const
      expect(await store.seqsHolding(word, { after: 0, limit: 9 })).toEqual([one!.seq, two!.seq])
      const edit = changedItem('one', { content: 'another teaser', changedAt: START + 60 })
      await store.recordRefresh(
        record(source, { observation: observation(source.id, START + 60), changedItems: [edit] }),
      )
      expect(await seqs('glacier another')).toEqual([one!.seq])
      expect(await seqs('glacier -another')).toEqual([two!.seq])
    })

    it('queues pages of items that somebody else wants, once', async () => {
      await add([item('one', 'https://a.example/1'), item('two', null)], false)
      const items = await store.itemsAfter(0, 9)
      await store.queuePages(items, START + 5)
      await store.queuePages([...items, { seq: 99, sourceId: source.id, link: 'https://gone.example/' }], START + 9)
      expect(await due(START + 9)).toMatchObject([{ seq: items[0]!.seq, url: 'https://a.example/1', attempts: 0 }])
      expect(await due(START + 4)).toEqual([])
      expect(await store.itemPage(items[1]!.seq)).toBeNull()
    })

    it('holds items back until their page was asked for, or the time is over', async () => {
      const { buffer } = opening
      const links = ['https://a.example/1', 'https://b.example/1', 'https://c.example/1', 'https://d.example/1']
      await add(links.map((link, k) => item(`item ${k}`, link, { firstSeenAt: START + k })))
      const [found1, failed2, late3, settled4] = (await due(START + 9)).map(({ seq }) => seq) as number[]
      await store.recordPage(found(settled4!))
      await buffer.register('reader', { from: 'end', ...NODE_READER })
      const until = START + 1_000
      const all = [found1, failed2, late3, settled4, 999].map((seq) => ({ seq: seq!, until }))
      expect(await store.holdForPages(all)).toEqual(new Set([found1, failed2, late3]))
      await store.holdForPages([{ seq: late3!, until: until + 500 }])
      expect(await store.endHolds(until - 1)).toBe(0)
      const handedOut = async () => {
        const entries = await buffer.read('reader', 9)
        if (entries.length > 0) await buffer.acknowledge('reader', entries.at(-1)!.cursor)
        return entries.map(({ kind, item: { seq } }) => [kind, seq])
      }
      expect(await handedOut()).toEqual([])
      // What says no more than the feed, and what fails, ends the wait, too.
      await store.recordPage(found(found1!, { article: null }))
      await store.recordPage(found(failed2!, { dueAt: START + 9_000, failure: 'HTTP_UNAVAILABLE', found: null }))
      expect(await handedOut()).toEqual([
        ['changed', found1],
        ['changed', failed2],
      ])
      expect(await store.holdForPages([{ seq: failed2!, until }])).toEqual(new Set())
      expect(await store.endHolds(until)).toBe(1)
      expect(await store.endHolds(until + 9_000)).toBe(0)
      expect(await handedOut()).toEqual([['changed', late3]])
    })

    it('a host that rests ends no wait', async () => {
      await add([item('one', 'https://a.example/1')])
      const [{ seq } = { seq: 0 }] = await due()
      await store.holdForPages([{ seq, until: START + 99 }])
      await store.recordPage(found(seq, { attempts: 0, dueAt: START + 50, failure: 'FETCH_HOST_BUSY', found: null }))
      expect(await store.endHolds(START + 99)).toBe(1)
    })

    it('asks again for what is settled; another text is an edit, the same is none, and a failure leaves what was there', async () => {
      const { buffer } = opening
      await add([item('one', 'https://a.example/1')])
      const [{ seq } = { seq: 0 }] = await due()
      expect(await store.askAgain([seq], START + 20)).toBe(0)
      await store.recordPage(found(seq))
      await buffer.register('reader', { from: 'end', ...NODE_READER })
      expect(await store.askAgain([seq, 99], START + 20)).toBe(1)
      expect(await due(START + 20)).toMatchObject([{ seq, attempts: 0, known: { etag: '"one"', lastModified: null } }])
      expect(await store.pageSums(source.id)).toMatchObject({ waiting: 0, fetched: 1 })
      expect(await store.holdForPages([{ seq, until: START + 99 }])).toEqual(new Set())
      const entries = async () => (await buffer.read('reader', 9)).length
      await store.recordPage(found(seq, { dueAt: START + 30, fetchedAt: START + 20 }))
      expect(await entries()).toBe(0)
      await store.recordPage(found(seq, { dueAt: START + 40, failure: 'HTTP_GONE', status: 410, found: null }))
      expect(await store.itemPage(seq)).toMatchObject({ facts: FACTS, failure: 'HTTP_GONE', bodyBytes: 6 })
      await store.recordPage(found(seq, { fetchedAt: START + 40, article: '<p>other words</p>', etag: '"two"' }))
      expect(await entries()).toBe(1)
      expect((await store.itemsBySeq([seq]))[0]).toMatchObject({
        article: '<p>other words</p>',
        changedAt: START + 40,
      })
    })

    it('lists what is stored, by source, in the order of items', async () => {
      await add(['a', 'b', 'c'].map((name, k) => item(name, `https://${name}.example/`, { firstSeenAt: START + k })))
      const pages = await due(START + 9)
      await store.recordPage(found(pages[2]!.seq))
      await store.recordPage(found(pages[0]!.seq))
      await store.recordPage(found(pages[1]!.seq, { body: null }))
      const seqs = async (query: Partial<Parameters<Store['storedPages']>[0]>) =>
        (await store.storedPages({ after: 0, limit: 9, ...query })).map(({ seq }) => seq)
      expect(await seqs({})).toEqual([pages[0]!.seq, pages[2]!.seq])
      expect(await seqs({ sourceId: source.id, after: pages[0]!.seq })).toEqual([pages[2]!.seq])
      expect(await seqs({ sourceId: source.id + 1 })).toEqual([])
      expect(await seqs({ limit: 1 })).toEqual([pages[0]!.seq])
    })

    it('counts pages by source, and forgets them with their items and sources', async () => {
      const links = ['https://a.example/1', 'https://b.example/1', 'https://c.example/1']
      await add(links.map((link, k) => item(`item ${k}`, link, { firstSeenAt: START + k })))
      const pages = await due(START + 9)
      await store.recordPage(found(pages[0]!.seq))
      await store.recordPage(found(pages[1]!.seq, { failure: 'PAGE_ROBOTS', found: null }))
      expect(await store.pageSums(source.id)).toEqual({ waiting: 1, fetched: 1, failed: 1, bodyBytes: 6 })
      await store.prune({ ...KEEP_ALL, maxItemsPerSource: 1 }, START + 9)
      const left = await store.pageSums(source.id)
      expect(left.waiting + left.fetched + left.failed).toBe(await store.itemCount(source.id))
      await store.removeSource(source.id)
      expect(await store.pageSums(source.id)).toEqual({ waiting: 0, fetched: 0, failed: 0, bodyBytes: 0 })
      expect(await due(START + 9)).toEqual([])
    })
  })
}
