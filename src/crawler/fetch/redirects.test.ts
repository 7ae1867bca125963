import { afterEach, describe, expect, it } from 'vitest'
import { type LocalServer, type RequestHandler, startServer } from '../../../test/support/local-server.ts'
import type { FetchOutcome, FetchRequest } from './fetcher.ts'
import { createFetcher } from './http.ts'
import type { FetcherOptions } from './options.ts'
import { firstHop, nextHop } from './redirects.ts'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()))
})

async function serve(handler: RequestHandler): Promise<LocalServer> {
  const server = await startServer(handler)
  open.push(server)
  return server
}

function get(url: string, more: Partial<FetchRequest> = {}, options: FetcherOptions = {}): Promise<FetchOutcome> {
  const fetcher = createFetcher({ allowRanges: ['loopback'], ...options })
  open.push(fetcher)
  const nothing = { etag: null, lastModified: null, headers: {}, basicAuth: null, userAgent: null, proxyUrl: null }
  return fetcher.fetch({ url, ...nothing, ...more })
}

/** `/301/308/x` redirects with 301 to `/308/x`, that with 308 to `/x`, and that is the feed. */
const byPath: RequestHandler = (request, response) => {
  const [, status, rest] = /^\/(\d{3})(\/.*)$/.exec(request.url!) ?? []
  if (status === undefined) response.end('the feed')
  else response.writeHead(Number(status), { location: rest }).end()
}

describe('redirects', () => {
  it.each([
    ['/301/x', '/x'],
    ['/308/x', '/x'],
    ['/301/308/x', '/x'],
    ['/301/302/x', '/302/x'],
    ['/308/307/301/x', '/307/301/x'],
    ['/302/x', null],
    ['/303/x', null],
    ['/307/x', null],
    ['/302/301/x', null],
    ['/x', null],
  ])('%s has moved for good to %s', async (path, permanent) => {
    const server = await serve(byPath)
    expect(await get(server.url(path))).toMatchObject({
      kind: 'content',
      finalUrl: server.url('/x'),
      permanentUrl: permanent === null ? null : server.url(permanent),
    })
  })

  it('are followed on the connection that is open already', async () => {
    const server = await serve(byPath)
    await get(server.url('/301/302/x'))
    expect(server.connections).toBe(1)
  })

  it.each([
    ['relative', 'next?a=b', '/dir/next?a=b'],
    ['without scheme', '//127.0.0.1:PORT/y', '/y'],
    ['with a fragment', '/y#there', '/y'],
    ['with raw UTF-8', Buffer.from('/größe').toString('latin1'), '/gr%C3%B6%C3%9Fe'],
    ['with spaces around and within', ' /a b ', '/a%20b'],
    ['with dots', '../../z', '/z'],
  ])('understand a Location %s', async (_name, location, path) => {
    const server = await serve((request, response) => {
      if (request.url !== '/dir/feed') response.end('the feed')
      else response.writeHead(302, { location: location.replace('PORT', String(server.port)) }).end()
    })
    expect(await get(server.url('/dir/feed'))).toMatchObject({ kind: 'content', finalUrl: server.url(path) })
  })

  it.each([
    ['no Location', undefined, 'FETCH_BAD_REDIRECT'],
    ['an empty one', '', 'FETCH_BAD_REDIRECT'],
    ['an unreadable one', 'http://[oops', 'FETCH_BAD_REDIRECT'],
    ['another scheme', 'ftp://example.org/', 'FETCH_BAD_URL'],
    ['a refused port', 'http://example.org:22/', 'FETCH_BAD_URL'],
    ['a private address', 'http://192.168.0.1/', 'FETCH_ADDRESS_REFUSED'],
    ['a private address in disguise', 'http://0xa000001/', 'FETCH_ADDRESS_REFUSED'],
  ])('with %s', async (_name, location, code) => {
    const server = await serve((_request, response) => {
      response.writeHead(302, location === undefined ? {} : { location }).end()
    })
    expect(await get(server.url())).toMatchObject({ kind: 'failed', code, host: `127.0.0.1:${server.port}` })
  })

  it.each(['/loop', '/a'])('that run in a circle end (%s)', async (path) => {
    const server = await serve((request, response) => {
      const location = { '/loop': '/loop', '/a': '/b', '/b': '/a' }[request.url!]!
      response.writeHead(302, { location }).end()
    })
    expect(await get(server.url(path))).toMatchObject({ code: 'FETCH_REDIRECT_LOOP', status: 302 })
    expect(server.requests.length).toBeLessThanOrEqual(2)
  })

  it('are counted', async () => {
    const server = await serve((request, response) => {
      response.writeHead(302, { location: `/${Number(request.url!.slice(1)) + 1}` }).end()
    })
    expect(await get(server.url('/0'))).toMatchObject({ code: 'FETCH_TOO_MANY_REDIRECTS' })
    expect(server.requests).toHaveLength(6)
    const none = await get(server.url('/0'), {}, { maxRedirects: 0 })
    expect(none).toMatchObject({ code: 'FETCH_TOO_MANY_REDIRECTS' })
  })

  it('take the validators along, to other hosts too', async () => {
    const target = await serve((_request, response) => response.writeHead(304).end())
    const server = await serve((_request, response) => response.writeHead(301, { location: target.url('/new') }).end())
    const outcome = await get(server.url(), { etag: '"1"' })
    expect(outcome).toMatchObject({ kind: 'not-modified', permanentUrl: target.url('/new'), etag: '"1"' })
    expect(target.requests[0]!.headers['if-none-match']).toBe('"1"')
  })

  it('count all bytes on the way', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/x') response.end('feed')
      else response.writeHead(302, { location: '/x' }).end('moved')
    })
    expect(await get(server.url())).toMatchObject({ bytes: 9 })
  })
})

describe('secrets on redirects', () => {
  const secrets = {
    headers: { Cookie: 'session=1', 'X-Api-Key': 'k', 'Accept-Language': 'de' },
    basicAuth: { user: 'me', password: 'pw' },
    userAgent: 'Mine/1',
  }

  it('stay within the origin', async () => {
    const server = await serve(byPath)
    await get(server.url('/302/x'), secrets)
    expect(server.requests[1]!.headers).toMatchObject({ cookie: 'session=1', 'x-api-key': 'k' })
    expect(server.requests[1]!.headers['authorization']).toMatch(/^Basic /)
  })

  it('are lost for good with the first step out of it, and the harmless headers are not', async () => {
    const home = await serve((request, response) => {
      if (request.url === '/back') response.end('the feed')
      else response.writeHead(302, { location: other.url() }).end()
    })
    const other: LocalServer = await serve((_request, response) => {
      response.writeHead(302, { location: home.url('/back') }).end()
    })
    await get(home.url(), secrets)
    for (const { headers } of [other.requests[0]!, home.requests[1]!]) {
      expect(headers).not.toHaveProperty('authorization')
      expect(headers).not.toHaveProperty('cookie')
      expect(headers).not.toHaveProperty('x-api-key')
      expect(headers).toMatchObject({ 'accept-language': 'de', 'user-agent': 'Mine/1' })
    }
  })

  it('do not come back while the other origin redirects within itself', async () => {
    const other = await serve(byPath)
    const home = await serve((_request, response) => response.writeHead(302, { location: other.url('/302/x') }).end())
    await get(home.url(), secrets)
    expect(other.requests).toHaveLength(2)
    for (const { headers } of other.requests) expect(headers).not.toHaveProperty('authorization')
  })

  it('another port is another origin', async () => {
    const other = await serve((_request, response) => response.end())
    const home = await serve((_request, response) => response.writeHead(308, { location: other.url() }).end())
    await get(`http://me:pw@127.0.0.1:${home.port}/`)
    expect(home.requests[0]!.headers).toHaveProperty('authorization')
    expect(other.requests[0]!.headers).not.toHaveProperty('authorization')
  })

  it.each([
    ['http://a.example/', 'http://a.example/b', true],
    ['http://a.example/', 'https://a.example/b', true],
    ['https://a.example/', 'http://a.example/b', false],
    ['http://a.example:8080/', 'https://a.example/b', false],
    ['http://a.example/', 'https://www.a.example/b', false],
    ['https://a.example/', 'https://a.example.evil.example/', false],
  ])('from %s to %s: %s', (from, to, trusted) => {
    expect(nextHop(firstHop(new URL(from)), 302, new URL(to)).trusted).toBe(trusted)
  })

  it('a log-in in the address moves along with the source within its origin only', async () => {
    const other = await serve((_request, response) => response.end('the feed'))
    const home = await serve((request, response) => {
      if (request.url === '/new') response.end('the feed')
      else response.writeHead(301, { location: request.url === '/in' ? '/new' : other.url('/new') }).end()
    })
    const withLogin = (path: string) => `http://me:pw@127.0.0.1:${home.port}${path}`
    expect(await get(withLogin('/in'))).toMatchObject({ permanentUrl: withLogin('/new'), finalUrl: home.url('/new') })
    expect(await get(withLogin('/out'))).toMatchObject({ permanentUrl: other.url('/new') })
  })
})

describe('politeness on redirects', () => {
  it('asks before every request but the first, and leaves each host before the next', async () => {
    const other = await serve((request, response) => {
      if (request.url === '/x') response.end('the feed')
      else response.writeHead(302, { location: '/x' }).end()
    })
    const home = await serve((_request, response) => response.writeHead(302, { location: other.url('/hop') }).end())
    const log: string[] = []
    const enterHop = async (url: URL) => {
      log.push(`enter ${url.pathname}`)
      return () => log.push(`leave ${url.pathname}`)
    }
    await get(home.url(), { enterHop })
    expect(log).toEqual(['enter /hop', 'leave /hop', 'enter /x', 'leave /x'])
  })

  it('a turn that cannot be had is a failure, not an exception', async () => {
    const server = await serve(byPath)
    const enterHop = () => Promise.reject(new Error('busy'))
    expect(await get(server.url('/302/x'), { enterHop })).toMatchObject({ kind: 'failed' })
  })
})
