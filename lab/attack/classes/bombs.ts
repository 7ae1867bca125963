import type { ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { AttackClass } from '../attack.ts'
import { opmlOfUrls, rss } from '../documents.ts'
import { NEAR } from '../stage.ts'

const MIB = 1024 ** 2
/** What the node may have resident while all bombs come at once: 32 refreshes, each with a body of 15 MiB and its parts. */
const MOST_RESIDENT_BYTES = 1_200 * MIB
/** Of CPU time, for all threads, for each bomb. */
const MOST_CPU_MS = 30_000

type Bomb = (response: ServerResponse, mib: number) => void

const HEAD = '<?xml version="1.0"?><rss version="2.0"><channel><title>bomb</title>'
const FOOT = '</channel></rss>'
const item = (inner: string) => `${HEAD}<item><guid>1</guid><description>${inner}</description></item>${FOOT}`
const xml = (response: ServerResponse, body: string | Buffer, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'application/xml', ...headers }).end(body)

const BOMBS: Readonly<Record<string, Bomb>> = {
  gzip: (response, mib) => xml(response, gzipSync(Buffer.alloc(mib * MIB, 'a')), { 'content-encoding': 'gzip' }),
  'gzip in gzip': (response, mib) =>
    xml(response, gzipSync(gzipSync(gzipSync(Buffer.alloc(mib * MIB, 'a')))), {
      'content-encoding': 'gzip, gzip, gzip',
    }),
  brotli: (response, mib) =>
    xml(response, brotliCompressSync(Buffer.alloc(mib * MIB, 'a')), { 'content-encoding': 'br' }),
  deflate: (response, mib) =>
    xml(response, deflateSync(Buffer.alloc(mib * MIB, 'a')), { 'content-encoding': 'deflate' }),
  'billion laughs': (response) => xml(response, laughs()),
  'quadratic entities': (response) =>
    xml(response, `<!DOCTYPE rss [<!ENTITY a "${'a'.repeat(50_000)}">]>${item('&a;'.repeat(50_000))}`),
  'parameter entities': (response) =>
    xml(response, `<!DOCTYPE rss [<!ENTITY % a "%b;%b;"><!ENTITY % b "%a;%a;">%a;]>${item('x')}`),
  'entity of itself': (response) =>
    xml(response, `<!DOCTYPE rss [<!ENTITY a "&b;&b;"><!ENTITY b "&a;&a;">]>${item('&a;')}`),
  'deep elements': (response) => xml(response, item('<b>'.repeat(1_000_000))),
  'deep JSON': (response) =>
    xml(response, `{"version":"https://jsonfeed.org/version/1.1","items":${'['.repeat(2_000_000)}`, {
      'content-type': 'application/json',
    }),
  'deep objects': (response) => xml(response, `${'{"a":'.repeat(1_000_000)}1`, { 'content-type': 'application/json' }),
  'many attributes': (response) =>
    xml(response, `${HEAD}<item ${Array.from({ length: 300_000 }, (_, i) => `a${i}="x"`).join(' ')}/>${FOOT}`),
  'many namespaces': (response) =>
    xml(response, `${HEAD}<item ${Array.from({ length: 200_000 }, (_, i) => `xmlns:a${i}="x"`).join(' ')}/>${FOOT}`),
  'one tag that does not end': (response, mib) => xml(response, `${HEAD}<item${' a'.repeat((mib * MIB) / 8)}`),
  'comments that do not end': (response, mib) => xml(response, `${HEAD}${'<!--'.repeat((mib * MIB) / 16)}`),
  'CDATA that does not end': (response, mib) => xml(response, `${HEAD}${'<![CDATA['.repeat((mib * MIB) / 32)}`),
  'many items': (response) =>
    xml(
      response,
      `${HEAD}${Array.from({ length: 100_000 }, (_, i) => `<item><guid>${i}</guid></item>`).join('')}${FOOT}`,
    ),
  'many links': (response) => xml(response, item('&lt;a href="x">'.repeat(300_000))),
  'odd dates': (response) =>
    xml(
      response,
      `${HEAD}${Array.from({ length: 20_000 }, (_, i) => `<item><guid>d${i}</guid><pubDate>${'1 '.repeat(200)}</pubDate></item>`).join('')}${FOOT}`,
    ),
  'markup that a filter walks again': (response) => xml(response, item(`&lt;a ${'&lt;a '.repeat(200_000)}`)),
  'endless body': (response) => void endless(response, Buffer.alloc(256 * 1024, 'a')),
  'endless white space': (response) => void endless(response, Buffer.alloc(256 * 1024, ' ')),
  'endless headers': (response) =>
    void response.socket?.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(500_000)}`, () => response.socket?.destroy()),
  'huge header': (response) =>
    void response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(4 * MIB)}\r\n\r\n`, () =>
      response.socket?.destroy(),
    ),
  'endless early hints': (response) =>
    void response.socket?.end('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(200_000)),
  'chunk extensions': (response) =>
    void response.socket?.end(
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'a'.repeat(8 * MIB)}\r\na\r\n0\r\n\r\n`,
    ),
  'tiny chunks': (response) =>
    void response.socket?.end(
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(1_000_000)}0\r\n\r\n`,
    ),
  'length that lies': (response) =>
    void response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999\r\n\r\nabc`),
  'length below nothing': (response) => void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nabc'),
}

export const bombs: AttackClass = {
  name: 'bombs',
  promise: 'No document, answer or upload exhausts memory or time: the node lives, and other sources are refreshed',
  async run(stage, effort) {
    const mib = effort === 'full' ? 200 : 32
    const names = Object.keys(BOMBS)
    let plain = 0
    const server = await stage.startServer((request, response) => {
      const name = decodeURIComponent((request.url ?? '/').slice(1))
      const bomb = BOMBS[name]
      if (bomb !== undefined) return bomb(response, mib)
      plain++
      response.writeHead(200, { 'content-type': 'application/xml' }).end(rss('plain', [{ id: `plain ${plain}` }]))
    })
    const flags = [
      ...NEAR,
      '--budget',
      '6000/min',
      '--host-concurrency',
      '8',
      '--min-interval',
      '1s',
      '--timeout',
      '60s',
      '--strategy',
      'uniform',
    ]
    const node = await stage.startNode({ flags })
    const startMs = node.process.cpuMs()
    const urls = names.map((name) => server.url(`/${encodeURIComponent(name)}`))
    const headers = { 'content-type': 'text/x-opml' }
    await node.owner.must('POST', '/api/opml', undefined, {
      body: opmlOfUrls([server.url('/plain'), ...urls]),
      headers,
    })
    const isChecked = async () => {
      const { sources, total } = await node.owner.must('GET', '/api/sources?limit=1000')
      return (
        total > names.length && sources.every(({ lastCheckAt }: { lastCheckAt: number | null }) => lastCheckAt !== null)
      )
    }
    const hits: string[] = []
    const isOver = await stage.eventually(
      async () => !node.process.isRunning() || (await isChecked().catch(() => false)),
      300_000,
    )
    if (!node.process.isRunning())
      return { tries: names.length, hits: [`the node ended: ${node.process.output().slice(-500)}`] }
    if (!isOver) hits.push('not all sources were refreshed: something hangs')
    const before = plain
    if (!(await stage.eventually(() => plain > before + 1))) hits.push('the plain source is no longer refreshed')
    const cpuMs = node.process.cpuMs() - startMs
    if (cpuMs > MOST_CPU_MS * names.length) hits.push(`${cpuMs} ms of CPU time for ${names.length} bombs`)
    const uploads = await upload(node.owner.ask, mib)
    if (!node.process.isRunning() || (await node.ask('GET', '/feeds/all.rss')).status !== 200)
      hits.push('an upload ended the node')
    const peak = node.process.peakBytes()
    if (peak > MOST_RESIDENT_BYTES) hits.push(`${Math.round(peak / MIB)} MiB were resident`)
    return {
      tries: names.length + uploads,
      hits,
      figures: { peakMib: peak / MIB, cpuSecondsEach: cpuMs / 1_000 / names.length },
    }
  },
}

async function upload(
  ask: (method: string, path: string, options: object) => Promise<unknown>,
  mib: number,
): Promise<number> {
  const deep = Buffer.from(`${'{"a":'.repeat(400_000)}1${'}'.repeat(400_000)}`)
  const bodies: readonly [string, Buffer, Record<string, string>][] = [
    ['/api/session', deep, { 'content-type': 'application/json' }],
    ['/api/queries', Buffer.from(`{"text":"${'('.repeat(900_000)}"}`), { 'content-type': 'application/json' }],
    [
      '/api/queries',
      gzipSync(Buffer.alloc(mib * MIB, 'a')),
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ],
    ['/api/opml', Buffer.from(laughs()), { 'content-type': 'text/x-opml' }],
    ['/api/opml', Buffer.from('<outline>'.repeat(1_000_000)), { 'content-type': 'text/x-opml' }],
    ['/api/opml', Buffer.alloc(40 * MIB, '<'), { 'content-type': 'text/x-opml' }],
    [
      '/api/items/mark',
      Buffer.from(`{"seqs":[${'1,'.repeat(400_000)}1],"isRead":true}`),
      { 'content-type': 'application/json' },
    ],
  ]
  for (const [path, body, headers] of bodies) await ask('POST', path, { body, headers })
  return bodies.length
}

function laughs(): string {
  const levels = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(12)}">`)
  return `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e0 "ha">${levels.join('')}]>${item('&e12;')}`
}

async function endless(response: ServerResponse, block: Buffer): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/xml' })
  while (!response.destroyed) await new Promise((resolve) => response.write(block, resolve))
}
