import { once } from 'node:events'
import { constants, createGzip } from 'node:zlib'
import { FAULT_DEFAULTS } from './fault.ts'
import type { FaultExchange } from './fault-exchange.ts'

const HEAD = '<?xml version="1.0"?>\n<rss version="2.0"><channel><title>Bomb</title><item><title>'
const FOOT = '</title></item></channel></rss>\n'

/** Compressed on the way: a thousandth of its size travels, and neither side of the world holds it in memory. */
export async function gzipBomb({ response, fault, signal }: FaultExchange): Promise<void> {
  const size = fault.sizeBytes ?? FAULT_DEFAULTS.sizeBytes
  response.writeHead(200, { 'content-type': 'application/rss+xml', 'content-encoding': 'gzip' })
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  gzip.pipe(response)
  signal.addEventListener('abort', () => gzip.destroy(), { once: true })
  gzip.on('error', () => response.destroy())
  gzip.write(HEAD)
  const block = Buffer.alloc(256 * 1024, 'a')
  for (let sent = 0; sent < size && !signal.aborted; sent += block.length) {
    if (!gzip.write(block)) await once(gzip, 'drain', { signal }).catch(() => undefined)
  }
  if (!signal.aborted) gzip.end(FOOT)
}

export function badGzip({ response, document, contentType }: FaultExchange): void {
  const body = document()
  response.writeHead(200, {
    'content-type': contentType,
    'content-encoding': 'gzip',
    'content-length': body.length,
  })
  response.end(body)
}

export function deepNesting({ response, fault }: FaultExchange): void {
  const depth = fault.depth ?? FAULT_DEFAULTS.depth
  response.writeHead(200, { 'content-type': 'application/rss+xml' })
  response.end(
    `${HEAD}deep</title><description>${'<b>'.repeat(depth)}x${'</b>'.repeat(depth)}</description><title>${FOOT}`,
  )
}

/** "Billion laughs": nine levels of ten references each. */
export function entityBomb({ response }: FaultExchange): void {
  let entities = '<!ENTITY e0 "laugh">'
  for (let level = 1; level <= 9; level++) {
    entities += `<!ENTITY e${level} "${`&e${level - 1};`.repeat(10)}">`
  }
  response.writeHead(200, { 'content-type': 'application/rss+xml' })
  response.end(`<?xml version="1.0"?>\n<!DOCTYPE rss [${entities}]>\n${HEAD.slice(HEAD.indexOf('<rss'))}&e9;${FOOT}`)
}
