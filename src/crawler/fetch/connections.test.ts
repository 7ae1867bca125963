import { createServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type LocalServer,
  type RequestHandler,
  startRawServer,
  startServer,
} from '../../../test/support/local-server.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Fetcher, FetchRequest } from './fetcher.ts'
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

function request(url: string, more: Partial<FetchRequest> = {}): FetchRequest {
  const nothing = { etag: null, lastModified: null, headers: {}, basicAuth: null, userAgent: null, proxyUrl: null }
  return { url, ...nothing, ...more }
}

describe('connections', () => {
  it('are reused for the next source of the same host', async () => {
    const server = await serve((_request, response) => response.end('x'.repeat(100_000)))
    const fetcher = fetcherWith()
    for (let i = 0; i < 5; i++) await fetcher.fetch(request(server.url(`/${i}`)))
    expect(server.connections).toBe(1)
  })

  it('are no more per host than allowed; the others wait', async () => {
    let peak = 0
    let now = 0
    const server = await serve((_request, response) => {
      peak = Math.max(peak, ++now)
      setTimeout(() => {
        now--
        response.end('x')
      }, 20)
    })
    const fetcher = fetcherWith({ connectionsPerHost: 2 })
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) => fetcher.fetch(request(server.url(`/${i}`)))),
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(new Array(10).fill('content'))
    expect([peak, server.connections]).toEqual([2, 2])
  })

  it('stay open for few of many hosts', async () => {
    const server = await serve((_request, response) => response.end('x'))
    const fetcher = fetcherWith({ maxIdleHosts: 10 })
    for (let i = 0; i < 200; i++) await fetcher.fetch(request(server.url('/', `feed-${i}.localhost`)))
    expect(server.connections).toBe(200)
    await expect.poll(() => server.openSockets).toBeLessThanOrEqual(10)
  })

  it('are closed soon when nobody needs them, although the server would keep them', async () => {
    const server = await serve((_request, response) => response.end('x'))
    const fetcher = fetcherWith({ keepAliveMs: 200 })
    await fetcher.fetch(request(server.url()))
    expect(server.openSockets).toBe(1)
    await expect.poll(() => server.openSockets).toBe(0)
  })

  it('are all gone after failures of every kind', async () => {
    const server = await serve((request, response) => {
      const kind = Number(request.url!.slice(1)) % 6
      if (kind === 0) request.socket.resetAndDestroy()
      else if (kind === 1) response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
      else if (kind === 2) response.writeHead(200, { 'content-length': '99' }).write('dead')
      else if (kind === 3) response.writeHead(500).end('x'.repeat(200_000))
      else if (kind === 4) response.writeHead(302, { location: 'ftp://x/' }).end('moved')
      // Kind 5 gets no answer.
    })
    const fetcher = fetcherWith({ totalTimeoutMs: 200, keepAliveMs: 100, connectionsPerHost: 100 })
    const outcomes = await Promise.all(
      Array.from({ length: 120 }, (_, i) => fetcher.fetch(request(server.url(`/${i}`, `h${i % 20}.localhost`)))),
    )
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['failed']))
    await expect.poll(() => server.openSockets).toBe(0)
  })

  it('can share one signal over very many fetches without a warning', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    const server = await serve((_request, response) => response.end('x'))
    const fetcher = fetcherWith({ connectionsPerHost: 4 })
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 300 }, () => fetcher.fetch(request(server.url(), { signal }))))
    await systemClock.sleep(5)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })
})

describe('through a proxy', () => {
  const direct: RequestHandler = (_request, response) => response.end('direct')

  it('plain HTTP goes as a request to the proxy, with its log-in', async () => {
    const proxy = await serve((_request, response) => response.end('from the proxy'))
    const proxyUrl = `http://p:w@127.0.0.1:${proxy.port}`
    const outcome = await fetcherWith().fetch(
      request('http://feeds.example/a?b=c', { proxyUrl, headers: { cookie: 'x' } }),
    )
    expect(outcome).toMatchObject({ kind: 'content', finalUrl: 'http://feeds.example/a?b=c' })
    expect(proxy.requests[0]).toMatchObject({ url: 'http://feeds.example/a?b=c' })
    expect(proxy.requests[0]!.headers).toMatchObject({
      host: 'feeds.example',
      cookie: 'x',
      'proxy-authorization': `Basic ${Buffer.from('p:w').toString('base64')}`,
    })
  })

  it('HTTPS goes through a tunnel', async () => {
    const target = await serveTls(direct)
    const requests: string[] = []
    const proxy = await startRawServer((socket) => tunnel(socket, requests))
    open.push(proxy)
    const outcome = await fetcherWith().fetch(
      request(`https://a.localhost:${target}/`, { proxyUrl: `http://p:w@127.0.0.1:${proxy.port}` }),
    )
    // The tunnel is open, and the certificate at its other end is checked.
    expect(outcome).toMatchObject({ code: 'FETCH_TLS' })
    expect(requests[0]).toContain(`CONNECT a.localhost:${target} HTTP/1.1`)
    expect(requests[0]).toContain(`proxy-authorization: Basic ${Buffer.from('p:w').toString('base64')}`)
  })

  it.each([
    ['wants a log-in', 407],
    ['refuses', 403],
  ])('that %s', async (_name, status) => {
    const proxy = await startRawServer((socket) => {
      socket.once('data', () => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`))
    })
    open.push(proxy)
    const outcome = await fetcherWith().fetch(request('https://feeds.example/', { proxyUrl: proxy.url() }))
    expect(outcome).toMatchObject({ kind: 'failed', code: 'FETCH_PROXY' })
  })

  it('a 407 for plain HTTP is about the proxy too', async () => {
    const proxy = await serve((_request, response) => response.writeHead(407).end())
    const outcome = await fetcherWith().fetch(request('http://feeds.example/', { proxyUrl: proxy.url() }))
    expect(outcome).toMatchObject({ code: 'FETCH_PROXY', status: 407 })
  })

  it.each(['http://feeds.example/', 'https://feeds.example/'])('that is not there (%s)', async (url) => {
    const proxy = await startServer(direct)
    await proxy.close()
    const outcome = await fetcherWith().fetch(request(url, { proxyUrl: proxy.url() }))
    expect(outcome).toMatchObject({ code: 'FETCH_PROXY' })
  })

  it.each([
    ['not an address', 'FETCH_PROXY'],
    ['socks5://proxy.example:1080', 'FETCH_PROXY'],
    ['http://10.0.0.1:3128', 'FETCH_ADDRESS_REFUSED'],
  ])('%s: %s', async (proxyUrl, code) => {
    const outcome = await fetcherWith().fetch(request('http://feeds.example/', { proxyUrl }))
    expect(outcome).toMatchObject({ kind: 'failed', code })
  })

  it.each(['http://feeds.example/', 'https://feeds.example/'])(
    'whose own name resolves to a private address gets no request (%s)',
    async (url) => {
      const proxy = await serve(direct)
      const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
      const fetcher = fetcherWith({ allowRanges: [], resolve })
      const outcome = await fetcher.fetch(request(url, { proxyUrl: proxy.url('', 'proxy.example') }))
      expect(outcome).toMatchObject({ code: 'FETCH_ADDRESS_REFUSED' })
      expect(proxy.connections).toBe(0)
    },
  )

  it('a private target is refused before the proxy hears of it', async () => {
    const proxy = await serve(direct)
    const outcome = await fetcherWith().fetch(request('http://192.168.0.1/', { proxyUrl: proxy.url() }))
    expect(outcome).toMatchObject({ code: 'FETCH_ADDRESS_REFUSED' })
    expect(proxy.connections).toBe(0)
  })
})

describe('TLS', () => {
  it('does not trust a certificate that nobody vouches for', async () => {
    const port = await serveTls((_request, response) => response.end('secret'))
    const outcome = await fetcherWith().fetch(request(`https://a.localhost:${port}/`))
    expect(outcome).toMatchObject({ kind: 'failed', code: 'FETCH_TLS' })
    expect(outcome).toHaveProperty('message', expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'))
  })

  it('says so when the handshake is cut off', async () => {
    const server = await startRawServer((socket) => socket.once('data', () => socket.destroy()))
    open.push(server)
    const outcome = await fetcherWith().fetch(request(server.url().replace('http:', 'https:')))
    expect(outcome).toMatchObject({ code: 'FETCH_TLS' })
  })
})

function tunnel(socket: Socket, requests: string[]): void {
  socket.once('data', (head) => {
    requests.push(head.toString('latin1'))
    const port = Number(/CONNECT [^:]+:(\d+)/.exec(requests.at(-1)!)![1])
    const target = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    target.on('error', () => socket.destroy())
    socket.on('close', () => target.destroy())
    target.pipe(socket).pipe(target)
  })
}

/** Made for these tests alone: self-signed for localhost, good until 2126. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTsPs7emWOyaCMyCW
YATQ4e9AyB9KnsbrS6rHP7kP6h2hRANCAATt2B6LZTOSyrrODy5lUF/mi5736fhi
VAKxg+qlNR4PVSmYDhay2C5mcaNjeeu8g96KwYqruPJRk0ZYuYIL1+CB
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBoDCCAUegAwIBAgITBM+SpxbWnEpqVF3TrpN+yazseDAKBggqhkjOPQQDAjAU
MRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcNMjYxMTE1MjMzNTMyWhgPMjEyNjEwMjIy
MzM1MzJaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABO3YHotlM5LKus4PLmVQX+aLnvfp+GJUArGD6qU1Hg9VKZgOFrLYLmZx
o2N567yD3orBiqu48lGTRli5ggvX4IGjdjB0MB0GA1UdDgQWBBR4qYTJU0fOEZdg
nP1aBwXqwIc8nDAfBgNVHSMEGDAWgBR4qYTJU0fOEZdgnP1aBwXqwIc8nDAPBgNV
HRMBAf8EBTADAQH/MCEGA1UdEQQaMBiCCWxvY2FsaG9zdIILKi5sb2NhbGhvc3Qw
CgYIKoZIzj0EAwIDRwAwRAIgZted/JxL1BVBLwYP3aF1ueXLQWwPFgi7PFn+Y9+5
I3YCIEPST61nIm9/rVuSc+Uu1ScXpnv17szr8hh6V4cM4xYz
-----END CERTIFICATE-----`

async function serveTls(handler: RequestHandler): Promise<number> {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
  return (server.address() as AddressInfo).port
}
