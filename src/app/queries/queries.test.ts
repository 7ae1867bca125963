import { beforeEach, describe, expect, it } from 'vitest'
import { addOne, memoryAdapter, newItem, record, START } from '../../../test/contract/store.fixture.ts'
import { DAY_MS, type Source } from '../../model/index.ts'
import type { Store } from '../../store/store.ts'
import { applyQueries, checkText } from './apply.ts'
import { parseBackFill } from './back-fill.ts'
import { knownFeeds } from './catalog.ts'
import { previewQueries } from './preview.ts'

let store: Store
let world: Source

beforeEach(async () => {
  ;({ store } = await memoryAdapter.open())
  world = await addOne(store, 'https://example.org/world', { name: 'world', categories: ['News'] })
})

const apply = (text: string, more: Partial<Parameters<typeof applyQueries>[2]> = {}) =>
  applyQueries(text, store, { now: START, ...more })
const feed = async (name: string) => (await store.queryFeed(name))!
const arrive = (titles: readonly string[], of = world, at = START) =>
  store.recordRefresh(
    record(of, { newItems: titles.map((title) => newItem(title, { title, firstSeenAt: at, sortAt: at })) }),
  )

describe('applying statements', () => {
  it('creates, alters and drops query feeds', async () => {
    expect(await apply('CREATE FEED f TITLE "F" LIMIT 5 AS RETURN ALL')).toEqual([{ name: 'f', action: 'created' }])
    expect(await feed('f')).toMatchObject({ title: 'F', limit: 5 })
    await apply('ALTER FEED f TITLE NONE; ALTER FEED f LIMIT 7')
    expect(await feed('f')).toMatchObject({ title: null, limit: 7, text: 'CREATE FEED f LIMIT 7 AS\nRETURN ALL' })
    await apply('DROP FEED f')
    expect(await store.queryFeeds()).toEqual([])
  })

  it('a text may be applied again: what is there as it says stays as it is', async () => {
    const text = 'REGISTER FEED "https://example.org/b" AS b WEIGHT 2; CREATE FEED f AS RETURN b;'
    await apply(text)
    const before = await feed('f')
    expect(await apply(text)).toContainEqual({ name: 'f', action: 'unchanged' })
    expect(await feed('f')).toEqual(before)
    expect(await store.sources()).toHaveLength(2)
  })

  it('CREATE with another query needs --replace, or is refused with all the rest', async () => {
    await apply('CREATE FEED f AS RETURN ALL')
    const text = 'CREATE FEED g AS RETURN ALL; CREATE FEED f AS RETURN world'
    await expect(apply(text)).rejects.toMatchObject({ code: 'QUERY_INVALID', message: /f is a query feed already/ })
    expect(await store.queryFeeds()).toHaveLength(1)
    const { id } = await feed('f')
    await apply(text, { replace: true })
    expect(await feed('f')).toMatchObject({ id, text: 'CREATE FEED f AS\nRETURN world' })
  })

  it('names line, column and what to do', async () => {
    await expect(apply('CREATE FEED f AS\nRETURN wrold')).rejects.toThrow(/2:8 .*wrold.*\^{5}.*Did you mean world/s)
  })

  it('registers a source, or changes the one that has the address', async () => {
    await apply('REGISTER FEED "https://example.org/WORLD" AS other CATEGORY "Science" WEIGHT 3')
    await apply('REGISTER FEED "https://example.org/world" AS planet WEIGHT 2')
    expect(await store.source(world.id)).toMatchObject({ name: 'planet', categories: ['News'], weight: 2 })
    expect(await store.sourceByUrl('https://example.org/WORLD')).toMatchObject({
      name: 'other',
      categories: ['Science'],
    })
    await apply('ALTER FEED planet CATEGORY NONE; DROP FEED other')
    expect(await store.sources()).toMatchObject([{ name: 'planet', categories: [] }])
  })

  it('an address in a query becomes a source', async () => {
    await apply('CREATE FEED f AS RETURN "https://example.org/world" | "https://example.org/new"')
    expect((await store.sources()).map(({ url }) => url)).toEqual([world.url, 'https://example.org/new'])
  })

  it('a source that has moved is not added again, nor called another, by the address it had', async () => {
    const text = 'REGISTER FEED "https://example.org/b" AS b; CREATE FEED f AS RETURN "https://example.org/b" | b'
    await apply(text)
    const [, b] = await store.sources()
    await store.recordRefresh(record(b!, { movedTo: 'https://new.example.org/b' }))
    await apply(text)
    await apply('CREATE FEED g AS RETURN "https://example.org/b#again"')
    expect((await store.sources()).map(({ url }) => url)).toEqual([world.url, 'https://new.example.org/b'])
    await arrive(['b'], b!)
    const preview = await previewQueries(
      'REGISTER FEED "https://example.org/b" AS c; CREATE FEED h AS RETURN c',
      store,
      {
        after: 0,
        newest: 1,
      },
    )
    expect(preview.feeds).toMatchObject([{ name: 'h', matches: 1 }])
  })

  it('feeds may be subscribed to before they are created, each output once', async () => {
    await apply('SUBSCRIBE TO f OUTPUT MAIL "a@b.org" EVERY 1 HOUR; CREATE FEED f AS RETURN ALL')
    await apply('SUBSCRIBE TO f OUTPUT MAIL "a@b.org"')
    expect(await store.subscriptions()).toMatchObject([{ output: { kind: 'mail', address: 'a@b.org' }, everyMs: null }])
    await apply('UNSUBSCRIBE FROM f')
    expect(await store.subscriptions()).toEqual([])
  })

  it('a feed may be made, subscribed to, altered and dropped in one text, in its order', async () => {
    const output = 'OUTPUT WEBHOOK "https://example.org/hook"'
    await apply(`CREATE FEED f AS RETURN ALL; SUBSCRIBE TO f ${output}; SUBSCRIBE TO f OUTPUT FILE "f.xml";
      ALTER FEED f WEIGHT 3; UNSUBSCRIBE FROM f OUTPUT FILE "f.xml"; UNSUBSCRIBE FROM f; DROP FEED f;`)
    expect(await store.queryFeeds()).toEqual([])
    expect(await store.subscriptions()).toEqual([])
    await apply(`CREATE FEED f AS RETURN ALL; DROP FEED f; CREATE FEED f AS RETURN world; SUBSCRIBE TO f ${output}`)
    expect(await feed('f')).toMatchObject({ text: 'CREATE FEED f AS\nRETURN world' })
    expect(await store.subscriptions()).toHaveLength(1)
  })

  it('begins with as much of the archive as asked for; thirty days if nothing is said', async () => {
    await arrive(['old'], world, START - 40 * DAY_MS)
    await arrive(['a', 'b', 'c'], world, START - DAY_MS)
    const begin = async (part?: string) => {
      const options = part === undefined ? {} : { backFill: parseBackFill(part) }
      await apply(`CREATE FEED f${part} AS RETURN ALL`, options)
      return (await feed(`f${part}`)).catchUpAfter
    }
    expect(await begin()).toBe(1)
    expect(await begin('2')).toBe(2)
    expect(await begin('all')).toBe(0)
    expect(await begin('none')).toBe(4)
    expect(await begin('1h')).toBe(4)
    expect(() => parseBackFill('some')).toThrow(/30d/)
  })

  it('who reads a feed that asks something new begins again with it; a new title changes nothing', async () => {
    await apply(
      'CREATE FEED a AS RETURN ALL; CREATE FEED b AS RETURN a; CREATE FEED c AS RETURN b; CREATE FEED d AS RETURN ALL',
    )
    const versions = async () => (await store.queryFeeds()).map(({ version }) => version)
    await apply('ALTER FEED a TITLE "A"')
    expect(await versions()).toEqual([1, 1, 1, 1])
    await apply('ALTER FEED a AS RETURN world')
    expect(await versions()).toEqual([2, 2, 2, 1])
  })

  it('refuses circles; drops a feed that others read, and these start over without it', async () => {
    await apply('CREATE FEED a AS RETURN ALL; CREATE FEED b AS RETURN a')
    await expect(apply('ALTER FEED a AS RETURN b')).rejects.toThrow(/a → b → a/)
    await apply('DROP FEED a')
    expect(await store.queryFeed('b')).toMatchObject({ isClearing: true })
    await apply('DROP FEED b')
  })
})

it('checks against what is there, and by itself where nothing is', async () => {
  const text = 'CREATE FEED f AS RETURN world'
  expect(checkText(text, await knownFeeds(store, text)).errors).toEqual([])
  expect(checkText(text, null).errors.map(({ code }) => code)).toEqual(['QUERY_UNKNOWN_SOURCE'])
})

describe('previewing', () => {
  it('counts by source and day, and shows the newest', async () => {
    const other = await addOne(store, 'https://example.org/other')
    await arrive(['ice one', 'sea'], world, START)
    await arrive(['ice two', 'ice three'], other, START + DAY_MS)
    const preview = await previewQueries('CREATE FEED f AS RETURN ALL WHERE TITLE CONTAINS ice', store, {
      after: 0,
      newest: 2,
    })
    expect(preview.items).toBe(4)
    expect(preview.feeds[0]).toMatchObject({
      name: 'f',
      matches: 3,
      bySource: [
        { sourceId: other.id, matches: 2 },
        { sourceId: world.id, matches: 1 },
      ],
      byDay: [
        { day: START + DAY_MS, matches: 2 },
        { day: START, matches: 1 },
      ],
    })
    expect(preview.feeds[0]!.newest.map(({ item }) => item.title)).toEqual(['ice three', 'ice two'])
    expect(await store.queryFeeds()).toEqual([])
  })

  it('asks only about items that may fit, and finds the same', async () => {
    await arrive(['ice one', 'sea', 'hot water', 'water is hot', 'tea'])
    let queryCount = 0
    const counting: Store = {
      ...store,
      holdingPhrases: async (seqs, needed) => {
        const chosen = await store.holdingPhrases(seqs, needed)
        queryCount += chosen.length
        return chosen
      },
    }
    const found = async (text: string) => {
      queryCount = 0
      const { items, feeds } = await previewQueries(text, counting, { after: 0, newest: 5 })
      return { queryCount, items, titles: feeds[0]!.newest.map(({ item }) => item.title) }
    }
    expect(await found('TITLE CONTAINS "hot water"')).toEqual({ queryCount: 1, items: 5, titles: ['hot water'] })
    expect((await found('TITLE MATCHES /hot/')).titles).toEqual(['water is hot', 'hot water'])
    // What DISTINCT leaves out depends on all.
    const distinct = await found('RETURN ALL WHERE TITLE CONTAINS "water" DISTINCT BY TITLE')
    expect(distinct).toEqual({ queryCount: 0, items: 5, titles: ['water is hot', 'hot water'] })
  })

  it('reads only the fields of items that queries name, and holds no texts', async () => {
    await store.recordRefresh(
      record(world, { newItems: [newItem('ice', { title: 'ice', content: '<p>on the river', sortAt: START })] }),
    )
    const parts: string[] = []
    const watched: Store = {
      ...store,
      titlesAfter: (seq, limit) => {
        parts.push('titles')
        return store.titlesAfter(seq, limit)
      },
      itemsAfter: (seq, limit, which = 'all') => {
        parts.push(which)
        return store.itemsAfter(seq, limit, which)
      },
    }
    const preview = async (text: string) => {
      parts.length = 0
      const { feeds } = await previewQueries(text, watched, { after: 0, newest: 5 })
      return { parts: new Set(parts), contents: feeds[0]!.newest.map(({ item }) => item.content) }
    }
    const contents = [null]
    expect(await preview('TITLE MATCHES /ice/')).toEqual({ parts: new Set(['titles']), contents })
    expect(await preview('NOT LINK MATCHES /./')).toEqual({ parts: new Set(['labels']), contents })
    expect(await preview('CONTENT MATCHES /river/')).toEqual({ parts: new Set(['all']), contents })
    const distinct = 'RETURN ALL WHERE TITLE MATCHES /ice/ DISTINCT BY TITLE'
    expect(await preview(distinct)).toEqual({ parts: new Set(['all']), contents })
  })

  it('takes a query without a name, or a condition alone, and feeds that it reads', async () => {
    await arrive(['ice', 'ice sea', 'sea'])
    await apply('CREATE FEED icy AS RETURN ALL WHERE TITLE CONTAINS ice')
    const matches = async (text: string) =>
      (await previewQueries(text, store, { after: 0, newest: 0 })).feeds.map((one) => one.matches)
    expect(await matches('TITLE CONTAINS sea')).toEqual([2])
    expect(await matches('RETURN icy WHERE TITLE CONTAINS sea')).toEqual([1])
    expect(await matches('CREATE FEED icy AS RETURN world; CREATE FEED g AS RETURN icy')).toEqual([3, 3])
    await expect(matches('RETURN icy WHERE')).rejects.toMatchObject({ code: 'QUERY_INVALID' })
  })
})
