import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NODE_READER } from '../../src/buffer/buffer.ts'
import { DAY_MS, HOUR_MS, type Source, type SourceState } from '../../src/model/index.ts'
import { mediaOf } from '../../src/store/item-media.ts'
import { textState } from '../../src/store/node-state.ts'
import { mixedWindow } from '../../src/store/rules/mixed-window.ts'
import type { Store } from '../../src/store/store.ts'
import type { WordNeeds } from '../../src/store/text/words-needed.ts'
import {
  type Adapter,
  ALL,
  addOne,
  changedItem,
  hex,
  newItem,
  type Opening,
  observation,
  record,
  START,
  settings,
  windowOf,
} from './store.fixture.ts'

const ADDRESS = textState('address')
const NEWS = { kind: 'category', category: 'News' } as const

/** Every word of src/store/store.ts that can be tried. */
export function describeStore(adapter: Adapter): void {
  describe(`store: ${adapter.name}`, () => {
    let opening: Opening
    let store: Store
    beforeEach(async () => {
      opening = await adapter.open()
      store = opening.store
    })
    afterEach(() => opening.end())

    const titles = async (query: Partial<Parameters<Store['items']>[0]>) =>
      (await store.items({ scope: ALL, limit: 100, ...query })).map((item) => item.title)

    describe('sources', () => {
      it('adds what is not there yet, by URL, one answer per entry in order', async () => {
        await addOne(store, 'http://b/')
        const answers = await store.addSources([settings('http://a/'), settings('http://b/'), settings('http://a/')], 7)
        expect(answers.map(({ added }) => added)).toEqual([true, false, false])
        expect(answers[0]!.source.id).toBe(answers[2]!.source.id)
        expect((await store.sources()).map(({ url }) => url)).toEqual(['http://b/', 'http://a/'])
        expect((await store.counts()).sources).toBe(2)
      })

      it('returns every setting, and the state of one never fetched', async () => {
        const all = settings('http://a/', {
          name: 'Ä name',
          categories: ['Tech', 'News/Science', 'Tech'],
          weight: 2.5,
          intervalMs: 60_000,
          headers: { 'x-key': '1' },
          basicAuth: { user: 'u', password: 'p' },
          userAgent: 'agent',
          proxyUrl: 'http://proxy/',
          paused: true,
        })
        const [{ source } = { source: null! }] = await store.addSources([all], 7)
        expect(source).toMatchObject({ ...all, categories: ['News/Science', 'Tech'], addedAt: 7 })
        expect(source.state).toMatchObject({ status: 'new', window: [], lastCheckAt: null, datesCredible: true })
        expect(await store.source(source.id)).toEqual(source)
        expect(await store.sourceByUrl('http://a/')).toEqual(source)
        expect(await store.source(99)).toBeNull()
        expect(await store.sourceByUrl('http://z/')).toBeNull()
      })

      it('changes settings and leaves the rest', async () => {
        const source = await addOne(store, 'http://a/', { name: 'old', weight: 3 })
        const changed = await store.updateSource(source.id, { name: 'new', categories: ['B', 'A'] })
        expect(changed).toEqual({ ...source, name: 'new', categories: ['A', 'B'] })
        expect(await store.source(source.id)).toEqual(changed)
        expect(await store.updateSource(99, { name: 'x' })).toBeNull()
      })

      it('forgets what the old document was known by when the URL changes', async () => {
        const source = await addOne(store, 'http://a/')
        const known: SourceState = {
          ...source.state,
          title: 'kept',
          etag: '"1"',
          lastModified: 'Mon',
          bodyHash: hex('b'),
          movingTo: { url: 'http://c/', confirmations: 1 },
        }
        await store.recordRefresh(record(source, { state: known }))
        const changed = await store.updateSource(source.id, { url: 'http://b/' })
        expect(changed?.state).toEqual({ ...known, etag: null, lastModified: null, bodyHash: null, movingTo: null })
      })

      it('begins a new window when a page is read by other selectors, and only then', async () => {
        const listing = { list: 'li', date: '.day' }
        const source = await addOne(store, 'http://a/', { listing, userAgent: 'me' })
        expect(source).toMatchObject({ listing, userAgent: 'me' })
        const window = [{ key: hex('1'), contentHash: hex('2'), alias: null, published: null }]
        const known: SourceState = { ...source.state, etag: '"1"', lastModified: 'Mon', bodyHash: hex('b'), window }
        await store.recordRefresh(record(source, { state: known }))
        const renamed = await store.updateSource(source.id, { name: 'x', listing: { ...listing } })
        expect(renamed?.state).toEqual(known)
        const forgotten = { ...known, etag: null, lastModified: null, bodyHash: null, window: [] }
        const changed = await store.updateSource(source.id, { listing: { element: '#x' } })
        expect(changed).toEqual({ ...source, name: 'x', listing: { element: '#x' }, state: forgotten })
        const { listing: _, ...plain } = { ...source, name: 'x', state: forgotten }
        expect(await store.updateSource(source.id, { listing: null })).toEqual(plain)
        expect(await store.source(source.id)).toEqual(plain)
      })

      it('refuses the URL of another source', async () => {
        const source = await addOne(store, 'http://a/')
        await addOne(store, 'http://b/')
        await expect(store.updateSource(source.id, { url: 'http://b/' })).rejects.toMatchObject({
          code: 'SOURCE_EXISTS',
        })
        expect((await store.source(source.id))?.url).toBe('http://a/')
      })

      it.each([
        [{ category: 'News' }, ['1', '2']],
        [{ category: 'News/Science' }, ['2']],
        [{ category: 'New' }, []],
        [{ text: 'ÜBER' }, ['1']],
        [{ text: 'TITLE' }, ['3']],
        [{ text: 'http://x/2' }, ['2']],
        [{ status: 'active' as const }, ['3']],
        [{ limit: 2 }, ['1', '2']],
        [{ limit: 0 }, []],
        [{}, ['1', '2', '3']],
      ])('lists by %j', async (filter, expected) => {
        await addOne(store, 'http://x/1', { name: 'Über uns', categories: ['News'] })
        await addOne(store, 'http://x/2', { categories: ['News/Science'] })
        const third = await addOne(store, 'http://x/3', { categories: ['Newspaper'] })
        await store.recordRefresh(record(third, { state: { ...third.state, status: 'active', title: 'A title' } }))
        expect((await store.sources(filter)).map(({ url }) => url.slice(-1))).toEqual(expected)
      })

      it('lists in pages, after a source', async () => {
        const first = await addOne(store, 'http://x/1')
        for (const at of [2, 3]) await addOne(store, `http://x/${at}`)
        const page = await store.sources({ afterId: first.id, limit: 1 })
        expect(page.map(({ url }) => url)).toEqual(['http://x/2'])
      })

      it('counts a folder for those above it, and a source once', async () => {
        await addOne(store, 'http://a/', { categories: ['News/Science', 'News/Sport'] })
        const second = await addOne(store, 'http://b/', { categories: ['News'] })
        expect(await store.categories()).toEqual([
          { category: 'News', sources: 2 },
          { category: 'News/Science', sources: 1 },
          { category: 'News/Sport', sources: 1 },
        ])
        await store.updateSource(second.id, { categories: ['Art'] })
        expect((await store.categories()).map(({ category, sources }) => `${category} ${sources}`)).toEqual([
          'Art 1',
          'News 1',
          'News/Science 1',
          'News/Sport 1',
        ])
      })

      it('removes a source with all that is its own, and never gives its number again', async () => {
        const source = await addOne(store, 'http://a/')
        const other = await addOne(store, 'http://b/')
        await opening.buffer.register('reader', { from: 'start', ...NODE_READER })
        for (const one of [source, other]) {
          await store.recordRefresh(
            record(one, { newItems: [newItem('x', { title: one.url })], observation: observation(one.id, START) }),
          )
        }
        expect(await store.removeSource(source.id)).toBe(true)
        expect(await store.removeSource(source.id)).toBe(false)
        expect(await store.source(source.id)).toBeNull()
        expect(await titles({ text: 'http' })).toEqual(['http://b/'])
        expect(await store.counts()).toEqual({ sources: 1, items: 1, observations: 1 })
        expect((await opening.buffer.read('reader', 10)).map(({ item }) => item.title)).toEqual(['http://b/'])
        await store.removeSource(other.id)
        expect((await addOne(store, 'http://a/')).id).toBeGreaterThan(other.id)
      })
    })

    describe('scheduling', () => {
      it('lists what changed since a revision', async () => {
        const first = await addOne(store, 'http://a/', { weight: 2 })
        const start = await store.scheduleChanges(0)
        expect(start.changed).toEqual([
          {
            id: first.id,
            url: 'http://a/',
            weight: 2,
            intervalMs: null,
            minIntervalMs: null,
            maxIntervalMs: null,
            paused: false,
            status: 'new',
            failureCount: 0,
            addedAt: START,
            lastCheckAt: null,
            lastSuccessAt: null,
            nextCheckAt: null,
            model: null,
          },
        ])
        expect(await store.scheduleChanges(start.revision)).toEqual({
          revision: start.revision,
          changed: [],
          removed: [],
        })
        const second = await addOne(store, 'http://b/')
        await store.updateSource(first.id, { paused: true })
        await store.removeSource(second.id)
        const then = await store.scheduleChanges(start.revision)
        expect(then.changed.map(({ id, paused }) => [id, paused])).toEqual([[first.id, true]])
        expect(then.removed).toEqual([second.id])
        expect((await store.scheduleChanges(0)).removed).toEqual([])
      })

      it('does not call a refresh a change of settings, unless the source moved', async () => {
        const source = await addOne(store, 'http://a/')
        const { revision } = await store.scheduleChanges(0)
        await store.recordRefresh(record(source, { state: { ...source.state, nextCheckAt: 5, failureCount: 2 } }))
        expect((await store.scheduleChanges(revision)).changed).toEqual([])
        const moved = record(source, { movedTo: 'http://new/' })
        await store.recordRefresh(moved)
        const after = await store.scheduleChanges(revision)
        expect(after.changed.map(({ url }) => url)).toEqual(['http://new/'])
        await store.recordRefresh(moved)
        expect((await store.scheduleChanges(after.revision)).changed).toEqual([])
      })

      it('leaves the address alone if another source has the new one', async () => {
        const source = await addOne(store, 'http://a/')
        await addOne(store, 'http://b/')
        await store.recordRefresh(record(source, { movedTo: 'http://b/' }))
        expect((await store.source(source.id))?.url).toBe('http://a/')
      })

      it('knows a source by the addresses it has moved from, until another source has them', async () => {
        const source = await addOne(store, 'http://a/')
        await store.recordRefresh(record(source, { movedTo: 'http://b/' }))
        await store.recordRefresh(record(source, { movedTo: 'http://c/' }))
        const moved = (await store.source(source.id))!
        expect([moved.url, moved.formerUrls]).toEqual(['http://c/', ['http://a/', 'http://b/']])
        expect(await store.sourceByUrl('http://a/')).toEqual(moved)
        expect(await store.sources()).toEqual([moved])
        expect(await store.addSources([settings('http://b/')], 1)).toEqual([{ source: moved, added: false }])

        await store.recordRefresh(record(source, { movedTo: 'http://a/' }))
        expect((await store.source(source.id))!.formerUrls).toEqual(['http://b/', 'http://c/'])
        const other = await addOne(store, 'http://other/')
        await store.updateSource(other.id, { url: 'http://b/' })
        expect((await store.sourceByUrl('http://b/'))!.id).toBe(other.id)
        expect(await store.sourceByUrl('http://other/')).toBeNull()
        expect((await store.source(source.id))!.formerUrls).toEqual(['http://c/'])

        await store.removeSource(source.id)
        expect(await store.sourceByUrl('http://c/')).toBeNull()
        expect((await addOne(store, 'http://c/')).formerUrls).toBeUndefined()
      })

      it('hands refresh requests over once, in their order, only of sources that are there', async () => {
        const a = await addOne(store, 'http://a/')
        const b = await addOne(store, 'http://b/')
        await store.requestRefresh([b.id], 1)
        await store.requestRefresh([a.id, b.id, 99], 2)
        await store.requestRefresh([b.id], 4, 7)
        await store.requestRefresh([b.id], 3)
        await store.requestRefresh([b.id], 1)
        expect(await store.takeRefreshRequests()).toEqual([
          { sourceId: a.id, by: null, at: 2 },
          { sourceId: b.id, by: null, at: 3 },
          { sourceId: b.id, by: 7, at: 4 },
        ])
        expect(await store.takeRefreshRequests()).toEqual([])
        await store.requestRefresh([a.id, b.id], 5, 7)
        await store.removeSource(b.id)
        expect(await store.takeRefreshRequests()).toEqual([{ sourceId: a.id, by: 7, at: 5 }])
      })

      it('finds several sources at once, without those that are gone', async () => {
        const a = await addOne(store, 'http://one/')
        const b = await addOne(store, 'http://two/', { weight: 3 })
        const gone = await addOne(store, 'http://three/')
        await store.removeSource(gone.id)
        expect(await store.sourcesById([b.id, gone.id, a.id, b.id, 9_999])).toEqual(
          new Map([
            [a.id, a],
            [b.id, b],
          ]),
        )
        expect((await store.sourcesById([])).size).toBe(0)
      })

      it('keeps named values', async () => {
        expect(await store.state(ADDRESS)).toBe('')
        await store.saveState(ADDRESS, '1')
        await store.saveState(ADDRESS, '2')
        expect(await store.state(ADDRESS)).toBe('2')
      })

      it.skipIf(!adapter.persistent)('sees what another process does to the same data', async () => {
        const other = (await opening.again()).store
        const { revision } = await store.scheduleChanges(0)
        const source = await addOne(other, 'http://a/')
        expect((await store.scheduleChanges(revision)).changed.map(({ id }) => id)).toEqual([source.id])
        await other.requestRefresh([source.id], 1)
        expect(await store.takeRefreshRequests()).toEqual([{ sourceId: source.id, by: null, at: 1 }])
        expect(await other.takeRefreshRequests()).toEqual([])
        await store.recordRefresh(record(source, { newItems: [newItem('seen by the other')] }))
        expect(await other.items({ scope: ALL, limit: 1, text: 'other' })).toHaveLength(1)
        await other.removeSource(source.id)
        expect(await store.recordRefresh(record(source, { newItems: [newItem('y')] }))).toEqual({
          added: 0,
          changed: 0,
        })
      })
    })

    describe('refreshing', () => {
      let source: Source
      beforeEach(async () => {
        source = await addOne(store, 'http://a/')
      })

      it('leaves the window of a source that was not modified as it is', async () => {
        const window = [{ key: hex('a'), contentHash: hex('b'), alias: null, published: 5 }]
        const state = { ...source.state, window }
        await store.recordRefresh(record(source, { state, observation: observation(source.id, 1, {}) }))
        const unchanged = { ...source.state, window: [], lastCheckAt: 2 }
        const observed = observation(source.id, 2, { notModified: true })
        await store.recordRefresh(record(source, { state: unchanged, observation: observed }))
        expect((await store.source(source.id))?.state).toEqual({ ...unchanged, window })
      })

      it('stores state, observation and items as they were given', async () => {
        const state: SourceState = {
          status: 'failing',
          format: 'atom-1.0',
          title: 'T',
          siteUrl: 'http://s/',
          etag: 'W/"e"',
          lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT',
          bodyHash: hex('body'),
          window: [
            { key: hex('a'), contentHash: hex('b'), alias: '0123456789abcdef', published: START - 1 },
            { key: hex('c'), contentHash: hex('d'), alias: null, published: null },
          ],
          lastCheckAt: 1,
          lastSuccessAt: 2,
          lastNewItemAt: 3,
          nextCheckAt: 4,
          nextCheckReason: 'backing off after 3 failures',
          failureCount: 3,
          lastError: { code: 'HTTP_GONE', message: 'gone', at: 5 },
          movingTo: { url: 'http://m/', confirmations: 2 },
          datesCredible: false,
          hints: {
            ttlMs: 1,
            updateIntervalMs: null,
            updateBaseAt: 3,
            skipHours: [1, 2],
            skipDays: [0],
            hubs: ['http://hub/'],
            selfUrl: null,
            nextUrl: null,
            prevArchiveUrl: null,
            complete: true,
          },
          notBefore: 6,
          saturation: {
            at: 9,
            repaired: false,
            loss: { items: 4, atLeast: 1, atMost: 9, basis: 'dates' },
            repairedItems: 3,
          },
          lastLosses: [9, 4],
          openGap: { page: { url: 'http://a/?page=3', how: 'paged' }, since: 5, lost: 4 },
          guidChanges: 2,
          feedCategories: ['Technology', 'Ökologie'],
          refusal: { at: 7, items: 4_000, allowance: 5_000, until: 8 },
          deltas: { count: 2, savedBytes: 900, wholeBytes: 1_000 },
        }
        const observed = observation(source.id, 9, {
          previousAt: 1,
          newItems: 2,
          windowSize: 20,
          overlap: 'none',
          lostAtLeast: 4,
          loss: { items: 5, atLeast: 2, atMost: 11, basis: 'rate' },
          itemTimes: [3, 5],
          notModified: false,
          bytes: 1234,
          latencyMs: 12.5,
        })
        const item = newItem('full', {
          id: 'guid',
          link: 'http://a/1',
          published: START - 5,
          updated: START - 4,
          authors: [{ name: 'Ann', email: null, url: 'http://ann/' }],
          categories: ['one', 'two'],
          summary: '<p>short</p>',
          content: '<p>long 𝒳 東京</p>',
          enclosures: [{ url: 'http://a/1.mp3', type: 'audio/mpeg', lengthBytes: 7 }],
          language: 'en',
          commentsUrl: 'http://a/1#c',
          image: 'http://a/1.png',
          extensions: { 'itunes:duration': '1:00' },
          sortAt: START - 5,
        })
        const refresh = record(source, { state, observation: observed, newItems: [item] })
        expect(await store.recordRefresh(refresh)).toEqual({ added: 1, changed: 0 })
        expect((await store.source(source.id))?.state).toEqual(state)
        expect(await store.observations(source.id, { limit: 5 })).toEqual([observed])
        expect(await store.items({ scope: ALL, limit: 5 })).toEqual([
          { ...item, seq: expect.any(Number), sourceId: source.id, changedAt: START },
        ])
      })

      it('keeps a window whose entries have another form', async () => {
        const window = [{ key: 'short', contentHash: 'ÄÖ', alias: '0'.repeat(16), published: 1.5 }]
        await store.recordRefresh(record(source, { state: { ...source.state, window } }))
        expect((await store.source(source.id))?.state.window).toEqual(window)
      })

      it('changes nothing when a record is repeated', async () => {
        await opening.buffer.register('reader', { from: 'start', ...NODE_READER })
        const first = record(source, { newItems: [newItem('a'), newItem('b')], observation: observation(source.id, 1) })
        const second = record(source, { newItems: [newItem('c')], changedItems: [changedItem('a')] })
        expect(await store.recordRefresh(first)).toEqual({ added: 2, changed: 0 })
        expect(await store.recordRefresh(second)).toEqual({ added: 1, changed: 1 })
        const before = await store.items({ scope: ALL, limit: 10 })
        for (const again of [first, second]) {
          expect(await store.recordRefresh(again)).toEqual({ added: 0, changed: 0 })
        }
        expect(await store.items({ scope: ALL, limit: 10 })).toEqual(before)
        expect(await store.counts()).toEqual({ sources: 1, items: 3, observations: 1 })
        expect(await opening.buffer.read('reader', 10)).toHaveLength(4)
      })

      it('does not store a key twice within one record either', async () => {
        const twice = [newItem('a'), newItem('a', { title: 'again' })]
        expect(await store.recordRefresh(record(source, { newItems: twice }))).toEqual({ added: 1, changed: 0 })
        expect(await titles({})).toEqual(['a'])
      })

      it('separates sources that use the same key', async () => {
        const other = await addOne(store, 'http://b/')
        for (const one of [source, other]) {
          expect((await store.recordRefresh(record(one, { newItems: [newItem('same')] }))).added).toBe(1)
        }
      })

      it('updates an edited item in place', async () => {
        await store.recordRefresh(record(source, { newItems: [newItem('a', { content: 'first words' })] }))
        const [before] = await store.items({ scope: ALL, limit: 1, text: 'first' })
        const edit = changedItem('a', { content: 'other text', published: 5, changedAt: START + DAY_MS })
        expect(await store.recordRefresh(record(source, { changedItems: [edit] }))).toEqual({ added: 0, changed: 1 })
        expect(await store.items({ scope: ALL, limit: 9 })).toEqual([{ ...before, ...edit }])
        expect(await titles({ text: 'first' })).toEqual([])
        expect(await titles({ text: 'other' })).toEqual(['a edited'])
        expect(await store.knownItems(source.id, [hex('a')])).toEqual(new Map([[hex('a'), edit.contentHash]]))
      })

      it('takes no edit of what it does not know, of the same content, or from before the last edit', async () => {
        await store.recordRefresh(record(source, { newItems: [newItem('a')], changedItems: [changedItem('b')] }))
        await store.recordRefresh(record(source, { changedItems: [changedItem('a', { changedAt: START + 9 })] }))
        const late = [
          changedItem('a', { changedAt: START + 10 }),
          changedItem('a', { changedAt: START + 8, contentHash: hex('third') }),
        ]
        expect(await store.recordRefresh(record(source, { changedItems: late }))).toEqual({ added: 0, changed: 0 })
        expect((await store.counts()).items).toBe(1)
      })

      it('lets known items go by another key, before the rest of the record', async () => {
        await store.recordRefresh(record(source, { newItems: [newItem('a'), newItem('b')] }))
        const [, before] = await store.items({ scope: ALL, limit: 9 })
        const rename = record(source, {
          renamedItems: [
            { from: hex('a'), to: hex('new a') },
            { from: hex('b'), to: hex('new a') },
            { from: hex('unknown'), to: hex('c') },
          ],
          newItems: [newItem('new a'), newItem('c')],
          changedItems: [changedItem('b')],
        })
        expect(await store.recordRefresh(rename)).toEqual({ added: 1, changed: 1 })
        expect(await titles({})).toEqual(['c', 'b edited', 'a'])
        expect(await store.itemsBySeq([before!.seq])).toEqual([{ ...before, key: hex('new a') }])
        expect([...(await store.knownItems(source.id, [hex('a'), hex('new a')])).keys()]).toEqual([hex('new a')])
      })

      it('knows which keys are archived', async () => {
        await store.recordRefresh(record(source, { newItems: [newItem('a'), newItem('b')] }))
        const known = await store.knownItems(source.id, [hex('a'), hex('z')])
        expect([...known]).toEqual([[hex('a'), hex('a1')]])
        expect((await store.knownItems(99, [hex('a')])).size).toBe(0)
      })

      it('does nothing for a source that is gone', async () => {
        await store.removeSource(source.id)
        const late = record(source, { newItems: [newItem('a')], observation: observation(source.id, 1) })
        expect(await store.recordRefresh(late)).toEqual({ added: 0, changed: 0 })
        expect(await store.counts()).toEqual({ sources: 0, items: 0, observations: 0 })
      })

      it('takes many records at once, each with its own answer', async () => {
        const names = Array.from({ length: 50 }, (_, index) => `item ${index}`)
        const answers = await Promise.all(
          names.map((name) => store.recordRefresh(record(source, { newItems: [newItem(name), newItem('shared')] }))),
        )
        expect(answers.map(({ added }) => added)).toEqual([2, ...Array(49).fill(1)])
        expect((await store.counts()).items).toBe(51)
        expect(await store.itemCount(source.id)).toBe(51)
      })

      it('gives observations newest first, since a moment', async () => {
        for (const at of [1, 3, 2])
          await store.recordRefresh(record(source, { observation: observation(source.id, at) }))
        const at = async (options: { since?: number; limit: number }) =>
          (await store.observations(source.id, options)).map((one) => one.at)
        expect(await at({ limit: 9 })).toEqual([3, 2, 1])
        expect(await at({ limit: 1 })).toEqual([3])
        expect(await at({ since: 2, limit: 9 })).toEqual([3, 2])
      })

      it.skipIf(!adapter.persistent)('has everything again after a restart', async () => {
        await store.recordRefresh(
          record(source, { newItems: [newItem('kept here')], observation: observation(source.id, 1) }),
        )
        await store.saveState(ADDRESS, '3')
        const before = await store.items({ scope: ALL, limit: 9 })
        await store.close()
        const { store: again } = await opening.again()
        expect(await again.items({ scope: ALL, limit: 9, text: 'kept' })).toEqual(before)
        expect(await again.state(ADDRESS)).toBe('3')
        expect(await again.counts()).toEqual({ sources: 1, items: 1, observations: 1 })
      })
    })

    describe('reading', () => {
      let science: Source
      let news: Source
      let sport: Source
      beforeEach(async () => {
        science = await addOne(store, 'http://a/', { categories: ['News/Science'] })
        news = await addOne(store, 'http://b/', { categories: ['News', 'News/Science'] })
        sport = await addOne(store, 'http://c/', { categories: ['Sport'] })
        const at = (name: string, sortAt: number) => newItem(name, { sortAt: START + sortAt })
        await store.recordRefresh(record(science, { newItems: [at('s1', 1), at('s5', 5), at('s5b', 5)] }))
        await store.recordRefresh(record(news, { newItems: [at('n5', 5), at('n2', 2)] }))
        await store.recordRefresh(record(sport, { newItems: [at('p9', 9), at('p0', 0)] }))
      })

      it.each([
        ['everything', ALL, ['p9', 'n5', 's5b', 's5', 'n2', 's1', 'p0']],
        ['a category with its subfolders', { kind: 'category', category: 'News' }, ['n5', 's5b', 's5', 'n2', 's1']],
        ['a subfolder', { kind: 'category', category: 'News/Science' }, ['n5', 's5b', 's5', 'n2', 's1']],
        ['a category that nobody has', { kind: 'category', category: 'New' }, []],
        ['a source', 'science', ['s5b', 's5', 's1']],
        ['a source that is not there', { kind: 'source', sourceId: 99 }, []],
      ] as const)('gives %s newest first, whole or in pages of any size', async (_, given, expected) => {
        const scope = given === 'science' ? ({ kind: 'source', sourceId: science.id } as const) : given
        expect(await titles({ scope })).toEqual(expected)
        for (const limit of [1, 2, 3]) {
          const paged: (string | null)[] = []
          for (let after: { sortAt: number; seq: number } | undefined; ; ) {
            const page = await store.items({ scope, limit, ...(after && { after }) })
            paged.push(...page.map(({ title }) => title))
            after = page.at(-1)
            if (page.length < limit) break
          }
          expect(paged).toEqual(expected)
        }
      })

      it('gives places and heads of the items that it gives whole', async () => {
        const long = '\u{1F30A}'.repeat(1_000) + 'x'.repeat(1_000)
        const authors = [{ name: 'Ada', email: null, url: null }]
        await store.recordRefresh(
          record(news, {
            newItems: [
              newItem('long', { content: long, authors, categories: ['news'] }),
              newItem('both', { summary: 'short', content: long }),
              newItem('none', { title: null, summary: null, content: null, link: null }),
            ],
          }),
        )
        await store.updateSource(science.id, { name: 'Science' })
        const query = { scope: ALL, limit: 100 }
        const items = await store.items(query)
        expect(items).toHaveLength(10)
        const keys = items.map(({ seq, sourceId, sortAt }) => ({ seq, sourceId, sortAt }))
        expect(await store.itemPositions(query)).toEqual(keys)
        expect(await store.itemPositions({ ...query, text: 'long' })).toHaveLength(1)
        const heads = await store.itemHeads([99, ...items.map(({ seq }) => seq)])
        for (const [index, head] of heads.entries()) {
          const { text, isCut, source, image, medium, ...rest } = head
          const item = items[index]!
          expect(item).toMatchObject(rest)
          expect(Object.keys(rest)).toHaveLength(9)
          expect({ image, medium }).toEqual(mediaOf(item))
          const whole = item.summary ?? item.content ?? ''
          expect(whole.startsWith(text)).toBe(true)
          expect(isCut || text === whole).toBe(true)
          const { url, name, state } = (await store.source(item.sourceId))!
          expect(source).toEqual({ url, name, title: state.title })
        }
        expect(heads.map(({ seq }) => seq)).toEqual(items.map(({ seq }) => seq))
        expect(heads.filter(({ isCut }) => isCut).map(({ title, text }) => [title, [...text].length])).toEqual([
          ['long', 1_500],
        ])
      })

      it('bounds by sortAt: since inclusive, until exclusive', async () => {
        expect(await titles({ since: START + 2, until: START + 9 })).toEqual(['n5', 's5b', 's5', 'n2'])
        const [first] = await store.items({ scope: ALL, limit: 1, until: START + 9 })
        expect(await titles({ since: START + 2, until: START + 9, after: first! })).toEqual(['s5b', 's5', 'n2'])
        expect(await titles({ until: START + 2, after: first! })).toEqual(['s1', 'p0'])
        expect(await titles({ limit: 0 })).toEqual([])
      })

      it('follows a source that changes its category', async () => {
        await store.updateSource(sport.id, { categories: ['News/Sport'] })
        expect(await titles({ scope: { kind: 'category', category: 'News' }, limit: 1 })).toEqual(['p9'])
        expect(await titles({ scope: { kind: 'category', category: 'Sport' } })).toEqual([])
      })

      it('gives what was stored last, whatever its date says', async () => {
        for (const scope of [ALL, NEWS, { kind: 'source', sourceId: science.id }] as const) {
          const all = await store.items({ scope, limit: 1_000 })
          const byArrival = [...all].sort((a, b) => b.seq - a.seq)
          if (scope === ALL) expect(byArrival).not.toEqual(all)
          expect(await store.arrivals(scope, 1_000)).toEqual(byArrival)
          expect(await store.arrivals(scope, 2)).toEqual(byArrival.slice(0, 2))
          expect(await store.arrivals(scope, 0)).toEqual([])
        }
      })

      it('keeps others visible in a window that mixes sources, as the rule says', async () => {
        const [flooding, quiet] = [
          await addOne(store, 'http://flood/', { categories: ['News'] }),
          await addOne(store, 'http://quiet/'),
        ]
        for (let poll = 0; poll < 5; poll++) {
          const firstSeenAt = START + poll * 2 * HOUR_MS
          const flood = Array.from({ length: 9 }, (_, n) =>
            newItem(`f${poll}-${n}`, { firstSeenAt, sortAt: firstSeenAt }),
          )
          await store.recordRefresh(
            record(quiet, { newItems: [newItem(`q${poll}`, { firstSeenAt, sortAt: firstSeenAt })] }),
          )
          await store.recordRefresh(record(flooding, { newItems: flood }))
          const all = await store.arrivals(ALL, 1_000)
          for (const limit of [0, 1, 3, 8, 20, 100]) {
            expect(await store.mixedArrivals(ALL, limit)).toEqual(mixedWindow(all, () => true, limit))
            const inNews = new Set((await store.arrivals(NEWS, 1_000)).map(({ seq }) => seq))
            expect(await store.mixedArrivals(NEWS, limit)).toEqual(
              mixedWindow(all, ({ seq }) => inNews.has(seq), limit),
            )
          }
          expect((await store.mixedArrivals(ALL, 8)).filter(({ sourceId }) => sourceId !== flooding.id)).not.toEqual([])
        }
        const source = { kind: 'source', sourceId: flooding.id } as const
        expect(await store.mixedArrivals(source, 8)).toEqual(await store.arrivals(source, 8))
      })

      it('says which items may hold words: all that do, none without', async () => {
        const source = await addOne(store, 'http://held/')
        const content = 'Kettles <b>boil</b> waterfalls of tea'
        const newItems = [
          newItem('held 1', { title: 'Kettle', content, summary: null }),
          newItem('held 2', { title: 'Kettle', content: null, summary: 'TEA &amp; wåter' }),
          // The beginning of the content, with the last word cut: only there is "water" a word.
          newItem('held 3', { title: 'Pot', content, summary: 'Kettles boil water' }),
          newItem('held 4', { title: 'Pot', content: null, summary: null }),
        ]
        const after = await store.lastItemSeq()
        await store.recordRefresh(record(source, { newItems }))
        const seqs = (await store.itemsAfter(after, 10)).map(({ seq }) => seq)
        const word = (one: string) => ({ kind: 'word', word: one }) as const
        const holding = async (needed: WordNeeds, page = { after, limit: 10 }) =>
          (await store.seqsHolding(needed, page)).map((seq) => seqs.indexOf(seq) + 1)
        expect(await holding(word('water'))).toEqual([1, 2, 3])
        expect(await holding({ kind: 'and', of: [word('tea'), word('kettle')] })).toEqual([1, 2, 3])
        expect(await holding({ kind: 'or', of: [word('pot'), word('nowhere')] })).toEqual([3, 4])
        expect(await holding(word('water'), { after: seqs[0]!, limit: 1 })).toEqual([2])
        expect(await holding(word('nowhere'))).toEqual([])
        // "boil water" is in the third alone, where its summary is cut; words of two texts are no phrase.
        const phrase = { kind: 'phrase', words: ['boil', 'water'] } as const
        expect(await holding(phrase)).toContain(3)
        expect(await holding({ kind: 'phrase', words: ['boil', 'nowhere'] })).toEqual([])
        expect(await store.holdingPhrases(seqs, word('nowhere'))).toEqual(seqs)
        expect(await store.holdingPhrases(seqs, { kind: 'or', of: [phrase, word('tea')] })).toEqual(seqs)
        expect(await store.holdingPhrases(seqs, phrase)).toContain(seqs[2])
        expect(await store.holdingPhrases([seqs[2]!], { kind: 'and', of: [word('tea'), phrase] })).toEqual([seqs[2]])
      })

      it('looks items up by number, in the order asked, without those that are not there', async () => {
        const [a, b] = await store.items({ scope: ALL, limit: 2 })
        expect(await store.itemsBySeq([b!.seq, 999, a!.seq])).toEqual([b, a])
      })
    })

    describe('retention', () => {
      const NONE = { maxAgeMs: null, maxItemsPerSource: null, maxObservationAgeMs: null }
      let source: Source
      beforeEach(async () => {
        source = await addOne(store, 'http://a/')
        const aged = (name: string, days: number) =>
          newItem(name, { firstSeenAt: START - days * DAY_MS, sortAt: START - days * DAY_MS })
        const newItems = [aged('old', 30), aged('elder', 20), aged('recent', 2), aged('today', 0)]
        await store.recordRefresh(record(source, { newItems, observation: observation(source.id, START - DAY_MS) }))
      })

      it('keeps everything by default', async () => {
        expect(await store.prune(NONE, START)).toEqual({ items: 0, observations: 0 })
        expect((await store.counts()).items).toBe(4)
      })

      it('removes by age and by number per source, from reading, searching and counting', async () => {
        expect(await store.prune({ ...NONE, maxAgeMs: 25 * DAY_MS }, START)).toEqual({ items: 1, observations: 0 })
        expect(await store.prune({ ...NONE, maxItemsPerSource: 2 }, START)).toEqual({ items: 1, observations: 0 })
        expect(await titles({})).toEqual(['today', 'recent'])
        expect(await titles({ text: 'old' })).toEqual([])
        expect(await store.itemCount(source.id)).toBe(2)
      })

      it('removes observations by age', async () => {
        const policy = { ...NONE, maxObservationAgeMs: DAY_MS }
        expect((await store.prune(policy, START)).observations).toBe(0)
        expect((await store.prune(policy, START + 1)).observations).toBe(1)
        expect((await store.counts()).observations).toBe(0)
      })

      it('never removes what is still in the window', async () => {
        await store.recordRefresh(record(source, { state: { ...source.state, window: windowOf('old', 'today') } }))
        await store.prune({ ...NONE, maxAgeMs: DAY_MS, maxItemsPerSource: 1 }, START)
        expect(await titles({})).toEqual(['today', 'old'])
      })

      it('never removes what a reader of the buffer has not acknowledged', async () => {
        await opening.buffer.register('fast', { from: 'start', ...NODE_READER })
        await opening.buffer.register('slow', { from: 'start', ...NODE_READER })
        const entries = await opening.buffer.read('slow', 10)
        await opening.buffer.acknowledge('fast', entries.at(-1)!.cursor)
        await opening.buffer.acknowledge('slow', entries[0]!.cursor)
        await store.prune({ ...NONE, maxItemsPerSource: 0 }, START)
        expect(await titles({})).toEqual(['today', 'recent', 'elder'])
        await opening.buffer.unregister('slow')
        await store.prune({ ...NONE, maxItemsPerSource: 0 }, START)
        expect(await titles({})).toEqual([])
      })

      it('remembers removed items also under their new key', async () => {
        await store.prune({ ...NONE, maxItemsPerSource: 1 }, START)
        const renamedItems = [{ from: hex('old'), to: hex('renamed') }]
        const again = record(source, { renamedItems, newItems: [newItem('renamed')] })
        expect((await store.recordRefresh(again)).added).toBe(0)
      })

      it('remembers removed keys for a year, so that they do not come back as new', async () => {
        await store.prune({ ...NONE, maxItemsPerSource: 1 }, START)
        expect([...(await store.knownItems(source.id, [hex('old')]))]).toEqual([[hex('old'), hex('old1')]])
        const again = record(source, { newItems: [newItem('old')], changedItems: [changedItem('elder')] })
        expect(await store.recordRefresh(again)).toEqual({ added: 0, changed: 0 })
        await store.prune(NONE, START + 365 * DAY_MS)
        expect((await store.recordRefresh(again)).added).toBe(0)
        await store.prune(NONE, START + 365 * DAY_MS + 1)
        expect((await store.recordRefresh(again)).added).toBe(1)
      })
    })
  })
}
