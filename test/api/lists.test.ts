import { afterAll, beforeAll, expect, it } from 'vitest'
import { addOne, newItem, record, START, settings } from '../contract/store.fixture.ts'
import { type ApiNode, claim, openApiNode } from './api-node.ts'

let node: ApiNode
let cookie: string
const get = async (path: string) => (await node.ask('GET', path, { cookie })).body

beforeAll(async () => {
  node = await openApiNode()
  cookie = await claim(node)
  const { store } = node.data
  for (const [name, weight, items] of [
    ['delta', 3, 1],
    ['Alpha', 1, 0],
    ['charlie', 3, 4],
    ['bravo', 2, 2],
  ] as const) {
    const categories = weight === 3 ? ['Heavy/Iron'] : []
    const source = await addOne(store, `http://${name}.example/`, { name, weight, categories })
    const newItems = Array.from({ length: items }, (_, index) => newItem(`${name} ${index}`))
    const error = { code: 'HTTP_GONE', message: 'gone', at: START }
    const state =
      name === 'bravo'
        ? { ...source.state, status: 'failing' as const, lastError: error, lastCheckAt: START }
        : { ...source.state, status: 'active' as const }
    await store.recordRefresh(record(source, { state, newItems }))
  }
})
afterAll(() => node.close())

interface Page {
  readonly sources: readonly { readonly name: string }[]
  readonly total: number
  readonly next: string | null
}

async function names(search: string): Promise<string[]> {
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const page: Page = await get(`/api/sources?limit=2&${search}${cursor}`)
    found.push(...page.sources.map(({ name }) => name))
    if (page.next === null) return found
    cursor = `&cursor=${page.next}`
  }
}

it('sorts sources by anything, in pages without gaps or repeats', async () => {
  expect(await names('')).toEqual(['delta', 'Alpha', 'charlie', 'bravo'])
  expect(await names('sort=name')).toEqual(['Alpha', 'bravo', 'charlie', 'delta'])
  expect(await names('sort=weight&order=desc')).toEqual(['delta', 'charlie', 'bravo', 'Alpha'])
  expect(await names('sort=items&order=desc')).toEqual(['charlie', 'bravo', 'delta', 'Alpha'])
  // What is not known comes last, whichever way.
  expect((await names('sort=lastCheckAt'))[0]).toBe('bravo')
  expect((await names('sort=lastCheckAt&order=desc'))[0]).toBe('bravo')
})

it('filters by part of the name, category with subfolders, and condition', async () => {
  expect(await names('text=HARL')).toEqual(['charlie'])
  expect(await names('category=Heavy')).toEqual(['delta', 'charlie'])
  expect(await names('condition=failing')).toEqual(['bravo'])
  expect((await get('/api/sources?condition=failing')).sources[0]).toMatchObject({ errorCode: 'HTTP_GONE', items: 2 })
  expect((await get('/api/sources?category=Heavy&limit=1')).total).toBe(2)
})

it('gives all sources in one compact table, compressed when it is long', async () => {
  const { store } = node.data
  const many = Array.from({ length: 500 }, (_, index) => settings(`http://many.example/${index}`))
  await store.addSources(many, START)
  await node.ask('PATCH', '/api/sources/1', { cookie, body: { weight: 3 } })
  const plain = await node.ask('GET', '/api/sources/table', { cookie })
  const { count, columns } = plain.body
  expect(count).toBe(504)
  const row = Object.fromEntries(Object.entries<unknown[]>(columns).map(([name, values]) => [name, values[3]]))
  expect(row).toMatchObject({ id: 4, name: 'bravo', condition: 'failing', items: 2, weight: 2 })
  const url = await node.listen()
  const raw = await fetch(`${url}/api/sources/table`, { headers: { cookie, 'accept-encoding': 'gzip' } })
  expect(raw.headers.get('content-encoding')).toBe('gzip')
  expect(await raw.json()).toEqual(plain.body)
})

it('shows the overview with trouble, wanted sources and others like them', async () => {
  const { store } = node.data
  const text = 'CREATE FEED heavy AS RETURN delta;'
  await node.ask('POST', '/api/queries', { cookie, body: { text } })
  const { id: feedId } = (await store.queryFeed('heavy'))!
  await store.publish({
    cursor: 0,
    publications: [],
    itemCounts: new Map([[1, 1e6]]),
    matches: [{ feedId, version: 1, sourceId: 1, items: 1e6 }],
    at: START,
  })
  const overview = await get('/api/overview?over=hour')
  expect(overview.counts).toMatchObject({
    sources: 504,
    items: 7,
    queryFeeds: 1,
    conditions: { failing: 1, active: 3 },
  })
  expect(overview.trouble).toMatchObject([{ name: 'bravo' }])
  expect(overview.wanted).toMatchObject([{ source: { name: 'delta' }, subscribers: 1, importance: expect.closeTo(3) }])
  expect(overview.suggested).toMatchObject([{ source: { name: 'charlie' }, becauseOf: ['delta'] }])
  expect(overview.series).toHaveLength(6)
})

it('hides what was made private from the public lists, one by one', async () => {
  const hide = (feed: string, isPrivate = true) =>
    node.ask('PUT', '/api/feeds/access', { cookie, body: { feed, isPrivate } })
  const listed = async () => JSON.stringify((await node.ask('GET', '/feeds.json')).body)
  const status = async (path: string, options = {}) => (await node.ask('GET', path, options)).status
  await hide('/feeds/category/Heavy')
  await hide('/feeds/source/2')
  expect(await listed()).not.toContain('/feeds/category/Heavy.rss')
  expect(await listed()).toContain('/feeds/category/Heavy/Iron.rss')
  expect([await status('/feeds/category/Heavy.rss'), await status('/feeds/category/Heavy/Iron.rss')]).toEqual([
    401, 200,
  ])
  expect([await status('/feeds/source/2.atom'), await status('/feeds/source/1.atom')]).toEqual([401, 200])
  expect(await status('/feeds/source/2.atom', { cookie })).toBe(200)
  expect((await node.ask('GET', '/opml')).text).not.toContain('Alpha.example')
  await hide('/feeds/source/*')
  expect(await status('/feeds/source/1.atom')).toBe(401)
  expect((await node.ask('GET', '/opml')).text).not.toContain('delta.example')
  expect((await node.ask('GET', '/')).text).not.toContain('delta')
  expect((await get('/api/feeds')).sourcesArePrivate).toBe(true)
  await hide('/feeds/source/*', false)
  expect(await status('/feeds/source/1.atom')).toBe(200)
})
