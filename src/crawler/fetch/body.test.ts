import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { type LocalServer, startServer } from '../../../test/support/local-server.ts'
import { ENDLESS_BODY_MEMORY } from './body-memory.ts'
import type { Fetcher, FetchOutcome, FetchRequest, FetchWatch } from './fetcher.ts'
import { createFetcher } from './http.ts'
import type { FetcherOptions } from './options.ts'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()))
})

async function serveBody(
  answer: (response: ServerResponse) => void,
  options: FetcherOptions = {},
  request: Pick<FetchRequest, 'enoughBytes' | 'wantsBody'> = {},
): Promise<FetchOutcome & { server: LocalServer }> {
  const server = await startServer((_request, response) => answer(response))
  const fetcher: Fetcher = createFetcher({ allowRanges: ['loopback'], ...options })
  open.push(server, fetcher)
  const outcome = await fetcher.fetch({
    url: server.url(),
    etag: null,
    lastModified: null,
    headers: {},
    basicAuth: null,
    userAgent: null,
    proxyUrl: null,
    ...request,
  })
  return { ...outcome, server }
}

function encoded(encoding: string, body: Buffer) {
  return (response: ServerResponse) => response.writeHead(200, { 'content-encoding': encoding }).end(body)
}

const SMALL = Buffer.from('<rss>Füllhorn</rss>')
/** Hard to compress, so that it is still large when compressed: takes the way of streams. */
const LARGE = Buffer.from(Uint8Array.from({ length: 400_000 }, (_, i) => ((i * 2_654_435_761) >>> 13) & 0xff))

describe('encodings', () => {
  const ENCODINGS: readonly (readonly [string, string, (body: Buffer) => Buffer])[] = [
    ['gzip', 'gzip', zlib.gzipSync],
    ['x-gzip in capitals', 'X-GZip', zlib.gzipSync],
    ['deflate with its zlib header', 'deflate', zlib.deflateSync],
    ['deflate without', 'deflate', zlib.deflateRawSync],
    ['brotli', 'br', (body) => zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['two steps', 'deflate, gzip', (body) => zlib.gzipSync(zlib.deflateSync(body))],
    ['gzip, padded', 'gzip', (body) => Buffer.concat([zlib.gzipSync(body), Buffer.alloc(5)])],
    [
      'gzip in two members',
      'gzip',
      (body) => Buffer.concat([zlib.gzipSync(body.subarray(0, 9)), zlib.gzipSync(body.subarray(9))]),
    ],
    ['an unknown name, taken for none', 'utf-8', (body) => body],
    ['identity', 'identity', (body) => body],
  ]

  it.each(ENCODINGS)('%s, small', async (_name, encoding, encode) => {
    const outcome = await serveBody(encoded(encoding, encode(SMALL)))
    expect(outcome).toMatchObject({ kind: 'content', bytes: encode(SMALL).length })
    expect(outcome).toHaveProperty('body', SMALL)
  })

  it.each(ENCODINGS)('%s, large', async (_name, encoding, encode) => {
    const outcome = await serveBody(encoded(encoding, encode(LARGE)))
    expect(outcome.kind).toBe('content')
    expect(outcome.kind === 'content' && LARGE.equals(outcome.body)).toBe(true)
  })

  it('an empty body is empty, whatever its encoding', async () => {
    expect(await serveBody(encoded('gzip', Buffer.alloc(0)))).toMatchObject({ kind: 'content', bytes: 0 })
  })

  it.each([
    ['gzip cut off, small', 'gzip', zlib.gzipSync(SMALL).subarray(0, -9)],
    ['gzip cut off, large', 'gzip', zlib.gzipSync(LARGE).subarray(0, -1_000)],
    ['gzip with a wrong checksum', 'gzip', Buffer.concat([zlib.gzipSync(SMALL).subarray(0, -8), Buffer.alloc(8)])],
    ['plain text said to be gzip', 'gzip', SMALL],
    ['plain text said to be brotli, large', 'br', LARGE],
    ['an encoding that we cannot undo', 'compress', SMALL],
    ['too many steps', 'gzip, gzip, gzip, gzip', SMALL],
  ])('%s', async (_name, encoding, body) => {
    const outcome = await serveBody(encoded(encoding, body))
    expect(outcome).toMatchObject({ kind: 'failed', code: 'FETCH_BAD_ENCODING', status: 200 })
  })
})

describe('size limits', () => {
  const limit = { maxBodyBytes: 100_000 }

  it.each(['gzip', 'identity'])('lets exactly the limit pass (%s)', async (encoding) => {
    const body = Buffer.alloc(100_000)
    const outcome = await serveBody(encoded(encoding, encoding === 'gzip' ? zlib.gzipSync(body) : body), limit)
    expect(outcome.kind === 'content' && outcome.body.length).toBe(100_000)
  })

  it.each(['gzip', 'identity'])('and not one byte more (%s)', async (encoding) => {
    const body = Buffer.alloc(100_001)
    const outcome = await serveBody(encoded(encoding, encoding === 'gzip' ? zlib.gzipSync(body) : body), limit)
    expect(outcome).toMatchObject({ kind: 'failed', code: 'FETCH_TOO_LARGE' })
  })

  it('does not begin to read what is announced to be too large', async () => {
    const outcome = await serveBody((response) => {
      response.writeHead(200, { 'content-length': '1000000000' }).write('x')
    }, limit)
    expect(outcome).toMatchObject({ code: 'FETCH_TOO_LARGE' })
    expect(outcome.bytes).toBeLessThan(100_000)
    await expect.poll(() => outcome.server.openSockets).toBe(0)
  })

  it('stops an endless body at the limit', async () => {
    const outcome = await serveBody((response) => endless(Buffer.alloc(8_192)).pipe(response), limit)
    expect(outcome).toMatchObject({ code: 'FETCH_TOO_LARGE' })
    expect(outcome.bytes).toBeLessThan(500_000)
    await expect.poll(() => outcome.server.openSockets).toBe(0)
  })

  it('stops a body that is too large even compressed', async () => {
    const noise = zlib.gzipSync(LARGE)
    const outcome = await serveBody(encoded('gzip', noise), { maxCompressedBytes: noise.length - 1 })
    expect(outcome).toMatchObject({ code: 'FETCH_TOO_LARGE' })
  })

  it('cuts a gzip bomb of 10 GB off at the limit', async () => {
    // One member of 10 MB of zeros compresses to 10 kB; a thousand of them are 10 GB in 10 MB.
    const member = zlib.gzipSync(Buffer.alloc(10_000_000), { level: 9 })
    const before = process.memoryUsage().rss
    const outcome = await serveBody((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      endless(member, 1_000).pipe(response)
    })
    expect(outcome).toMatchObject({ code: 'FETCH_TOO_LARGE' })
    expect(outcome.bytes).toBeLessThan(1_000_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
    await expect.poll(() => outcome.server.openSockets).toBe(0)
  })

  it('cuts a bomb off that hides in the first of two steps', async () => {
    // Undone once, it is gigabytes of empty gzip members; undone twice, nothing.
    const empty = zlib.gzipSync('')
    const inner = Buffer.concat(new Array(100_000).fill(empty))
    const bomb = zlib.gzipSync(inner)
    const outcome = await serveBody((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' })
      endless(bomb, 10_000).pipe(response)
    })
    expect(outcome).toMatchObject({ code: 'FETCH_TOO_LARGE' })
  })
})

function endless(chunk: Buffer, times = Number.POSITIVE_INFINITY): Readable {
  return Readable.from(
    (function* () {
      for (let i = 0; i < times; i++) yield chunk
    })(),
  )
}

describe('room in memory', () => {
  const tight = { ...ENDLESS_BODY_MEMORY, capacityBytes: 100_000, largestBytes: 10_000_000 }
  const waiting = async (fetcher: Fetcher, url: string, watch: FetchWatch) => fetcher.fetch({ ...PLAIN, url, watch })

  it('a body that finds none is refused after a while, and read when there is some again', async () => {
    const server = await startServer((_request, response) => void response.end(LARGE))
    const fetcher = createFetcher({ allowRanges: ['loopback'], bodyMemory: tight, connectionsPerHost: 8 })
    open.push(server, fetcher)
    const [first, second, third] = [openFetchWatch(), openFetchWatch(), openFetchWatch()]
    expect(await waiting(fetcher, server.url(), first)).toMatchObject({ kind: 'content' })
    expect(await waiting(fetcher, server.url(), second)).toMatchObject({ code: 'FETCH_NO_ROOM' })
    first.lease?.release()
    second.lease?.release()
    expect(await waiting(fetcher, server.url(), third)).toMatchObject({ kind: 'content' })
  })

  it('a body that is too large for the node is refused at once, encoded or not', async () => {
    const bodyRoom = { ...ENDLESS_BODY_MEMORY, capacityBytes: 100_000, largestBytes: 200_000 }
    expect(await serveBody((response) => response.end(LARGE), { bodyMemory: bodyRoom })).toMatchObject({
      code: 'FETCH_NO_ROOM',
    })
    const bomb = zlib.gzipSync(Buffer.alloc(5_000_000))
    expect(await serveBody(encoded('gzip', bomb), { bodyMemory: bodyRoom })).toMatchObject({ code: 'FETCH_NO_ROOM' })
  })

  it('small bodies need none', async () => {
    const bodyRoom = { ...ENDLESS_BODY_MEMORY, capacityBytes: 0, largestBytes: 0, workBytes: 0 }
    expect(await serveBody((response) => response.end(SMALL), { bodyMemory: bodyRoom })).toMatchObject({
      kind: 'content',
    })
  })
})

const PLAIN = { etag: null, lastModified: null, headers: {}, basicAuth: null, userAgent: null, proxyUrl: null }

function openFetchWatch(): FetchWatch {
  return { lease: null, onRoad: () => {}, offRoad: () => {} }
}

describe('a request for the beginning of a body', () => {
  const lines = Buffer.from(Array.from({ length: 200_000 }, (_, k) => `line ${k}\n`).join(''))
  const limits = { maxBodyBytes: 100_000, maxCompressedBytes: 100_000 }
  const ask = { enoughBytes: 50_000 }

  it('reads so far where whole bodies must be smaller', async () => {
    const outcome = await serveBody(encoded('identity', lines), { maxBodyBytes: 10_000 }, ask)
    expect(outcome.kind === 'content' && outcome.body.length).toBe(50_000)
  })

  it.each([
    ['identity', lines],
    ['gzip', zlib.gzipSync(lines)],
    ['br', zlib.brotliCompressSync(lines)],
  ])('reads so far, whatever is announced, and hangs up (%s)', async (encoding, body) => {
    const outcome = await serveBody(encoded(encoding, body), { ...limits, maxCompressedBytes: body.length }, ask)
    expect(outcome.kind === 'content' && lines.subarray(0, 50_000).equals(outcome.body)).toBe(true)
    await expect.poll(() => outcome.server.openSockets).toBe(0)
  })

  it('ends what never ends', async () => {
    const outcome = await serveBody((response) => endless(lines).pipe(response), limits, ask)
    expect(outcome.kind === 'content' && outcome.body.length).toBe(50_000)
    await expect.poll(() => outcome.server.openSockets).toBe(0)
  })

  it.each(['identity', 'gzip'])('gets all of a body of that length or less (%s)', async (encoding) => {
    for (const bytes of [0, 20_000, 50_000]) {
      const body = lines.subarray(0, bytes)
      const outcome = await serveBody(encoded(encoding, encoding === 'gzip' ? zlib.gzipSync(body) : body), limits, ask)
      expect(outcome.kind === 'content' && body.equals(outcome.body)).toBe(true)
    }
  })

  it('leaves failures what they are', async () => {
    const cut = zlib.gzipSync(lines.subarray(0, 40_000)).subarray(0, -9)
    expect(await serveBody(encoded('gzip', cut), limits, ask)).toMatchObject({ code: 'FETCH_BAD_ENCODING' })
  })
})

describe('a request that wants bodies of some types', () => {
  const film = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    endless(LARGE).pipe(response)
  }
  const ask = { wantsBody: (contentType: string | null) => contentType !== 'video/mp4' }

  it('does not read another, and hangs up', async () => {
    const outcome = await serveBody(film, { maxBodyBytes: 1_000_000_000 }, ask)
    expect(outcome).toMatchObject({ kind: 'content', status: 200, contentType: 'video/mp4' })
    expect(outcome.kind === 'content' && outcome.body.length).toBe(0)
    expect(outcome.bytes).toBeLessThan(1_000_000)
    await expect.poll(() => outcome.server.openSockets).toBe(0)
  })

  it('reads one that it wants', async () => {
    const outcome = await serveBody(encoded('identity', SMALL), {}, ask)
    expect(outcome.kind === 'content' && SMALL.equals(outcome.body)).toBe(true)
  })
})
