import { afterEach, expect, it } from 'vitest'
import { openReaderNode, type ReaderNode } from './reader-node.ts'

const api = (path: string) => `/reader/api/0/${path}`
let node: ReaderNode
afterEach(() => node.close())

const subscriptions = async () =>
  (await node.greader('GET', api('subscription/list'))).body.subscriptions.map(({ id }: { id: string }) => id)
const list = async (stream = 'user/-/state/com.google/reading-list') =>
  (await node.greader('GET', api(`stream/items/ids?n=99&s=${stream}`))).body.itemRefs.map(({ id }: { id: string }) =>
    Number(id),
  )
const edit = (form: string) => node.greader('POST', api('subscription/edit'), form)

async function addFeed(name: string, items: readonly number[]): Promise<void> {
  const { store } = node.data
  const saved = { kind: 'save-feed' as const, name, title: `About ${name}`, limit: null, text: 'x' }
  await store.changeQueries([{ ...saved, catchUp: { after: 0 } }], await store.queryRevision(), 1)
  const { id, version } = (await store.queryFeed(name))!
  await store.publishCatchUp({
    ...{ feeds: [{ feedId: id, version }], after: 0, upTo: 6, isEnd: true, at: 1 },
    publications: items.map((itemSeq) => ({ feedId: id, version, itemSeq, joined: [] })),
  })
}

it('an app shows what its user follows; who follows nothing gets everything', async () => {
  node = await openReaderNode()
  expect(await subscriptions()).toEqual(['feed/1', 'feed/2', 'feed/3'])
  // Following one of everything would leave that one alone.
  expect((await edit('s=feed/2&ac=subscribe')).text).toBe('OK')
  expect(await subscriptions()).toEqual(['feed/1', 'feed/2', 'feed/3'])
  expect((await edit('s=feed/2&ac=unsubscribe')).text).toBe('OK')
  expect(await subscriptions()).toEqual(['feed/1', 'feed/3'])
  expect(await list()).toEqual([6, 5, 2, 1])
  expect(await list('user/-/label/News')).toEqual([2, 1])
  await edit('s=feed/1&ac=unsubscribe')
  await edit('s=feed/2&ac=subscribe')
  expect(await subscriptions()).toEqual(['feed/2', 'feed/3'])
  await node.greader('POST', api('mark-all-as-read'), 's=user/-/state/com.google/reading-list')
  const marks = await node.data.store.marks(1, [1, 2, 3, 4, 5, 6])
  expect([...marks.values()].map(({ isRead }) => isRead)).toEqual([false, false, true, true, true, true])
  expect((await node.data.store.sources()).length).toBe(3)
})

it('an app that leaves a followed folder keeps the others of it', async () => {
  node = await openReaderNode()
  await node.ask('PUT', '/api/follows', { cookie: node.owner.cookie, body: { feed: '/feeds/category/News' } })
  expect(await subscriptions()).toEqual(['feed/1', 'feed/2'])
  await edit('s=feed/1&ac=unsubscribe')
  expect(await subscriptions()).toEqual(['feed/2'])
})

it('query feeds are labels, and streams where they are followed', async () => {
  node = await openReaderNode()
  await addFeed('ice', [2, 5])
  await addFeed('News', [3])
  const { tags } = (await node.greader('GET', api('tag/list'))).body
  const labels = tags.filter(({ type }: { type: string }) => type === 'tag').map(({ id }: { id: string }) => id)
  expect(labels).toEqual(['user/-/label/News (query feed)', 'user/-/label/ice'])
  expect(await list('user/-/label/ice')).toEqual([5, 2])
  expect(await list('user/-/label/News')).toEqual([4, 3, 2, 1])
  expect(await list('user/-/label/News (query feed)')).toEqual([3])
  const [item] = (await node.greader('GET', api('stream/items/contents?i=5'))).body.items
  expect(item.categories).toContain('user/-/label/ice')

  const { id } = (await node.data.store.queryFeed('ice'))!
  const stream = `feed/${1_000_000_000 + id}`
  expect((await edit(`s=${stream}&ac=subscribe`)).text).toBe('OK')
  expect(await subscriptions()).toEqual([stream])
  // Fluent Reader drops items whose origin it does not list.
  const { items } = (await node.greader('GET', api('stream/contents'))).body
  expect(items.map((one: { origin: { streamId: string } }) => one.origin.streamId)).toEqual([stream, stream])
  expect(await list(stream)).toEqual([5, 2])
  await node.greader('POST', api('mark-all-as-read'), `s=${stream}`)
  expect((await node.data.store.marks(1, [5])).get(5)?.isRead).toBe(true)
  expect((await node.greader('POST', api('rename-tag'), 's=user/-/label/ice&dest=user/-/label/x')).status).toBe(400)
  await node.greader('POST', api('disable-tag'), 's=user/-/label/ice')
  expect(await subscriptions()).toEqual(['feed/1', 'feed/2', 'feed/3'])
})

it('the app and the dashboard marking one item at once end in one state, which both see', async () => {
  node = await openReaderNode()
  const { cookie } = node.owner
  for (let round = 0; round < 20; round++) {
    const tag = `user/-/state/com.google/read`
    await Promise.all([
      node.greader('POST', api('edit-tag'), `i=3&${round % 2 === 0 ? 'a' : 'r'}=${tag}`),
      node.ask('POST', '/api/items/mark', { cookie, body: { seqs: [3], isRead: round % 2 === 1, isStarred: true } }),
    ])
    const { isRead, isStarred } = (await node.ask('GET', '/api/items/3', { cookie })).body
    const [item] = (await node.greader('GET', api('stream/items/contents?i=3'))).body.items
    expect([item.categories.includes(tag), isStarred]).toEqual([isRead, true])
  }
})
