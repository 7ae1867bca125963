import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOON } from '../support/published-items.ts'
import { addSource, storeItems } from '../support/publishing.ts'
import { startFeedServer } from './feed-server.ts'
import { itemOf, openReaderNode, type ReaderNode } from './reader-node.ts'

let node: ReaderNode
let feedServer: Awaited<ReturnType<typeof startFeedServer>>
let password: string
beforeAll(async () => {
  node = await openReaderNode()
  feedServer = await startFeedServer()
  password = await node.passwordOf(node.owner.user)
})
afterAll(async () => {
  await node.close()
  await feedServer.close()
})

const basic = (name: string, secret: string) => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
const ask = (method: string, path: string, body?: object | string) =>
  node.ask(method, path, {
    isBare: true,
    headers: { 'x-auth-token': password, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? Buffer.from(body) : body }),
  })
const ids = ({ body }: { body: { entries: { id: number }[] } }) => body.entries.map(({ id }) => id)
const seconds = (minutes: number) => Math.floor((NOON + minutes * 60_000) / 1_000)

/** Filters and the entries that fit: numbers 1 to 6 arrive a minute apart, two of each of three feeds. */
const FILTERS: readonly (readonly [string, readonly number[]])[] = [
  ['', [1, 2, 3, 4, 5, 6]],
  ['direction=desc&limit=2', [6, 5]],
  ['direction=desc&limit=2&offset=2', [4, 3]],
  ['order=published_at&direction=desc&limit=0', [6, 5, 4, 3, 2, 1]],
  ['status=unread', [1, 3, 4, 5, 6]],
  ['status=read', [2]],
  ['status=read&status=unread', [1, 2, 3, 4, 5, 6]],
  ['status=removed', []],
  ['starred=true', [5]],
  ['starred=false&status=unread', [1, 3, 4, 6]],
  ['after_entry_id=4', [5, 6]],
  ['before_entry_id=3', [1, 2]],
  [`after=${seconds(4)}`, [5, 6]],
  [`published_before=${seconds(3)}`, [1, 2]],
  [`changed_after=${seconds(9_999)}`, []],
  ['feed_id=2', [3, 4]],
  ['category_id=1', [5, 6]],
  ['search=item-1-2', [4]],
  ['some_new_filter=1&limit=1', [1]],
  // As its client in Python writes a truth.
  ['starred=True', [5]],
  ['starred=maybe&limit=1', [1]],
  ['status=&search=&starred=&feed_id=&limit=2', [1, 2]],
  ['limit=2&limit=4', [1, 2]],
  ['before_entry_id=0&before=0&published_before=0&changed_before=0&feed_id=0&category_id=0&limit=1', [1]],
  [`before=${seconds(6)}&published_before=${seconds(3)}`, [1, 2]],
  ['globally_visible=true&limit=1', [1]],
  // Kept in this order by its title, and by what is as it says.
  ['order=title&direction=desc', [6, 5, 4, 3, 2, 1]],
  ['order=status', [2, 1, 3, 4, 5, 6]],
  ['order=status&direction=desc', [6, 5, 4, 3, 1, 2]],
  ['order=author&limit=2', [1, 2]],
  ['order=category_title', [5, 6, 3, 4, 1, 2]],
  ['order=category_title&direction=desc&limit=2&offset=2', [4, 3]],
  ['order=category_id&limit=2', [5, 6]],
  ['tags=none', []],
]

describe('the Miniflux API', () => {
  it.each([
    ['GET', '/v1/me'],
    ['GET', '/v1/feeds'],
    ['PUT', '/v1/entries'],
  ])('%s %s is closed to who has no app password', async (method, path) => {
    for (const headers of [
      {},
      { 'x-auth-token': 'wrong' },
      { authorization: basic('owner', 'wrong') },
      { authorization: basic('ann', password) },
    ]) {
      const answer = await node.ask(method, path, { isBare: true, headers: headers as Record<string, string> })
      expect([answer.status, answer.body]).toEqual([401, { error_message: 'Access Unauthorized' }])
    }
    expect((await node.ask(method, path, { cookie: node.owner.cookie })).status).toBe(401)
  })

  it('knows its user by token and by name and password', async () => {
    expect((await ask('GET', '/v1/me')).body).toMatchObject({ id: 1, username: 'owner', is_admin: true })
    const headers = { authorization: basic('owner', password) }
    expect((await node.ask('GET', '/v1/me', { isBare: true, headers })).body.username).toBe('owner')
  })

  it('has folders as categories, and feeds in their first', async () => {
    const { body } = await ask('GET', '/v1/categories')
    expect(body.map(({ title }: { title: string }) => title).sort()).toEqual([
      'All',
      'Arts/Film',
      'News',
      'Query feeds',
    ])
    const feeds = (await ask('GET', '/v1/feeds')).body
    expect(feeds.map((feed: { id: number; category: { title: string } }) => [feed.id, feed.category.title])).toEqual([
      [1, 'News'],
      [2, 'Arts/Film'],
      [3, 'All'],
    ])
    const news = body.find(({ title }: { title: string }) => title === 'News').id
    expect(ids(await ask('GET', `/v1/categories/${news}/entries`))).toEqual([1, 2])
    expect((await ask('GET', `/v1/categories/${news}/feeds`)).body).toHaveLength(1)
    expect((await ask('GET', '/v1/categories/77/feeds')).status).toBe(404)
  })

  it.each(FILTERS)('entries?%s', async (search, expected) => {
    await ask('PUT', '/v1/entries', { entry_ids: [2], status: 'read' })
    await node.data.store.markItems(1, [5], { isStarred: true })
    expect(ids(await ask('GET', `/v1/entries?${search}`))).toEqual(expected)
  })

  it('counts what is unread in a folder where that is asked for', async () => {
    const { body } = await ask('GET', '/v1/categories?counts=true')
    const of = (wanted: string) => body.find(({ title }: { title: string }) => title === wanted)
    expect(of('News')).toMatchObject({ feed_count: 1, total_unread: 1 })
    expect(of('Arts/Film')).toMatchObject({ feed_count: 1, total_unread: 2 })
  })

  it('gives an entry with its feed, as newsboat reads it', async () => {
    const { body } = await ask('GET', '/v1/feeds/1/entries?order=published_at&direction=desc&limit=20')
    expect(body.total).toBe(2)
    expect(body.entries[0]).toMatchObject({
      id: 2,
      feed_id: 1,
      title: 'Title 0 2',
      url: 'http://s0.invalid/2',
      content: '<p>Text of item-0-2</p>',
      feed: { id: 1, title: 'Source 1' },
      published_at: new Date(NOON + 120_000).toISOString(),
    })
    expect((await ask('GET', '/v1/entries/6')).body.id).toBe(6)
    expect((await ask('GET', '/v1/feeds/1/entries/2')).body.id).toBe(2)
    expect((await ask('GET', '/v1/categories/1/entries/6')).body.id).toBe(6)
    expect((await ask('GET', '/v1/entries/999')).status).toBe(404)
  })

  it('marks, stars and counts; the dashboard sees it', async () => {
    expect((await ask('PUT', '/v1/entries/4/bookmark')).status).toBe(204)
    expect((await ask('PUT', '/v1/feeds/3/mark-all-as-read')).status).toBe(204)
    const { cookie } = node.owner
    expect((await node.ask('GET', '/api/items/4', { cookie })).body.isStarred).toBe(true)
    expect((await node.ask('GET', '/api/items/6', { cookie })).body.isRead).toBe(true)
    expect((await ask('PUT', '/v1/entries/4/bookmark')).status).toBe(204)
    expect((await node.ask('GET', '/api/items/4', { cookie })).body.isStarred).toBe(false)
    expect((await ask('GET', '/v1/feeds/counters')).body.unreads).toEqual({ 1: 1, 2: 2 })
    expect((await ask('PUT', '/v1/users/2/mark-all-as-read')).status).toBe(404)
    expect((await ask('PUT', '/v1/users/1/mark-all-as-read')).status).toBe(204)
    expect((await ask('GET', '/v1/feeds/counters')).body.unreads).toEqual({})
  })

  it('adds, refiles, refreshes and leaves feeds; lists go in and out', async () => {
    const added = await ask('POST', '/v1/feeds', { feed_url: feedServer.url })
    expect([added.status, added.body]).toEqual([201, { feed_id: 4 }])
    expect((await ask('PUT', '/v1/feeds/4', { title: 'Mine' })).body.title).toBe('Mine')
    expect((await ask('PUT', '/v1/feeds/4/refresh')).status).toBe(204)
    expect((await ask('DELETE', '/v1/feeds/4')).status).toBe(204)
    expect((await ask('GET', '/v1/feeds/4')).status).toBe(404)
    expect((await node.data.store.source(4))?.name).toBe('Mine')
    const opml = '<opml version="2.0"><body><outline type="rss" text="N" xmlUrl="http://n.invalid/"/></body></opml>'
    expect((await ask('POST', '/v1/import', opml)).status).toBe(201)
    expect((await ask('GET', '/v1/export')).text).toContain('http://n.invalid/')
  })

  it('puts entries in the order of publication, of change and of tags where that is asked for', async () => {
    const { id } = await addSource(node.data.store, 'http://old.invalid/feed', { name: 'Old' })
    await node.data.store.follow({ userId: 1, feed: `/feeds/source/${id}`, since: NOON })
    const many = [3, 1, 2].map((n) =>
      itemOf(8, n, {
        ...{ sortAt: NOON - n * 60_000, firstSeenAt: NOON + 600_000 },
        categories: n === 2 ? ['Sea', 'Wind'] : ['sea'],
      }),
    )
    await storeItems(node.data.store, id, many)
    const by = async (search: string) => ids(await ask('GET', `/v1/feeds/${id}/entries?${search}`))
    const [three, one, two] = await by('')
    expect(await by('order=published_at')).toEqual([three, two, one])
    expect(await by('order=published_at&direction=desc&limit=2')).toEqual([one, two])
    // None was changed since they came together.
    expect(await by('order=changed_at')).toEqual([three, one, two])
    expect(await by('tags=SEA')).toEqual([three, one, two])
    expect(await by('tags=sea&tags=wind')).toEqual([two])
  })

  it.each([
    ['PUT', '/v1/entries', 'no json', 400],
    ['PUT', '/v1/entries', { entry_ids: ['x'], status: 'read' }, 400],
    ['PUT', '/v1/entries', { entry_ids: Array.from({ length: 10_001 }, () => 1), status: 'read' }, 400],
    ['PUT', '/v1/entries', { entry_ids: [1], status: 'gone' }, 400],
    ['GET', '/v1/entries?limit=-1', undefined, 400],
    ['GET', '/v1/entries?feed_id=999', undefined, 404],
    ['GET', '/v1/feeds/abc/entries', undefined, 404],
    // An entry of another feed, and of another folder.
    ['GET', '/v1/feeds/2/entries/1', undefined, 404],
    ['GET', '/v1/categories/1/entries/1', undefined, 404],
    ['GET', '/v1/entries?order=nonsense', undefined, 400],
    ['GET', '/v1/entries?status=nonsense', undefined, 400],
    ['GET', '/v1/entries?after_entry_id=x', undefined, 400],
    ['GET', '/v1/no/such', undefined, 404],
    ['GET', '/v1/me/', undefined, 404],
    ['POST', '/v1/no/such', {}, 404],
    ['GET', '/v1/feeds/1000000001', undefined, 404],
    ['POST', '/v1/categories', { title: 'x' }, 400],
    ['POST', '/v1/feeds', { feed_url: 'not an address' }, 422],
    ['DELETE', '/v1/categories/1', undefined, 404],
    ['POST', '/v1/import', 'nothing', 400],
  ] as const)('%s %s %s is answered with a reason', async (method, path, body, status) => {
    const answer = await ask(method, path, body as never)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining('error_message')])
  })
})
