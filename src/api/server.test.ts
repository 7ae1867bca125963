import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { present } from '../../test/support/present.ts'
import { NOON } from '../../test/support/published-items.ts'
import { addSource, handClock, storeItems } from '../../test/support/publishing.ts'
import { SERVER_PARTS } from '../../test/support/server-parts.ts'
import { createAccessReader } from '../app/users/access.ts'
import { createFeedService } from '../publisher/feeds.ts'
import { readOpml } from '../sources/opml.ts'
import { createMemoryStore } from '../store/memory/index.ts'
import type { Store } from '../store/store.ts'
import { createServer, type Server } from './server.ts'

let store: Store
let server: Server
let base: string
let errors: unknown[]

beforeEach(async () => {
  const clock = handClock()
  const memory = createMemoryStore({ clock })
  store = memory.store
  errors = []
  const feeds = createFeedService({ store, clock, baseUrl: 'http://feeds.example', settingsCheckMs: 0 })
  server = createServer({
    ...SERVER_PARTS,
    ...memory,
    access: createAccessReader(memory.store),
    feeds,
    clock,
    version: '1.2.3',
    onError: (error) => errors.push(error),
  })
  base = (await server.listen({ host: '127.0.0.1', port: 0 })).url
  const science = await addSource(store, 'https://user:secret@a.example/feed', { categories: ['News/Science & Co'] })
  await storeItems(store, science.id, [{ title: 'One', id: 'tag:a.example,2024:1' }], {
    title: 'Alpha <b>& Co',
    lastCheckAt: NOON - 60_000,
    nextCheckAt: NOON + 120_000,
    nextCheckReason: 'every 3 min',
  })
  const broken = await addSource(store, 'https://b.example/feed')
  const lastError = { code: 'HTTP_NOT_FOUND', message: 'Not <found>', at: NOON }
  await storeItems(store, broken.id, [], { status: 'failing', lastError })
})

afterEach(() => server.close())

async function get(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  const answer = await request(`${base}${path}`, { method, headers })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  return { status: answer.statusCode, headers: answer.headers as Record<string, string>, bytes, text: bytes.toString() }
}

describe('a feed', () => {
  it.each([
    ['/feeds/all.rss', 'application/rss+xml; charset=utf-8'],
    ['/feeds/all.atom', 'application/atom+xml; charset=utf-8'],
    ['/feeds/all.json', 'application/feed+json; charset=utf-8'],
    ['/feeds/source/1.rss', 'application/rss+xml; charset=utf-8'],
    ['/feeds/category/News.atom', 'application/atom+xml; charset=utf-8'],
    ['/feeds/category/News/Science%20%26%20Co.json', 'application/feed+json; charset=utf-8'],
    ['/feeds/category/News%2FScience%20%26%20Co.json?utm=1', 'application/feed+json; charset=utf-8'],
  ])('%s is served as %s', async (path, type) => {
    const answer = await get(path)
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': type, vary: 'Accept-Encoding' } })
    expect(answer.text).toContain('tag:a.example,2024:1')
    expect(answer.headers['cache-control']).toMatch(/max-age=\d+/)
    expect(answer.headers['last-modified']).toBe('Fri, 17 May 2024 12:00:00 GMT')
  })

  it('is compressed on request, under another ETag', async () => {
    const [plain, zipped] = [await get('/feeds/all.rss'), await get('/feeds/all.rss', { 'accept-encoding': 'gzip' })]
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true)
    expect(zipped.headers.etag).not.toBe(plain.headers.etag)
    expect(plain.headers.etag).toMatch(/^"/)
  })

  it.each<Record<string, string>>([{}, { 'accept-encoding': 'gzip' }])(
    'is not sent again to a client that has it (%j)',
    async (encoding) => {
      const first = await get('/feeds/all.rss', encoding)
      const etag = present(first.headers['etag'])
      const modified = present(first.headers['last-modified'])
      const conditions: Record<string, string>[] = [
        { 'if-none-match': etag },
        { 'if-none-match': `"other", W/${etag}` },
        { 'if-none-match': '*' },
        { 'if-modified-since': modified },
      ]
      for (const headers of conditions) {
        const again = await get('/feeds/all.rss', { ...encoding, ...headers })
        expect(again).toMatchObject({ status: 304, text: '', headers: { etag, vary: 'Accept-Encoding' } })
        expect(again.headers).not.toHaveProperty('content-type')
      }
      expect((await get('/feeds/all.rss', { ...encoding, 'if-none-match': '"other"' })).status).toBe(200)
    },
  )

  it('is sent again once it has changed', async () => {
    const etag = present((await get('/feeds/all.rss')).headers['etag'])
    await store.updateSource(1, { name: 'Renamed' })
    const again = await get('/feeds/all.rss', { 'if-none-match': etag })
    expect(again.status).toBe(200)
    expect(again.text).toContain('Renamed')
  })

  it('answers HEAD with the same headers and no body', async () => {
    const [full, head] = [await get('/feeds/all.rss'), await get('/feeds/all.rss', {}, 'HEAD')]
    expect(head).toMatchObject({ status: 200, text: '' })
    for (const name of ['etag', 'last-modified', 'content-type', 'content-length', 'cache-control', 'vary']) {
      expect(head.headers[name]).toBe(full.headers[name])
    }
  })
})

describe('errors', () => {
  it.each([
    ['GET', '/feeds/source/99.rss', 404, 'FEED_NOT_FOUND'],
    ['GET', '/feeds/category/Nothing.rss', 404, 'FEED_NOT_FOUND'],
    ['GET', '/feeds/all.xml', 404, 'FEED_NOT_FOUND'],
    ['GET', '/nowhere', 404, 'ADDRESS_NOT_FOUND'],
    ['GET', '/feeds/category/%zz.rss', 400, 'REQUEST_INVALID'],
    ['POST', '/feeds/all.rss', 405, 'METHOD_NOT_ALLOWED'],
  ] as const)('%s %s → %i %s as problem details', async (method, path, status, code) => {
    const answer = await get(path, {}, method)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    const problem = JSON.parse(answer.text)
    expect(problem).toMatchObject({ type: `urn:headwater:error:${code}`, status, code })
    expect(problem.title).toBeTruthy()
    expect(problem.hint).toBeTruthy()
  })

  it('of our own say nothing of the inside, but are reported', async () => {
    store.counts = () => Promise.reject(new Error('disk /secret/path'))
    const answer = await get('/')
    expect(answer.status).toBe(500)
    expect(JSON.parse(answer.text).code).toBe('INTERNAL')
    expect(answer.text).not.toContain('secret')
    expect(errors).toHaveLength(1)
  })

  it('names the port that is taken', async () => {
    const port = Number(new URL(base).port)
    const other = createServer({
      ...SERVER_PARTS,
      store,
      buffer: null,
      access: createAccessReader(store),
      feeds: createFeedService({ store, clock: handClock(), baseUrl: base }),
      clock: handClock(),
      version: '1',
    })
    await expect(other.listen({ host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'PORT_IN_USE' })
    await other.close()
  })

  it('survives garbage on the wire', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.end('NONSENSE\r\n\r\n'))
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    expect(answer).toContain(' 400 ')
    expect((await get('/health')).status).toBe(200)
  })
})

describe('lists', () => {
  it('shows all feeds as JSON, by name or by Accept', async () => {
    const list = JSON.parse((await get('/feeds.json')).text)
    expect(list.feeds.map((feed: { title: string }) => feed.title)).toEqual([
      'Everything',
      'News',
      'News/Science & Co',
      'Alpha & Co',
      'b.example/feed',
    ])
    expect(list.feeds[2].urls.rss).toBe('http://feeds.example/feeds/category/News/Science%20%26%20Co.rss')
    expect(JSON.parse((await get('/feeds', { accept: 'application/json' })).text)).toEqual(list)
  })

  it('shows all feeds as a page and as OPML', async () => {
    const page = await get('/feeds', { accept: 'text/html' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('href="http://feeds.example/feeds/source/1.rss"')
    const opml = readOpml((await get('/feeds.opml')).bytes)
    expect(opml.entries).toHaveLength(5)
  })

  it('gives the sources as OPML that can be read back, without passwords', async () => {
    const answer = await get('/opml')
    expect(answer.headers['content-type']).toBe('text/x-opml; charset=utf-8')
    expect(answer.text).not.toContain('secret')
    expect(readOpml(answer.bytes).entries).toMatchObject([
      { url: 'https://a.example/feed', categories: ['News/Science & Co'] },
      { url: 'https://b.example/feed' },
    ])
  })
})

describe('the overview', () => {
  it('lists feeds and sources with state, checks and errors, all escaped', async () => {
    const { text, headers } = await get('/')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    for (const part of [
      'Alpha &amp; Co',
      '1 min ago',
      'in 2 min',
      'every 3 min',
      'HTTP_NOT_FOUND',
      'Not &lt;found&gt;',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).toContain('2 sources · 1 items')
    expect(text).not.toContain('secret')
    expect(text).not.toMatch(/<script|javascript:|onclick/)
  })

  it('comes in pages when there are many sources', async () => {
    const { url: _url, ...settings } = (await store.source(2))!
    const many = Array.from({ length: 250 }, (_, i) => ({ ...settings, url: `https://c.example/${i}` }))
    await store.addSources(many, NOON)
    expect((await get('/')).text).toContain('Page 1 of 2')
    expect((await get('/?page=2')).text).toContain('c.example/249')
    expect((await get('/?page=nonsense')).text).toContain('Page 1 of 2')
  })

  it('says how the node is', async () => {
    expect(JSON.parse((await get('/health')).text)).toEqual({ status: 'ok', version: '1.2.3' })
  })

  it('is alive whatever its store does, and says in one place whether it is ready', async () => {
    store.counts = () => Promise.reject(new Error('gone'))
    expect((await get('/health')).status).toBe(200)
    expect(await get('/ready')).toMatchObject({ status: 308, headers: { location: 'api/health' } })
  })
})
