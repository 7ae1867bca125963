import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NEVER, outgoing, outgoingItem } from '../../../test/contract/channel.contract.ts'
import { type LocalServer, type RequestHandler, startServer } from '../../../test/support/local-server.ts'
import { first } from '../../../test/support/present.ts'
import { isSignedMessage } from '../../../test/support/signed-message.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Channel } from './channel.ts'
import { createWebhookChannel, type WebhookOptions } from './webhook.ts'

let server: LocalServer
let answer: RequestHandler
const channels: Channel[] = []

beforeEach(async () => {
  answer = (_request, response) => response.end()
  server = await startServer((request, response) => answer(request, response))
})
afterEach(async () => {
  await Promise.all(channels.splice(0).map((channel) => channel.close()))
  await server.close()
})

function open(options: Partial<WebhookOptions> = {}): Channel {
  const usual = { clock: systemClock, allowRanges: ['loopback'], userAgent: 'Headwater/test', timeoutMs: 60_000 }
  const channel = createWebhookChannel({ ...usual, ...options })
  channels.push(channel)
  return channel
}

const deliver = (target = server.url('/hook?a=1'), channel = open(), signal = NEVER) =>
  channel.deliver(outgoing(target, [outgoingItem(1)]), signal)

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('a message', () => {
  it('is a signed POST of one publication', async () => {
    const bodies: Promise<string>[] = []
    answer = (request, response) => {
      bodies.push(textOf(request))
      request.on('end', () => response.end())
    }
    expect(await deliver()).toEqual({ kind: 'delivered' })
    const request = first(server.requests)
    const body = await first(bodies)
    expect(request).toMatchObject({ method: 'POST', url: '/hook?a=1' })
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Headwater/test',
      'webhook-id': 'pub-1-1',
    })
    expect(isSignedMessage(request.headers, body, 'whsec_c2VjcmV0', systemClock.now())).toBe(true)
    expect(JSON.parse(body)).toMatchObject({
      type: 'item.published',
      publication_id: 'pub-1-1',
      seq: 1,
      feed: { name: 'news', title: 'News', url: 'http://node.example/feeds/news.json' },
      item: { id: 'urn:item:1', title: 'Title 1' },
    })
  })

  it('carries a log-in of the address as Basic, and never in the address', async () => {
    await deliver(server.url().replace('http://', 'http://user:pa%20ss@'))
    expect(first(server.requests).headers.authorization).toBe(`Basic ${Buffer.from('user:pa ss').toString('base64')}`)
  })
})

describe('an answer', () => {
  it.each([
    [200, 'delivered', null, false],
    [204, 'delivered', null, false],
    [301, 'retry', 'HTTP_UNEXPECTED', false],
    [400, 'retry', 'HTTP_CLIENT_ERROR', true],
    [401, 'retry', 'HTTP_UNAUTHORIZED', false],
    [404, 'retry', 'HTTP_NOT_FOUND', false],
    [410, 'dead', 'HTTP_GONE', false],
    [422, 'retry', 'HTTP_CLIENT_ERROR', true],
    [429, 'retry', 'HTTP_TOO_MANY_REQUESTS', false],
    [500, 'retry', 'HTTP_SERVER_ERROR', false],
    [503, 'retry', 'HTTP_UNAVAILABLE', false],
  ])('%i means %s', async (status, kind, code, isRefusal) => {
    answer = (_request, response) => response.writeHead(status, { location: server.url('/elsewhere') }).end('text')
    const outcome = await deliver()
    expect(outcome.kind).toBe(kind)
    if (outcome.kind !== 'delivered') expect(outcome.problem.code).toBe(code)
    if (outcome.kind === 'retry') expect(outcome.isRefusal).toBe(isRefusal)
    expect(server.requests).toHaveLength(1)
  })

  it('may say when to come back', async () => {
    answer = (_request, response) => response.writeHead(503, { 'retry-after': '120' }).end()
    const before = systemClock.now()
    const outcome = await deliver()
    expect(outcome.kind === 'retry' && outcome.notBefore! - before).toBeGreaterThanOrEqual(119_000)
  })

  it.each<[string, RequestHandler, string]>([
    ['never comes', () => {}, 'FETCH_TIMEOUT_TOTAL'],
    ['hangs up', (request) => request.socket.destroy(), 'FETCH_BROKEN'],
    ['is no HTTP', (request) => request.socket.end('nonsense\r\n\r\n'), 'HTTP_UNEXPECTED'],
  ])('that %s is tried again', async (_, handler, code) => {
    answer = handler
    const outcome = await deliver(server.url(), open({ timeoutMs: 3_000 }))
    expect(outcome).toMatchObject({ kind: 'retry', problem: { code } })
  })

  it('counts once its status is there, however long its body goes on', async () => {
    answer = (_request, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    }
    expect(await deliver(server.url(), open({ timeoutMs: 10_000 }))).toEqual({ kind: 'delivered' })
  })

  it('is not waited for when the node stops', async () => {
    answer = () => {}
    const stop = new AbortController()
    const outcome = deliver(server.url(), open({ timeoutMs: 60_000 }), stop.signal)
    while (server.requests.length === 0) await systemClock.sleep(5)
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'retry', problem: { code: 'FETCH_ABORTED' } })
  })
})

describe('addresses that are not public', () => {
  it.each(['http://127.0.0.1:8099/', 'http://localhost:8099/', 'http://169.254.169.254/latest/', 'http://[::1]/'])(
    '%s is refused',
    async (target) => {
      const outcome = await deliver(target, open({ allowRanges: [] }))
      expect(outcome).toMatchObject({ kind: 'retry', problem: { code: 'FETCH_ADDRESS_REFUSED' } })
    },
  )

  it('are refused also behind a name', async () => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const target = server.url('/', 'innocent.example')
    const outcome = await deliver(target, open({ allowRanges: [], resolve }))
    expect(outcome).toMatchObject({ kind: 'retry', problem: { code: 'FETCH_ADDRESS_REFUSED' } })
    expect(server.connections).toBe(0)
  })

  it.each(['ftp://a.example/', 'nonsense', 'http://a.example:25/'])('%s is no address for this', async (target) => {
    expect(await deliver(target)).toMatchObject({ kind: 'retry', problem: { code: 'FETCH_BAD_URL' } })
  })
})
