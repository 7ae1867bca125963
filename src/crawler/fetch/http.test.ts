import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type LocalServer,
  type RequestHandler,
  startRawServer,
  startServer,
} from '../../../test/support/local-server.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Fetcher, FetchOutcome, FetchRequest } from './fetcher.ts'
import { createFetcher } from './http.ts'
import type { FetcherOptions } from './options.ts'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()))
})

async function serve(handler: RequestHandler): Promise<LocalServer> {
  const server = await startServer(handler)
  open.push(server)
  return server
}

function fetcherWith(options: FetcherOptions = {}): Fetcher {
  const fetcher = createFetcher({ allowRanges: ['loopback'], ...options })
  open.push(fetcher)
  return fetcher
}

function get(url: string, more: Partial<FetchRequest> = {}, options: FetcherOptions = {}): Promise<FetchOutcome> {
  return fetcherWith(options).fetch(request(url, more))
}

function request(url: string, more: Partial<FetchRequest> = {}): FetchRequest {
  const nothing = { etag: null, lastModified: null, headers: {}, basicAuth: null, userAgent: null, proxyUrl: null }
  return { url, ...nothing, ...more }
}

function text(outcome: FetchOutcome): string {
  if (outcome.kind !== 'content') throw new Error(`not content: ${JSON.stringify(outcome)}`)
  return Buffer.from(outcome.body).toString('utf8')
}

describe('a plain fetch', () => {
  it('brings the body, its type, its validators and what it cost', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/rss+xml', etag: '"1"', 'last-modified': 'yesterday' })
      response.end('<rss/>')
    })
    const outcome = await get(server.url('/feed?x=1#part'))
    expect(outcome).toMatchObject({
      kind: 'content',
      status: 200,
      contentType: 'application/rss+xml',
      etag: '"1"',
      lastModified: 'yesterday',
      finalUrl: server.url('/feed?x=1'),
      permanentUrl: null,
      bytes: 6,
      hints: { maxAgeMs: null, expiresAt: null },
    })
    expect(text(outcome)).toBe('<rss/>')
    expect(outcome.latencyMs).toBeGreaterThan(0)
  })

  it('says who it is and what it reads', async () => {
    const server = await serve((_request, response) => response.end())
    await get(server.url())
    const { headers } = server.requests[0]!
    expect(headers['user-agent']).toMatch(/^Headwater\/\d/)
    expect(headers['accept']).toContain('application/atom+xml')
    expect(headers['accept-encoding']).toMatch(/^gzip, deflate, br/)
    expect(headers).not.toHaveProperty('authorization')
  })

  it("sends the source's own user agent, headers and log-in, and keeps to itself what belongs to the connection", async () => {
    const server = await serve((_request, response) => response.end())
    await get(server.url(), {
      userAgent: 'Mine/1',
      headers: { 'X-Key': 'k', Cookie: 'a=b', Connection: 'upgrade', 'Content-Length': '7' },
      basicAuth: { user: 'Jürgen', password: 'a:b' },
    })
    const { headers } = server.requests[0]!
    expect(headers).toMatchObject({ 'user-agent': 'Mine/1', 'x-key': 'k', cookie: 'a=b', connection: 'keep-alive' })
    expect(headers['authorization']).toBe(`Basic ${Buffer.from('Jürgen:a:b').toString('base64')}`)
    expect(headers).not.toHaveProperty('content-length')
  })

  it('takes the log-in from the address, and shows it nowhere', async () => {
    const server = await serve((_request, response) => response.writeHead(404).end())
    const outcome = await get(`http://me:s%C3%A9cret@127.0.0.1:${server.port}/secret-path?token=t`)
    expect(server.requests[0]!.headers['authorization']).toBe(`Basic ${Buffer.from('me:sécret').toString('base64')}`)
    expect(outcome).toMatchObject({ kind: 'failed', code: 'HTTP_NOT_FOUND', host: `127.0.0.1:${server.port}` })
    expect(JSON.stringify(outcome)).not.toMatch(/cret|token/)
  })

  it('reaches names below .localhost without DNS, one host each', async () => {
    const server = await serve((request, response) => response.end(request.headers.host))
    const resolve = () => Promise.reject(new Error('DNS was queried'))
    const outcome = await get(server.url('/', 'feed-17.localhost'), {}, { resolve })
    expect(text(outcome)).toBe(`feed-17.localhost:${server.port}`)
  })

  it('reads international host names', async () => {
    const server = await serve((request, response) => response.end(request.headers.host))
    const requests: string[] = []
    const resolve = async (name: string) => {
      requests.push(name)
      return [{ address: '127.0.0.1', family: 4 }]
    }
    expect(text(await get(server.url('/', 'Bücher.example'), {}, { resolve }))).toContain('xn--bcher-kva.example')
    expect(requests).toEqual(['xn--bcher-kva.example'])
  })

  it('reports what HTTP says about coming back', async () => {
    const server = await serve((_request, response) => response.setHeader('cache-control', 'max-age=90').end('x'))
    expect(await get(server.url())).toMatchObject({ hints: { maxAgeMs: 90_000 } })
  })

  it('takes early hints for what they are', async () => {
    const server = await serve((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
      response.end('late')
    })
    expect(text(await get(server.url()))).toBe('late')
  })
})

describe('conditional requests', () => {
  it('sends back both validators and understands 304', async () => {
    const server = await serve((_request, response) => response.writeHead(304, { etag: '"2"' }).end())
    const outcome = await get(server.url(), { etag: 'W/"1"', lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT' })
    expect(server.requests[0]!.headers).toMatchObject({
      'if-none-match': 'W/"1"',
      'if-modified-since': 'Sun, 06 Nov 1994 08:49:37 GMT',
    })
    expect(outcome).toMatchObject({
      kind: 'not-modified',
      status: 304,
      etag: '"2"',
      lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT',
      bytes: 0,
    })
  })

  it('returns odd validators byte for byte', async () => {
    const server = await serve((request, response) => {
      response.setHeader('etag', Buffer.from('"é"', 'utf8').toString('latin1'))
      response.end(request.headers['if-none-match'] ?? '')
    })
    const fetcher = fetcherWith()
    const first = await fetcher.fetch(request(server.url()))
    const etag = first.kind === 'content' ? first.etag : null
    expect(text(await fetcher.fetch(request(server.url(), { etag })))).toBe(Buffer.from('"é"').toString('latin1'))
  })

  it('does not believe a 304 that nobody asked for', async () => {
    const server = await serve((_request, response) => response.writeHead(304).end())
    expect(await get(server.url())).toMatchObject({ kind: 'failed', code: 'HTTP_UNEXPECTED', status: 304 })
  })
})

describe('answers that are no feed', () => {
  it.each([
    [204, 'HTTP_UNEXPECTED'],
    [206, 'HTTP_UNEXPECTED'],
    [300, 'HTTP_UNEXPECTED'],
    [400, 'HTTP_CLIENT_ERROR'],
    [401, 'HTTP_UNAUTHORIZED'],
    [403, 'HTTP_FORBIDDEN'],
    [404, 'HTTP_NOT_FOUND'],
    [410, 'HTTP_GONE'],
    [418, 'HTTP_CLIENT_ERROR'],
    [429, 'HTTP_TOO_MANY_REQUESTS'],
    [500, 'HTTP_SERVER_ERROR'],
    [503, 'HTTP_UNAVAILABLE'],
    [599, 'HTTP_SERVER_ERROR'],
  ])('%i is %s', async (status, code) => {
    const server = await serve((_request, response) => response.writeHead(status).end())
    expect(await get(server.url())).toMatchObject({ kind: 'failed', code, status, retryAt: null })
  })

  it.each([429, 503])('%i with Retry-After says when, on our clock', async (status) => {
    const server = await serve((_request, response) => response.writeHead(status, { 'retry-after': '120' }).end())
    const clock = { ...systemClock, now: () => 1_000_000 }
    expect(await get(server.url(), {}, { clock })).toMatchObject({ retryAt: 1_120_000 })
  })

  it('keeps the connection after a small error page and drops it after an endless one', async () => {
    const server = await serve((request, response) => {
      response.writeHead(404)
      if (request.url === '/small') response.end('x'.repeat(1_000))
      else setInterval(() => response.write('x'.repeat(10_000)), 1).unref()
    })
    const fetcher = fetcherWith()
    await fetcher.fetch(request(server.url('/small')))
    expect(await fetcher.fetch(request(server.url('/endless')))).toMatchObject({ code: 'HTTP_NOT_FOUND' })
    expect(server.connections).toBe(1)
    await expect.poll(() => server.openSockets).toBe(0)
  })
})

describe('addresses', () => {
  it.each([
    ['not a url', 'FETCH_BAD_URL'],
    ['ftp://example.org/feed', 'FETCH_BAD_URL'],
    ['file:///etc/passwd', 'FETCH_BAD_URL'],
    ['http://example.org:25/', 'FETCH_BAD_URL'],
    ['https://example.org:6000/', 'FETCH_BAD_URL'],
    ['http://127.0.0.1/', 'FETCH_ADDRESS_REFUSED'],
    ['http://2130706433/', 'FETCH_ADDRESS_REFUSED'],
    ['http://[::ffff:7f00:1]/', 'FETCH_ADDRESS_REFUSED'],
    ['http://169.254.169.254/latest/meta-data/', 'FETCH_ADDRESS_REFUSED'],
    ['http://a.localhost/', 'FETCH_ADDRESS_REFUSED'],
  ])('%s: %s', async (url, code) => {
    expect(await get(url, {}, { allowRanges: [] })).toMatchObject({ kind: 'failed', code, status: null })
  })

  it('refuses names that DNS says are private, and never connects', async () => {
    const server = await serve((_request, response) => response.end('secret'))
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const outcome = await get(server.url('/', 'rebind.example'), {}, { resolve, allowRanges: [] })
    expect(outcome).toMatchObject({ code: 'FETCH_ADDRESS_REFUSED' })
    expect(server.connections).toBe(0)
  })

  it('connects only to the allowed ones among several addresses', async () => {
    const server = await serve((_request, response) => response.end('fine'))
    const resolve = async () => ['10.0.0.1', '169.254.169.254', '127.0.0.1'].map((address) => ({ address, family: 4 }))
    const outcome = await get(server.url('/', 'mixed.example'), {}, { resolve })
    expect(text(outcome)).toBe('fine')
  })

  it('asks DNS once for one connection: what was checked is what is connected to', async () => {
    const server = await serve((_request, response) => response.end('fine'))
    let requests = 0
    const resolve = async () => [{ address: requests++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
    expect(text(await get(server.url('/', 'rebind.example'), {}, { resolve }))).toBe('fine')
    expect(requests).toBe(1)
  })

  it('refuses at every redirect, also to a name', async () => {
    const inner = await serve((_request, response) => response.end('secret'))
    const outer = await serve((request, response) => {
      const location = request.url === '/literal' ? 'http://10.0.0.1/' : inner.url('/', 'inner.example')
      response.writeHead(302, { location }).end()
    })
    const resolve = async () => [{ address: '10.0.0.1', family: 4 }]
    for (const path of ['/literal', '/name']) {
      expect(await get(outer.url(path), {}, { resolve })).toMatchObject({ code: 'FETCH_ADDRESS_REFUSED' })
    }
    expect(inner.connections).toBe(0)
  })

  it('says that a name does not exist', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    const outcome = await get('http://nowhere.example/', {}, { resolve })
    expect(outcome).toMatchObject({ code: 'FETCH_DNS', host: 'nowhere.example:80' })
    expect(await get('http://empty.example/', {}, { resolve: async () => [] })).toMatchObject({ code: 'FETCH_DNS' })
  })
})

describe('broken connections', () => {
  it('nobody listens', async () => {
    const server = await startServer(() => {})
    await server.close()
    expect(await get(server.url())).toMatchObject({ code: 'FETCH_CONNECT', host: `127.0.0.1:${server.port}` })
  })

  it('TLS where none is spoken', async () => {
    const server = await serve((_request, response) => response.end())
    expect(await get(server.url().replace('http:', 'https:'))).toMatchObject({ code: 'FETCH_TLS' })
  })

  it.each([
    ['reset before the answer', 'FETCH_BROKEN', null],
    ['not HTTP at all', 'HTTP_UNEXPECTED', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['headers cut off', 'FETCH_BROKEN', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['fewer bytes than announced', 'FETCH_BROKEN', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'],
    ['chunks cut off', 'FETCH_BROKEN', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nshort'],
  ])('%s', async (_name, code, answer) => {
    const server = await startRawServer((socket) => {
      socket.once('data', () => {
        if (answer === null) socket.resetAndDestroy()
        else socket.end(answer)
      })
    })
    open.push(server)
    expect(await get(server.url())).toMatchObject({ kind: 'failed', code })
  })

  it('reads an answer of HTTP/1.0 that ends with the connection', async () => {
    const server = await startRawServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\nold but good'))
    })
    open.push(server)
    expect(text(await get(server.url()))).toBe('old but good')
  })

  it('repeats a request once, politely, when the server had hung up on a kept connection', async () => {
    let answers = 0
    const server = await startRawServer((socket) => {
      let first = true
      socket.on('data', () => {
        if (!first) return void socket.resetAndDestroy()
        first = false
        answers++
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      })
    })
    open.push(server)
    const fetcher = fetcherWith()
    await fetcher.fetch(request(server.url()))
    const hops: string[] = []
    const enterHop = async (url: URL) => {
      hops.push(url.host)
      return () => hops.push('left')
    }
    expect(text(await fetcher.fetch(request(server.url(), { enterHop })))).toBe('ok')
    expect([answers, server.connections]).toEqual([2, 2])
    expect(hops).toEqual([`127.0.0.1:${server.port}`, 'left'])
  })

  it('says that a header cannot be sent', async () => {
    const server = await serve((_request, response) => response.end())
    const outcome = await get(server.url(), { headers: { 'x-a': 'secret\r\nx-b: 1' } })
    expect(outcome).toMatchObject({ code: 'FETCH_BAD_REQUEST' })
    expect(JSON.stringify(outcome)).not.toContain('secret')
    expect(server.requests).toHaveLength(0)
  })
})

describe('a watch over a fetch', () => {
  it('is notified when the host is waited for and when not, and can call it off', async () => {
    const server = await serve((_request, response) => void response.write('begin'))
    const reports: string[] = []
    const outcome = await get(server.url(), {
      watch: {
        lease: null,
        onRoad(spentMs, callOff) {
          reports.push(`on after ${spentMs}`)
          setTimeout(callOff, 50)
        },
        offRoad: () => reports.push('off'),
      },
    })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'FETCH_ABORTED' })
    expect(reports).toEqual(['on after 0', 'off'])
  })

  it('does not count the time in which a redirect waits for its turn', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/to') response.end('<rss/>')
      else response.writeHead(302, { location: '/to' }).end()
    })
    const reports: string[] = []
    const outcome = await get(server.url('/from'), {
      watch: {
        lease: null,
        onRoad: (spentMs) => reports.push(spentMs === 0 ? 'on' : 'on again'),
        offRoad: () => reports.push('off'),
      },
      enterHop: async () => {
        reports.push('waits')
        return () => {}
      },
    })
    expect(text(outcome)).toBe('<rss/>')
    expect(reports).toEqual(['on', 'off', 'waits', 'on again', 'off'])
  })
})

describe('time limits', () => {
  it('for the headers', async () => {
    const server = await serve(() => {})
    expect(await get(server.url(), {}, { headersTimeoutMs: 100 })).toMatchObject({ code: 'FETCH_TIMEOUT_HEADERS' })
  })

  it('for silence within the body', async () => {
    const server = await serve((_request, response) => void response.write('begin'))
    const outcome = await get(server.url(), {}, { bodyIdleTimeoutMs: 1_000 })
    expect(outcome).toMatchObject({ code: 'FETCH_TIMEOUT_BODY', status: 200, bytes: 5 })
  })

  it('for a body that drips', async () => {
    const server = await serve((_request, response) => {
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    })
    const outcome = await get(server.url(), {}, { bodyIdleTimeoutMs: 60_000, totalTimeoutMs: 3_000 })
    expect(outcome).toMatchObject({ code: 'FETCH_TIMEOUT_TOTAL', status: 200 })
  })

  it('for a body that brings too little, long before everything takes too long', async () => {
    const server = await serve((_request, response) => {
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    })
    const leastRate = { bytesPerSecond: 10_000, windowMs: 400 }
    const outcome = await get(server.url(), {}, { leastRate })
    expect(outcome).toMatchObject({ code: 'FETCH_TOO_SLOW', status: 200 })
    expect(outcome).toMatchObject({ message: expect.stringContaining('less than 10000 bytes a second over 0.4 s') })
  })

  it('not for a server that thinks before it answers, however little it brings by then', async () => {
    const server = await serve((_request, response) => void setTimeout(() => response.end('<rss/>'), 2_000))
    const leastRate = { bytesPerSecond: 10_000, windowMs: 400 }
    expect(text(await get(server.url(), {}, { leastRate }))).toBe('<rss/>')
  })

  it('for connecting, DNS included', async () => {
    const resolve = () => new Promise<never>(() => {})
    const outcome = await get('http://slow-dns.example/', {}, { resolve, connectTimeoutMs: 100 })
    expect(outcome).toMatchObject({ code: 'FETCH_TIMEOUT_CONNECT' })
  })

  it('for everything, also while still connecting', async () => {
    const resolve = () => new Promise<never>(() => {})
    const outcome = await get('http://slow-dns.example/', {}, { resolve, totalTimeoutMs: 100 })
    expect(outcome).toMatchObject({ code: 'FETCH_TIMEOUT_TOTAL' })
  })

  it('for all redirects together, but not for waiting one’s turn', async () => {
    const server = await serve((request, response) => {
      const n = Number(request.url!.slice(1))
      setTimeout(() => response.writeHead(302, { location: `/${n + 1}` }).end(), 250)
    })
    const slowly = await get(server.url('/1'), {}, { totalTimeoutMs: 3_000, maxRedirects: 20 })
    expect(slowly).toMatchObject({ code: 'FETCH_TIMEOUT_TOTAL' })
    const enterHop = async () => {
      await systemClock.sleep(3_100)
      return () => {}
    }
    const politely = await get(server.url('/1'), { enterHop }, { totalTimeoutMs: 3_000, maxRedirects: 1 })
    expect(politely).toMatchObject({ code: 'FETCH_TOO_MANY_REDIRECTS' })
  })
})

describe('calling it off', () => {
  it('in the middle of a body', async () => {
    const server = await serve((_request, response) => void response.write('begin'))
    const controller = new AbortController()
    const outcome = get(server.url(), { signal: controller.signal })
    await expect.poll(() => server.requests.length).toBe(1)
    controller.abort()
    expect(await outcome).toMatchObject({ kind: 'failed', code: 'FETCH_ABORTED' })
    await expect.poll(() => server.openSockets).toBe(0)
  })

  it('before it began', async () => {
    const server = await serve((_request, response) => response.end())
    expect(await get(server.url(), { signal: AbortSignal.abort() })).toMatchObject({ code: 'FETCH_ABORTED' })
    expect(server.connections).toBe(0)
  })

  it('while it waits for its turn at another host', async () => {
    const server = await serve((_request, response) => response.writeHead(302, { location: '/next' }).end())
    const controller = new AbortController()
    const enterHop = async (_url: URL, signal: AbortSignal) => {
      queueMicrotask(() => controller.abort())
      await once(signal, 'abort')
      return () => {}
    }
    const outcome = await get(server.url(), { signal: controller.signal, enterHop })
    expect(outcome).toMatchObject({ code: 'FETCH_ABORTED' })
    expect(server.requests).toHaveLength(1)
  })

  it('when the fetcher closes, without an exception', async () => {
    const server = await serve(() => {})
    const fetcher = fetcherWith()
    const outcome = fetcher.fetch(request(server.url()))
    await expect.poll(() => server.requests.length).toBe(1)
    await fetcher.close()
    expect((await outcome).kind).toBe('failed')
  })
})
