import type { AttackClass } from '../attack.ts'
import { sendRaw } from '../client.ts'
import { inParallel } from '../in-parallel.ts'
import type { AttackedNode } from '../stage.ts'

const EVIL = 'evil.example'

export const requests: AttackClass = {
  name: 'requests',
  promise:
    'No odd request ends the node, passes two requests off as one, poisons an answer or leads a browser elsewhere',
  async run(stage) {
    const node = await stage.startNode()
    await node.owner.must('POST', '/api/queries', { text: 'CREATE FEED plain AS RETURN ALL;' })
    const hits: string[] = []
    const tries =
      (await poisoned(node, hits)) +
      (await led(node, hits)) +
      (await injected(node, hits)) +
      (await malformed(node, hits)) +
      (await methods(node, hits))
    if (!node.process.isRunning()) hits.push('the node ended')
    if ((await node.ask('GET', '/feeds/plain.rss')).status !== 200) hits.push('feeds are no longer served')
    return { tries, hits }
  },
}

const PAGES = [
  '/',
  '/feeds',
  '/feeds.opml',
  '/feeds/all.rss',
  '/feeds/plain.atom',
  '/feeds/plain.json',
  '/opml',
  '/api/session',
  '/api/openapi.json',
  '/api/docs',
  '/feeds/plain',
  '/nothing',
]

/** A host that the client made up must not be in what others get. */
async function poisoned(node: AttackedNode, hits: string[]): Promise<number> {
  const ways: readonly Record<string, string>[] = [
    { host: EVIL },
    { host: `${EVIL}:80` },
    { host: `127.0.0.1:${node.port}@${EVIL}` },
    { 'x-forwarded-host': EVIL },
    { 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'https', 'x-forwarded-port': '1' },
    { forwarded: `host=${EVIL};proto=https` },
    { 'x-original-url': `//${EVIL}/`, 'x-rewrite-url': `//${EVIL}/` },
    { 'x-host': EVIL, 'x-forwarded-server': EVIL, 'x-http-host-override': EVIL },
  ]
  for (const path of PAGES) {
    for (const headers of ways) {
      const answer = await node.ask('GET', path, { headers: { accept: 'text/html', ...headers } })
      if (`${JSON.stringify(answer.headers)}${answer.text}`.includes(EVIL))
        hits.push(`${path} repeats ${JSON.stringify(headers)}`)
    }
  }
  return PAGES.length * ways.length
}

/** Addresses that a careless redirect would turn into another site's. */
async function led(node: AttackedNode, hits: string[]): Promise<number> {
  const ends = ['', '/', '/..', '/%2e%2e', '.rss', '/feeds', '?next=x']
  const starts = [
    `//${EVIL}`,
    `/\\${EVIL}`,
    `/%2f%2f${EVIL}`,
    `/%5c${EVIL}`,
    `/.//${EVIL}`,
    `///${EVIL}`,
    `/feeds//${EVIL}`,
    `/feeds/..//${EVIL}`,
    `/@${EVIL}`,
    `/%09/${EVIL}`,
    `/%0d%0a/${EVIL}`,
  ]
  const urls = ['next', 'url', 'redirect', 'return', 'returnTo', 'continue', 'dest'].map(
    (name) => `/?${name}=//${EVIL}/`,
  )
  const paths = [...starts.flatMap((start) => ends.map((end) => start + end)), ...urls]
  await inParallel(8, paths, async (path) => {
    for (const cookie of [node.owner.cookie, undefined]) {
      const { status, headers } = await node.ask('GET', path, { cookie, headers: { accept: 'text/html' } })
      const { location } = headers
      if (location === undefined) continue
      const to = new URL(location, node.url)
      if (to.host !== new URL(node.url).host) hits.push(`${path} leads to ${location} (${status})`)
    }
  })
  return paths.length * 2
}

const LINE_ENDS = [
  '%0d%0ax-evil:1',
  '%0ax-evil:1',
  '%0dx-evil:1',
  '%e5%98%8d%e5%98%8ax-evil:1',
  '%c0%8d%c0%8ax-evil:1',
  '\\r\\nx-evil:1',
  '%E2%80%A8x-evil:1',
]

/** Ends of lines in whatever comes back in a header. */
async function injected(node: AttackedNode, hits: string[]): Promise<number> {
  const pathsWith = (end: string) => [
    `/feeds/${end}.rss`,
    `/feeds/category/${end}`,
    `/feeds/plain.rss?x=${end}`,
    `/api/items?text=${end}`,
    `/api/opml?x=${end}`,
    `/api/queries/${end}`,
    `/${end}`,
    `/assets/${end}`,
  ]
  const paths = LINE_ENDS.flatMap(pathsWith)
  await inParallel(8, paths, async (path) => {
    const { headers } = await node.owner.ask('GET', path)
    if (headers['x-evil'] !== undefined) hits.push(`${path} made a header`)
  })
  return paths.length
}

/** Two messages that one side might take for one, lines that are none, sizes that lie. */
async function malformed(node: AttackedNode, hits: string[]): Promise<number> {
  const host = `Host: 127.0.0.1:${node.port}\r\n`
  const smuggled = `GET /smuggled HTTP/1.1\r\n${host}\r\n`
  const messages: readonly string[] = [
    `POST /api/session HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `POST /api/session HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${smuggled}`,
    `POST /api/session HTTP/1.1\r\n${host}Transfer-Encoding : chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n${smuggled}`,
    `POST /api/session HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde${smuggled}`,
    `POST /api/session HTTP/1.1\r\n${host}Content-Length: +5\r\n\r\nabcde${smuggled}`,
    `POST /api/session HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n${smuggled}`,
    `POST /api/session HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\nContent-Length: 3\r\n\r\nabc${smuggled}`,
    `POST /api/session HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n`,
    `POST /api/session HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(200_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}${'X: a\r\n'.repeat(20_000)}\r\n`,
    `GET /${'a'.repeat(200_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.1\n${host.replace('\r', '')}\n`,
    `GET /\u0000 HTTP/1.1\r\n${host}\r\n`,
    `GET http://${EVIL}/ HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/9.9\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    `CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n`,
    `\u0016\u0003\u0001\u0002\u0000\u0001\u0000`,
    `${'\r\n'.repeat(50_000)}GET / HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n`,
  ]
  await inParallel(4, messages, async (message) => {
    const answer = await sendRaw('127.0.0.1', node.port, Buffer.from(message, 'latin1'), 3_000)
    if (answer.includes('/smuggled'))
      hits.push(`a second request was read out of ${JSON.stringify(message.slice(0, 90))}`)
    if (/^HTTP\/1\.1 5(?!05)\d\d/.test(answer))
      hits.push(`${answer.slice(0, 40)} for ${JSON.stringify(message.slice(0, 60))}`)
  })
  return messages.length
}

const ODD_METHODS = [
  'TRACE',
  'TRACK',
  'PROPFIND',
  'MKCOL',
  'PUT',
  'PATCH',
  'DELETE',
  'LOCK',
  'PURGE',
  'LINK',
  'SEARCH',
  'OPTIONS',
  'QUERY',
]

async function methods(node: AttackedNode, hits: string[]): Promise<number> {
  for (const method of ODD_METHODS) {
    for (const path of ['/', '/feeds/plain.rss', '/assets/x.js', '/health', '/metrics']) {
      const answer = await node.ask(method, path, { headers: { 'x-mirror': 'mirror-mirror' } })
      if (answer.status >= 500 && answer.status !== 501) hits.push(`${method} ${path}: ${answer.status}`)
      if (answer.text.includes('mirror-mirror')) hits.push(`${method} ${path} repeats headers`)
      if (answer.status >= 200 && answer.status < 300 && method !== 'OPTIONS')
        hits.push(`${method} ${path} was accepted`)
    }
  }
  return ODD_METHODS.length * 5
}
