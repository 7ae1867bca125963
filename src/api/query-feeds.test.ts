import { parseRssFeed } from 'feedsmith'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { first, present } from '../../test/support/present.ts'
import { NOON } from '../../test/support/published-items.ts'
import { addSource, handClock } from '../../test/support/publishing.ts'
import { publishItems, saveFeed } from '../../test/support/query-publishing.ts'
import { SERVER_PARTS } from '../../test/support/server-parts.ts'
import { createAccessReader } from '../app/users/access.ts'
import type { QueryFeed, Source } from '../model/index.ts'
import { tokenHash } from '../publisher/feed-access.ts'
import { createFeedService } from '../publisher/feeds.ts'
import { createMemoryStore } from '../store/memory/index.ts'
import type { Store } from '../store/store.ts'
import { createServer, type Server } from './server.ts'

let store: Store
let server: Server
let base: string
let source: Source
let feed: QueryFeed
let errors: unknown[]

beforeEach(async () => {
  const clock = handClock()
  const memory = createMemoryStore({ clock })
  store = memory.store
  errors = []
  const feeds = createFeedService({ store, clock, baseUrl: 'http://node.example', settingsCheckMs: 0 })
  server = createServer({
    ...SERVER_PARTS,
    ...memory,
    access: createAccessReader(memory.store),
    feeds,
    clock,
    version: '0',
    onError: (error) => errors.push(error),
  })
  base = (await server.listen({ host: '127.0.0.1', port: 0 })).url
  source = await addSource(store, 'https://a.example/feed')
  feed = await saveFeed(store, 'news', { title: 'The news', limit: 4 })
})
afterEach(async () => {
  await server.close()
  expect(errors).toEqual([])
})

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await request(`${base}${path}`, { headers })
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string>,
    text: await answer.body.text(),
  }
}
const publish = (from: number, to: number) =>
  publishItems(
    store,
    feed,
    source.id,
    Array.from({ length: to - from }, (_, i) => ({ id: `urn:${from + i}`, title: `t${from + i}` })),
  )
const ids = (rss: string) => parseRssFeed(rss).items?.map(({ guid }) => guid?.value)

describe('a query feed', () => {
  it.each([
    ['rss', 'application/rss+xml; charset=utf-8'],
    ['atom', 'application/atom+xml; charset=utf-8'],
    ['json', 'application/feed+json; charset=utf-8'],
  ])('is served as .%s, and not again to a reader that has it', async (format, type) => {
    await publish(0, 2)
    const answer = await get(`/feeds/news.${format}`)
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': type } })
    expect(answer.headers['cache-control']).toBe('public, max-age=60')
    expect(answer.text).toContain('The news')
    const etag = present(answer.headers['etag'])
    const modified = present(answer.headers['last-modified'])
    expect((await get(`/feeds/news.${format}`, { 'if-none-match': etag })).status).toBe(304)
    expect((await get(`/feeds/news.${format}`, { 'if-modified-since': modified })).status).toBe(304)
  })

  it('has an archive, and a link to what follows that leads to the feed until there is more', async () => {
    await publish(0, 9)
    const [, older] = /rel="prev-archive"/.test((await get('/feeds/news.rss')).text)
      ? /href="http:\/\/node\.example([^"]+)" rel="prev-archive"/.exec((await get('/feeds/news.rss')).text)!
      : []
    const archive = await get(older!.replaceAll('&amp;', '&'))
    expect(archive.status).toBe(200)
    expect(archive.headers['cache-control']).toBe('public, max-age=3600')
    expect(ids(archive.text)).toEqual(['urn:7', 'urn:6', 'urn:5', 'urn:4'])
    const after = older!.split('-').at(-1)
    expect(await get(`/feeds/news.rss?after=${after}`)).toMatchObject({
      status: 302,
      headers: { location: 'news.rss' },
    })
    await publish(9, 12)
    expect((await get(`/feeds/news.rss?after=${after}`)).headers.location).toMatch(/^news\.rss\?archive=\d+-\d+$/)
    for (const rest of ['?archive=0-999', '?archive=x', '?after=x', '?after=-1']) {
      expect((await get(`/feeds/news.rss${rest}`)).status).toBe(404)
    }
  })
})

describe('A-IM: feed', () => {
  it('gets what is new since, as 226 IM Used', async () => {
    await publish(0, 3)
    const etag = present((await get('/feeds/news.rss')).headers['etag'])
    await publish(3, 5)
    const delta = await get('/feeds/news.rss', { 'a-im': 'feed', 'if-none-match': etag })
    expect(delta).toMatchObject({ status: 226, headers: { im: 'feed', 'cache-control': 'no-store, im' } })
    expect(delta.headers['vary']).toMatch(/a-im/i)
    expect(ids(delta.text)).toEqual(['urn:4', 'urn:3'])
    const now = present(delta.headers['etag'])
    expect((await get('/feeds/news.rss', { 'a-im': 'feed', 'if-none-match': now })).status).toBe(304)
  })

  it.each<[string, Record<string, string>]>([
    ['without an ETag', { 'a-im': 'feed', 'if-none-match': '' }],
    ['with an unknown one', { 'a-im': 'feed', 'if-none-match': '"what"' }],
    ['for other manipulations', { 'a-im': 'vcdiff, feed;q=0' }],
    ['when it is not asked for', {}],
  ])('gets the whole feed %s', async (_, headers) => {
    await publish(0, 3)
    const etag = present((await get('/feeds/news.rss')).headers['etag'])
    await publish(3, 4)
    const answer = await get('/feeds/news.rss', { 'if-none-match': etag, ...headers })
    expect(answer.status).toBe(200)
    expect(answer.headers).not.toHaveProperty('im')
    expect(ids(answer.text)).toHaveLength(4)
  })

  it('works on compressed answers too', async () => {
    await publish(0, 2)
    const etag = present((await get('/feeds/news.json', { 'accept-encoding': 'gzip' })).headers['etag'])
    await publish(2, 3)
    const headers = { 'a-im': 'x, feed;q=0.5', 'if-none-match': etag, 'accept-encoding': 'gzip' }
    expect(await get('/feeds/news.json', headers)).toMatchObject({
      status: 226,
      headers: { 'content-encoding': 'gzip' },
    })
  })
})

describe('a private feed', () => {
  const token = 'hw_0123456789abcdef'
  beforeEach(async () => {
    await publish(0, 9)
    await store.updateQueryFeed(feed.id, { isPrivate: true })
    await store.addFeedToken(feed.id, { hash: tokenHash(token), label: null }, NOON)
  })

  it.each<[string, Record<string, string>]>([
    ['?token=', {}],
    ['', {}],
    ['?token=wrong', {}],
    ['', { authorization: 'Bearer wrong' }],
    ['', { authorization: `Basic ${Buffer.from('user:wrong').toString('base64')}` }],
    ['', { authorization: `Digest ${token}` }],
    [`?token=${tokenHash(token)}`, {}],
  ])('is not shown to %j %j', async (rest, headers) => {
    const answer = await get(`/feeds/news.rss${rest}`, headers)
    expect(answer).toMatchObject({ status: 401, headers: { 'cache-control': 'no-store' } })
    expect(answer.headers['www-authenticate']).toContain('Basic')
    expect(answer.text).not.toContain('urn:8')
    expect(answer.text).not.toContain('wrong')
  })

  it.each<[string, Record<string, string>]>([
    [`?token=${token}`, {}],
    ['', { authorization: `Bearer ${token}` }],
    ['', { authorization: `Basic ${Buffer.from(`anybody:${token}`).toString('base64')}` }],
    ['', { authorization: `basic ${Buffer.from(`${token}:`).toString('base64')}` }],
  ])('is shown to %j %j, for this reader only', async (rest, headers) => {
    const answer = await get(`/feeds/news.rss${rest}`, headers)
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'private, max-age=60' } })
    expect(answer.headers.vary).toContain('Authorization')
    expect(answer.text).not.toContain(token)
  })

  it.each<[string, Record<string, string>]>([
    ['', {}],
    ['?token=wrong', {}],
    [`?token=${token}x`, {}],
    ['?archive=0-3', {}],
    ['?after=0', {}],
    ['', { authorization: 'Bearer wrong' }],
  ])('cannot be distinguished from a feed that does not exist with %j %j', async (rest, headers) => {
    const [hidden, missing] = [
      await get(`/feeds/news.rss${rest}`, headers),
      await get(`/feeds/none.rss${rest}`, headers),
    ]
    const { date: _, ...head } = hidden.headers
    expect(missing).toEqual({
      ...hidden,
      headers: expect.objectContaining(head),
      text: hidden.text.replace('news', 'none'),
    })
    expect(missing.status).toBe(401)
  })

  it('is the reason for that: where nothing is private a wrong name is not found', async () => {
    await store.updateQueryFeed(feed.id, { isPrivate: false })
    expect((await get('/feeds/none.rss')).status).toBe(404)
  })

  it('has its archive behind the token too, and keeps it on the way there', async () => {
    expect((await get('/feeds/news.rss?after=0')).status).toBe(401)
    const { headers } = await get(`/feeds/news.rss?after=0&token=${token}`)
    expect(headers.location).toMatch(new RegExp(`^news\\.rss\\?archive=0-\\d+&token=${token}$`))
    expect((await get(`/feeds/${headers.location}`)).status).toBe(200)
    const [withoutToken] = present(headers['location']).split('&')
    expect((await get(`/feeds/${withoutToken}`)).status).toBe(401)
  })

  it('is in no list', async () => {
    await saveFeed(store, 'open', { title: 'The open one' })
    for (const path of ['/feeds', '/feeds.json', '/feeds.opml', '/']) {
      const { text } = await get(path)
      expect(text).toContain('The open one')
      expect(text).not.toContain('The news')
    }
    const { feeds } = JSON.parse((await get('/feeds.json')).text)
    expect(feeds).toContainEqual({
      kind: 'query',
      title: 'The open one',
      name: 'open',
      urls: {
        rss: 'http://node.example/feeds/open.rss',
        atom: 'http://node.example/feeds/open.atom',
        json: 'http://node.example/feeds/open.json',
      },
    })
  })

  it('is closed to a token that was taken back', async () => {
    const { id } = first(await store.feedTokens(feed.id))
    await store.removeFeedToken(id)
    expect((await get(`/feeds/news.rss?token=${token}`)).status).toBe(401)
  })
})
