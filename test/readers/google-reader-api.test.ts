import { GoogleReaderApi } from 'google-reader-api'
import { afterEach, expect, it } from 'vitest'
import { startFeedServer } from './feed-server.ts'
import { openReaderNode, type ReaderNode } from './reader-node.ts'

const LIST = 'user/-/state/com.google/reading-list'
const READ = 'user/-/state/com.google/read'
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function openClient(): Promise<{ node: ReaderNode; client: GoogleReaderApi; feedUrl: string }> {
  const node = await openReaderNode()
  const server = await startFeedServer()
  ends.push(
    () => node.close(),
    () => server.close(),
  )
  const url = await node.listen()
  const password = await node.passwordOf(node.owner.user)
  return { node, client: new GoogleReaderApi(`${url}/api/greader.php`, 'owner', password), feedUrl: server.url }
}

it('the npm client google-reader-api works with all its methods', async () => {
  const { node, client, feedUrl } = await openClient()
  expect(await client.clientLogin()).toMatch(/^hw_/)
  expect((await client.getPostToken()).length).toBe(57)
  expect((await client.getUserInfo()).userName).toBe('owner')
  expect((await client.getSubscriptionList()).map(({ id }) => id)).toEqual(['feed/1', 'feed/2', 'feed/3'])
  expect((await client.getTagList()).map(({ id }) => id)).toContain('user/-/label/News')
  const counts = await client.getUnreadCounts()
  expect(counts.unreadcounts.find(({ id }) => id === LIST)?.count).toBe(6)

  const page = await client.getStreamItemIds({ streamId: LIST, itemsPerPage: 4, excludeStreamId: READ })
  expect(page.itemRefs.map(({ id }) => id)).toEqual(['6', '5', '4', '3'])
  const rest = await client.getStreamItemIds({ streamId: LIST, itemsPerPage: 4, continuation: page.continuation! })
  expect(rest.itemRefs.map(({ id }) => id)).toEqual(['2', '1'])
  const { items } = await client.getStreamContents({ streamId: 'feed/1', itemsPerPage: 1 })
  expect(items.map(({ title }) => title)).toEqual(['Title 0 2'])
  const contents = await client.getStreamItemContents(['3', items[0]!.id])
  expect(contents.items.map(({ title }) => title)).toEqual(['Title 1 1', 'Title 0 2'])
  expect(Number((await client.getStreamItemCount({ streamId: 'feed/1' })).count)).toBe(2)

  expect(await client.editTag({ editIds: ['1', '3'], addIds: [READ] })).toBe('OK')
  expect((await node.data.store.marks(1, [3])).get(3)?.isRead).toBe(true)
  expect(await client.editTag({ editIds: ['3'], removeIds: [READ] })).toBe('OK')
  expect((await node.data.store.marks(1, [3])).get(3)?.isRead).toBe(false)
  expect(await client.markAllAsRead({ streamId: 'feed/3' })).toBe('OK')
  expect((await node.data.store.marks(1, [6])).get(6)?.isRead).toBe(true)

  const { streamId } = await client.quickAddSubscription(feedUrl)
  expect(streamId).toBe('feed/4')
  expect((await client.quickAddSubscription(feedUrl)).streamId).toBe('feed/4')
  const edit = { action: 'edit' as const, streamId, title: 'Mine', categoryId: 'user/-/label/Mine', addCategory: true }
  expect(await client.editSubscription(edit)).toBe('OK')
  expect(await node.data.store.source(4)).toMatchObject({ name: 'Mine', categories: ['Mine'] })
  expect(await client.renameTag('Mine', 'Ours')).toBe('OK')
  expect((await node.data.store.source(4))?.categories).toEqual(['Ours'])
  expect(await client.disableTag('Ours')).toBe('OK')
  expect((await node.data.store.source(4))?.categories).toEqual([])
  expect(await client.checkSubscription(streamId)).toBe(true)
  expect(await client.editSubscription({ action: 'unsubscribe', streamId })).toBe('OK')
  expect((await client.getSubscriptionList()).map(({ id }) => id)).not.toContain('feed/4')
  expect(await client.checkSubscription(streamId)).toBe(false)
  expect(await client.exportSubscriptions()).toContain('xmlUrl="http://s1.invalid/feed"')
  const opml = `<opml version="2.0"><body><outline type="rss" text="New" xmlUrl="http://new.invalid/rss"/></body></opml>`
  await client.importSubscriptions(opml)
  expect((await client.getSubscriptionList()).map(({ title }) => title)).toContain('New')
})
